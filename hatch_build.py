"""Builds the wheel: the hot modules compiled by mypyc where a C compiler is present, else plain Python.

A build never fails for want of a compiler. Which of the two it became, and why, is written into the wheel
(`gonfalon/build.json`), where `gonfalon --version` finds it. Nothing is written beside the sources: they
are copied, and compiled in a folder of their own. The manual page is made of the commands on the way, and lies where
`man gonfalon` finds it once the wheel is installed.

Environment:
    GONFALON_COMPILE      `no`: do not compile; `must`: fail where it cannot be compiled; `kept`: take what the
                          cache keeps, and compile nothing
    GONFALON_BUILD_CACHE  a folder that keeps what was compiled, by the content of the modules
    GONFALON_OPTIMIZE     how much the C compiler optimises, 0 to 3, else 2 (3 compiles twice as long)
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILER = ["mypy>=2.4,<3", "setuptools>=77"]
FLAGS = [
    *("-fno-semantic-interposition", "-fno-plt", "-Wno-all", "-Wno-error"),
    *("--param=max-inline-insns-auto=30", "--param=inline-unit-growth=200"),
]
"""For gcc and clang. The first lets functions of the one extension be inlined: 7 % of play. To look for what may be
warned of in generated code took three fifths of a compile that does not optimise. The last two are gcc's own: the small
functions that look into lists are inlined, which an extension of this size is otherwise too large for: 4 % of the
instructions of Jinkei's play, a seventh of those that deal Feint's worlds."""
KEPT = 3
"""How many results stay in the cache."""
NOT_YET = "it was not compiled yet when it was installed"


class PlainError(Exception):
    """Why it is to be plain Python, as the end of a sentence."""


class BuildHook(BuildHookInterface[Any]):
    """What hatchling calls. The option `units` names what is compiled, relative to the package: the modules
    of a unit become one extension, and call each other directly."""

    def dependencies(self) -> list[str]:
        return COMPILER if wanted() not in ("no", "kept") and c_compiler() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        package = Path(self.root, "src", "gonfalon")
        self.work = Path(tempfile.mkdtemp(prefix="gonfalon-build-"))
        page = self.work / "gonfalon.1"
        if manual(package, page):
            build_data.setdefault("shared_data", {})[str(page)] = "share/man/man1/gonfalon.1"
        else:
            self.app.display_warning("Gonfalon is built without its manual page, which could not be made.")
        if version == "editable":
            return
        units = sought(package, self.config["units"])
        note: dict[str, Any] = {"compiled": sum(map(len, units.values())), "why": ""}
        try:
            for path in compiled(package, units, self.work):
                build_data["force_include"][str(path)] = path.relative_to(self.work / "lib").as_posix()
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        except PlainError as reason:
            if wanted() == "must":
                raise
            note = {"compiled": 0, "why": str(reason)}
            self.app.display_warning(f"Gonfalon is built as plain Python: {reason}.")
        path = self.work / "build.json"
        path.write_text(json.dumps(note))
        build_data["force_include"][str(path)] = "gonfalon/build.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.work, ignore_errors=True)


def manual(package: Path, page: Path) -> bool:
    """Write the manual page, by the commands themselves; whether that could be done."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    with page.open("w", encoding="utf-8") as file:
        call = [sys.executable, "-X", "utf8", "-m", "gonfalon.cli.man"]
        return not subprocess.run(call, env=environment, stdout=file, stderr=subprocess.DEVNULL, check=False).returncode


def wanted() -> str:
    """What the environment asks for: no, must, kept, or nothing."""
    return os.environ.get("GONFALON_COMPILE", "").strip().lower()


def optimisation() -> str:
    """The level for the C compiler."""
    return os.environ.get("GONFALON_OPTIMIZE", "").strip() or "2"


def c_compiler() -> str | None:
    """The C compiler's path. On Windows setuptools finds its own."""
    if os.name == "nt":
        return "cl"
    own = os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc")
    return next((path for name in (own.split()[0], "cc", "gcc", "clang") if (path := shutil.which(name))), None)


def sought(package: Path, units: dict[str, list[str]]) -> dict[str, list[str]]:
    """The modules of each unit, as paths relative to the folder of the package, from the patterns of it."""
    found = {name: {path for pattern in patterns for path in package.glob(pattern)} for name, patterns in units.items()}
    return {
        name: sorted(path.relative_to(package.parent).as_posix() for path in paths) for name, paths in found.items()
    }


def can_compile() -> str:
    """The C compiler's path. Raises PlainError where nothing can be compiled, whatever is installed."""
    if sys.implementation.name != "cpython":
        raise PlainError(f"only CPython runs compiled rules, and this is {sys.implementation.name}")
    compiler = c_compiler()
    if compiler is None:
        raise PlainError("no C compiler was found when it was installed")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        raise PlainError("Python.h was missing when it was installed (Debian, Ubuntu: apt install python3-dev)")
    return compiler


def compiled(package: Path, units: dict[str, list[str]], work: Path) -> list[Path]:
    """The extensions, below `work / "lib"`. Raises PlainError."""
    if wanted() == "no":
        raise PlainError("GONFALON_COMPILE=no was set when it was installed")
    compiler = can_compile()
    try:
        from mypy.version import __version__ as mypy
    except ImportError:
        if wanted() == "kept":
            raise PlainError(NOT_YET) from None
        raise PlainError("mypy, which compiles it, was missing when it was installed") from None
    kept = cached(package, f"{units} {optimisation()} {mypy} {compiler}")
    lib = work / "lib"
    if kept is None or not kept.exists():
        if wanted() == "kept":
            raise PlainError(NOT_YET)
        shutil.copytree(
            package, work / "src" / "gonfalon", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
        )
        environment = dict(os.environ)
        if os.name != "nt" and shutil.which(str(sysconfig.get_config_var("CC") or "cc").split()[0]) is None:
            environment.setdefault("CC", compiler)
        done = subprocess.run(
            [sys.executable, __file__, str(lib), json.dumps(units)],
            cwd=work / "src",
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode:
            print(done.stdout, file=sys.stderr)
            raise PlainError("compiling it failed when it was installed (`pip install -v` shows why)")
        if kept is not None:
            keep(lib, kept)
    else:
        shutil.copytree(kept, lib)
        kept.touch()
    return sorted(path for path in lib.rglob("*") if path.suffix in (".so", ".pyd"))


def cached(package: Path, way: str) -> Path | None:
    """Where the result for this content is kept; None where nothing is to be kept."""
    folder = os.environ.get("GONFALON_BUILD_CACHE")
    if not folder:
        return None
    content = hashlib.sha256(f"{way} {sys.version} {os.environ.get('CFLAGS')}".encode())
    # Types of the modules around them count as well.
    for path in [Path(__file__), *sorted(package.glob("core/*.py")), *sorted(package.glob("[bg]*/**/*.py"))]:
        content.update(path.read_bytes())
    return Path(folder).resolve() / content.hexdigest()[:20]


def keep(lib: Path, kept: Path) -> None:
    """Put a result into the cache, and the oldest ones out."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=kept.parent)) / "lib"
    shutil.copytree(lib, draft)
    draft.replace(kept)
    draft.parent.rmdir()
    for old in sorted(kept.parent.iterdir(), key=lambda path: path.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def docstrings(sources: list[str]) -> dict[str, str]:
    """The docstrings of classes, methods and functions by their full names."""
    found: dict[str, str] = {}

    def look(node: ast.AST, name: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.ClassDef, ast.FunctionDef)):
                full = f"{name}.{child.name}"
                said = ast.get_docstring(child)
                if said:
                    found[full] = said
                look(child, full)

    for source in sources:
        look(ast.parse(Path(source).read_text("utf-8")), source.removesuffix(".py").replace("/", "."))
    return found


DOCUMENTED = re.compile(
    r"(?:PyTypeObject CPyType_(?P<cls>\w+?)_template_ = {[^}]*?\.tp_doc = |"
    r'\(PyCFunction\)CPyPy_(?P<function>\w+),[\s\w|]*, )PyDoc_STR\("(?:[^"\\]|\\.)*(?="\))'
)
"""Where C code begins to document a class or function: so far with its signature alone."""


READ = re.compile(r"(\(getter\)(?P<cls>\w+)_get_(?P<name>\w+),\s*(?:\(setter\)\w+|NULL),\s*)NULL(?=,\s*NULL\})")
"""Where C code begins to document what is read of an object: so far not at all."""


def in_c(words: str) -> str:
    """Words between the quotes of C."""
    plain = b" !#$%&'()*+,-./0123456789:;<=>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"
    return "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in words.encode())


def keep_docstrings(code: str, found: dict[str, str]) -> str:
    """C code of mypyc, which documents classes and functions with their signatures and drops what they say in words:
    that is put behind the signatures, where Python looks for it. Of properties it drops all."""

    def with_words(match: re.Match[str]) -> str:
        name = (match["cls"] or match["function"]).replace("___", ".")
        return match[0] + in_c(found.get(name, ""))

    def with_more(match: re.Match[str]) -> str:
        words = found.get(f"{match['cls'].replace('___', '.')}.{match['name']}")
        return f'{match[1]}PyDoc_STR("{in_c(words)}")' if words else match[0]

    return READ.sub(with_more, DOCUMENTED.sub(with_words, code))


def main(lib: str, units: dict[str, list[str]]) -> None:
    """Compile into a folder, the units beside one another: the working folder holds the sources. Packages that are
    imported and not installed, or come without types, do no harm: `make types` looks at those."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    extensions = mypycify(
        [
            "--strict",
            "--no-warn-unused-ignores",
            "--ignore-missing-imports",
            *(path for paths in units.values() for path in paths),
        ],
        opt_level=optimisation(),
        debug_level="0",
        separate=[(paths, f"gonfalon_{name}") for name, paths in units.items()],
    )
    found = docstrings([path for paths in units.values() for path in paths])
    for extension in extensions:
        for source in map(Path, extension.sources):
            source.write_text(keep_docstrings(source.read_text("utf-8"), found), "utf-8")
        if os.name != "nt":
            extension.extra_compile_args = [*extension.extra_compile_args, *FLAGS]
    # The largest first: the last one to be compiled alone is then a small one.
    extensions.sort(key=lambda extension: -sum(Path(source).stat().st_size for source in extension.sources))
    distribution = Distribution({"name": "gonfalon", "ext_modules": extensions})
    command = distribution.get_command_obj("build_ext")
    command.build_lib = lib
    command.build_temp = "build"
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
