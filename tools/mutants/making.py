"""The mutants of a game's rules: the source of a module with one small change.

The operators of Cosmic Ray make the changes, and two more operators drop a statement. Changes without effect on the
rules (of a type, or of a decorator for the compiler) are not mutants.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator

from tools.mutants.pages import ROOMS

ROOT: Final = Path(__file__).resolve().parents[2]
GAMES: Final = ROOT / "src" / "gonfalon" / "games"


class DropStatement(Operator):
    """Operator that removes a call, an augmented assignment, or an assignment to an existing attribute or element."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if node.type == "expr_stmt":
            target, sign = node.children[0], node.children[1]
            augmented = (sign.type == "operator" and sign.value != "=") or sign.type == "augassign"
            if augmented or (sign.type == "operator" and target.type in ("atom_expr", "power")):
                yield node.start_pos, node.end_pos
        elif (
            node.type in ("atom_expr", "power")
            and node.parent.type == "simple_stmt"
            and node.children[-1].type == "trailer"
        ):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        first = node.get_first_leaf()
        return get_ast(f"{first.prefix}pass")

    @classmethod
    def examples(cls) -> Iterable[Example]:
        return (Example("x += 1", "pass"), Example("f(x)", "pass"), Example("a.b = 1", "pass"))


class DropReturn(Operator):
    """Operator that removes a return without a value."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if node.type == "keyword" and node.value == "return" and node.parent.type == "simple_stmt":
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        return get_ast(f"{node.prefix}pass")

    @classmethod
    def examples(cls) -> Iterable[Example]:
        return (Example("return", "pass"),)


def iter_operators() -> Iterator[Operator]:
    """Yield the operators of Cosmic Ray whose changes resemble human mistakes.

    `==` and `is` are equivalent for the small ints of the rules, and a sum that becomes a power is always noticed.
    """
    binary = ["Add_Sub", "Sub_Add", "Mul_FloorDiv", "FloorDiv_Mul", "Mod_FloorDiv", "LShift_RShift", "RShift_LShift"]
    binary += ["BitAnd_BitOr", "BitOr_BitAnd", "BitXor_BitAnd", "Div_Mul"]
    orders = {
        "Eq": ["NotEq", "LtE", "GtE"],
        "NotEq": ["Eq", "Lt", "Gt"],
        "Lt": ["LtE", "GtE", "NotEq"],
        "LtE": ["Lt", "Gt", "Eq"],
        "Gt": ["GtE", "LtE", "NotEq"],
        "GtE": ["Gt", "Lt", "Eq"],
        "Is": ["IsNot"],
        "IsNot": ["Is"],
    }
    names = [f"ReplaceBinaryOperator_{name}" for name in binary]
    names += [f"ReplaceComparisonOperator_{name}_{to}" for name, others in orders.items() for to in others]
    names += ["ReplaceUnaryOperator_USub_UAdd", "ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_Delete_Invert"]
    names += ["AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd"]
    names += ["ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "NumberReplacer", "ZeroIterationForLoop"]
    names += ["RemoveDecorator", "ExceptionReplacer"]
    for name in names:
        yield get_operator(f"core/{name}")()


@dataclass(frozen=True)
class Mutant:
    """A change to a module."""

    id: str
    """Name of the change, stable as long as its line and its surroundings keep their text."""
    path: Path
    line: int
    inside: str
    """Enclosing function or class, or empty."""
    was: str
    becomes: str
    source: str

    @property
    def module(self) -> str:
        return ".".join(self.path.relative_to(ROOT / "src").with_suffix("").parts)


@dataclass(frozen=True)
class Mutation:
    """A change by an operator."""

    id: str
    operator: Operator
    occurrence: int
    """Index among the operator's occurrences in the module."""


@dataclass(frozen=True)
class MutationPlace:
    """A part of a module that operators can change."""

    key: str
    path: Path
    ways: tuple[Mutation, ...]


def list_games() -> list[str]:
    """Return the games without importing them: loaded modules cannot be mutated."""
    return sorted(path.parent.name for path in GAMES.glob("*/game.py"))


def list_rules(game: str) -> list[Path]:
    """Return the modules of a game's rules."""
    return sorted(path for room in ROOMS for path in (GAMES / game / room).glob("*.py"))


class SourceStripper(ast.NodeTransformer):
    """Transformer that removes types, and decorators for the compiler or for readers."""

    SILENT: Final = {"final", "override", "trait", "mypyc_attr"}

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        self.generic_visit(node)
        node.annotation = ast.Constant(None)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.decorated(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.decorated(node)
        return node

    def decorated(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        names = [(one, one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list]
        node.decorator_list = [one for one, name in names if getattr(name, "id", "") not in self.SILENT]
        self.generic_visit(node)


def strip_source(source: str) -> str:
    """Return a module without types and silent decorators, for comparisons."""
    return ast.dump(SourceStripper().visit(ast.parse(source)))


def compare_lines(old: str, new: str) -> tuple[int, str, str]:
    """Return the number of the first different line, and the different lines before and after."""
    before, after = old.splitlines(), new.splitlines()
    top = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    end = 0
    while end < min(len(before), len(after)) - top and before[-1 - end] == after[-1 - end]:
        end += 1
    was, becomes = before[top : len(before) - end], after[top : len(after) - end]
    return top + 1, " ".join(line.strip() for line in was), " ".join(line.strip() for line in becomes)


def map_definitions(source: str) -> dict[int, str]:
    """Return the dotted name of the enclosing function or class for each line."""
    found: dict[int, str] = {}

    def walk(node: ast.AST, name: str) -> None:
        for one in ast.iter_child_nodes(node):
            inside = name
            if isinstance(one, (ast.FunctionDef, ast.ClassDef)):
                inside = f"{name}.{one.name}".lstrip(".")
                found.update(dict.fromkeys(range(one.lineno, (one.end_lineno or one.lineno) + 1), inside))
            walk(one, inside)

    walk(ast.parse(source), "")
    return found


def short_hash(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:10]


def list_places(path: Path) -> list[MutationPlace]:
    """Return the places in a module that operators can change."""
    source = path.read_text("utf-8")
    lines, inside = source.splitlines(), map_definitions(source)
    nodes = list(ast_nodes(get_ast(source)))
    found: dict[tuple[str, Any], list[tuple[Operator, int]]] = {}
    for operator in (*iter_operators(), DropStatement(), DropReturn()):
        positions = (place for node in nodes for place in operator.mutation_positions(node))
        for occurrence, place in enumerate(positions):
            found.setdefault((type(operator).__name__.partition("_")[0], place), []).append((operator, occurrence))
    keys: Counter[tuple[object, ...]] = Counter()
    out = []
    for (kind, ((line, column), _)), ways in sorted(found.items(), key=lambda item: (item[0][1], item[0][0])):
        text = lines[line - 1]
        indent = len(text) - len(text.lstrip())
        key = (path.relative_to(GAMES), inside.get(line, ""), text.strip(), column - indent, kind)
        name = short_hash(*key, keys[key])
        keys[key] += 1
        out.append(MutationPlace(name, path, tuple(iter_ways(name, ways))))
    return out


def iter_ways(key: str, ways: list[tuple[Operator, int]]) -> Iterator[Mutation]:
    """Yield the changes of one place, named after the place and the operator."""
    numbers: Counter[str] = Counter()
    for operator, occurrence in ways:
        name = type(operator).__name__
        numbers[name] += 1
        yield Mutation(short_hash(key, name, numbers[name]), operator, occurrence)


def iter_mutants(place: MutationPlace, ways: Iterable[Mutation]) -> Iterator[Mutant]:
    """Yield the mutants of one place for some changes, except those equivalent to the original."""
    source = place.path.read_text("utf-8")
    for way in ways:
        mutated = mutate_code(source, way.operator, way.occurrence)
        try:
            if mutated is None or strip_source(mutated) == strip_source(source):
                continue
        except SyntaxError:
            continue
        line, was, becomes = compare_lines(source, mutated)
        inside = map_definitions(source).get(line, "")
        yield Mutant(way.id, place.path, line, inside, was, becomes, mutated)


def sample_mutants(game: str, count: int, seed: int) -> tuple[list[Mutant], int]:
    """Return mutants of a game's rules, at most one for each place, and the number of places.

    The sample depends on the seed and on each place alone, so a change elsewhere leaves the other mutants in it.
    """
    every = sorted(
        (one for path in list_rules(game) for one in list_places(path)), key=lambda one: short_hash(seed, one.key)
    )
    drawn: list[Mutant] = []
    for place in every:
        if len(drawn) == count:
            break
        drawn += islice(iter_mutants(place, sorted(place.ways, key=lambda way: short_hash(seed, way.id))), 1)
    return drawn, len(every)


def find_mutants(game: str, ids: set[str]) -> list[Mutant]:
    """Return the mutants with these ids that still exist."""
    every = (place for path in list_rules(game) for place in list_places(path))
    return [one for place in every for one in iter_mutants(place, (way for way in place.ways if way.id in ids))]
