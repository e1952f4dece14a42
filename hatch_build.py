"""Build hooks: the compiled rules and the description of the project.

Environment:
    GONFALON_COMPILE: `1` compiles the rules with mypyc and fails where that is impossible. Otherwise the wheel is
        plain Python.
    GONFALON_OPTIMIZE: the optimization level of the C compiler, 0 to 3, by default 2.

hatch-mypyc does not fit: it compiles beside the sources, leaves out the shared libraries of a build in units, and keeps
neither docstrings nor compiler flags.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

COMPILER = ["mypy>=2.4,<3", "setuptools>=77"]
FLAGS = [
    *("-fno-semantic-interposition", "-fno-plt", "-Wno-all", "-Wno-error"),
    *("--param=max-inline-insns-auto=30", "--param=inline-unit-growth=200"),
]
"""Flags for gcc and clang.

The first lets calls within an extension be inlined, which saves 7 % of the time of play. The warnings about generated
code take three fifths of a build without optimization. The last two are for gcc, which stops inlining in large
extensions: they save 4 % of Jinkei's play and a seventh of the time that samples Feint's worlds.
"""


class BuildHook(BuildHookInterface[Any]):
    """The hook of the wheel. Its option `units` maps the name of an extension to the patterns of its modules."""

    def dependencies(self) -> list[str]:
        """Return the requirements of this build beyond those of pyproject.toml."""
        return COMPILER if must_compile() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the extensions to a wheel, if they are asked for."""
        sources = Path(self.root, "src")
        if version == "standard" and must_compile():
            units = {name: find_modules(sources, patterns) for name, patterns in self.config["units"].items()}
            build_data["force_include"].update(compile_units(sources, units, Path(self.root, "build")))
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


class MetadataHook(MetadataHookInterface):
    """The hook of the description on index pages: README.md, of whose files no public address is known."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Replace pictures and links to files by their words."""
        text = Path(self.root, "README.md").read_text("utf-8")
        text = re.sub(r"!?\[([^]]+)\]\((?!https?://)[^)]+\)", r"\1", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def must_compile() -> bool:
    """Return whether the environment asks for a compiled wheel."""
    return os.environ.get("GONFALON_COMPILE") == "1"


def find_modules(sources: Path, patterns: list[str]) -> list[str]:
    """Return the modules that match patterns relative to the package, as paths relative to the sources."""
    found = {path for pattern in patterns for path in (sources / "gonfalon").glob(pattern)}
    return sorted(path.relative_to(sources).as_posix() for path in found)


def compile_units(sources: Path, units: dict[str, list[str]], build: Path) -> dict[str, str]:
    """Compile modules in a folder that keeps intermediate results, so that only changed units are compiled again.

    Args:
        sources: the folder of the package.
        units: the modules of each extension. Calls within a unit are direct.
        build: the folder for everything that is made.

    Returns:
        The place in the wheel of each extension.
    """
    from mypy.version import __version__ as mypy
    from mypyc.build import mypycify, write_file
    from setuptools import Distribution

    level = os.environ.get("GONFALON_OPTIMIZE") or "2"
    build = build.resolve() / f"mypy-{mypy}-O{level}{sysconfig.get_config_var('EXT_SUFFIX')}"
    files = [file for unit in units.values() for file in unit]
    options = ["--config-file=", f"--cache-dir={build / 'cache'}", "--strict", "--no-warn-unused-ignores"]
    # Optional packages may be missing, or have no types: `make types` checks them.
    options.append("--ignore-missing-imports")
    with contextlib.chdir(sources):
        extensions = mypycify(
            [*options, *files],
            opt_level=level,
            debug_level="0",
            separate=[(unit, f"gonfalon_{name}") for name, unit in units.items()],
            target_dir=str(build),
        )
        docstrings = find_docstrings(files)
        for extension in extensions:
            documented = [re.sub(r"\.c$", ".documented.c", source) for source in extension.sources]
            for source, target in zip(extension.sources, documented, strict=True):
                write_file(target, insert_docstrings(Path(source).read_text("utf-8"), docstrings))
            extension.sources = documented
            if os.name != "nt":
                extension.extra_compile_args = [*extension.extra_compile_args, *FLAGS]
        # The largest first: the last one to be compiled alone is then a small one.
        extensions.sort(key=lambda extension: -sum(Path(source).stat().st_size for source in extension.sources))
        command = Distribution({"name": "gonfalon", "ext_modules": extensions}).get_command_obj("build_ext")
        command.build_lib = str(build / "lib")
        command.build_temp = str(build / "objects")
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
        return {path: Path(path).relative_to(build / "lib").as_posix() for path in command.get_outputs()}


def find_docstrings(files: list[str]) -> dict[str, str]:
    """Return the docstrings of classes, methods and functions by their names as they are written in C."""
    found: dict[str, str] = {}

    def visit(node: ast.AST, name: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.ClassDef, ast.FunctionDef)):
                full = f"{name}___{child.name}"
                found[full] = ast.get_docstring(child) or ""
                visit(child, full)

    for file in files:
        visit(ast.parse(Path(file).read_text("utf-8")), file.removesuffix(".py").replace("/", "___"))
    return found


SIGNATURE = re.compile(
    r"(?:PyTypeObject CPyType_(?P<cls>\w+?)_template_ = {[^}]*?\.tp_doc = |"
    r'\(PyCFunction\)CPyPy_(?P<function>\w+),[\s\w|]*, )PyDoc_STR\("(?:[^"\\]|\\.)*(?="\))'
)
"""The documentation of a class or function in C, which holds its signature alone."""
PROPERTY = re.compile(r"(\(getter\)(?P<cls>\w+)_get_(?P<name>\w+),\s*(?:\(setter\)\w+|NULL),\s*)NULL(?=,\s*NULL\})")
"""The description of a property in C, which has no documentation."""


def insert_docstrings(code: str, docstrings: dict[str, str]) -> str:
    """Return C code of mypyc with the docstrings that mypyc drops, behind the signatures."""

    def add_to_signature(match: re.Match[str]) -> str:
        return match[0] + quote(docstrings.get(match["cls"] or match["function"], ""))

    def add_to_property(match: re.Match[str]) -> str:
        words = docstrings.get(f"{match['cls']}___{match['name']}")
        return f'{match[1]}PyDoc_STR("{quote(words)}")' if words else match[0]

    return PROPERTY.sub(add_to_property, SIGNATURE.sub(add_to_signature, code))


def quote(text: str) -> str:
    """Return text as the content of a string in C."""
    return "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"\\{byte:03o}" for byte in text.encode())
