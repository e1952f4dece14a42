"""The mutants of a game's rules: each a module's source with one small change.

Cosmic Ray's operators make the changes, and two of our own drop a statement. What cannot change what the rules do (a
type, a decorator that only the compiler reads) is no mutant.
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
    """Leave out a call, an augmented assignment, or an assignment to something that is there already."""

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
    """Go on where the rules leave a function without a value."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if node.type == "keyword" and node.value == "return" and node.parent.type == "simple_stmt":
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        return get_ast(f"{node.prefix}pass")

    @classmethod
    def examples(cls) -> Iterable[Example]:
        return (Example("return", "pass"),)


def theirs() -> Iterator[Operator]:
    """Of Cosmic Ray's operators those whose changes a person could make by mistake.

    `==` and `is` are the same for the small ints of our rules, and a sum that becomes a power is caught at once.
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
    """One change to one module."""

    id: str
    """Names the same change as long as its line and what it stands in keep their words, wherever they move to."""
    path: Path
    line: int
    inside: str
    """The function or class that it is in, or nothing."""
    was: str
    becomes: str
    source: str

    @property
    def module(self) -> str:
        return ".".join(self.path.relative_to(ROOT / "src").with_suffix("").parts)


@dataclass(frozen=True)
class Way:
    """A change that an operator makes."""

    id: str
    operator: Operator
    occurrence: int
    """Which of the operator's occurrences in the module this is."""


@dataclass(frozen=True)
class Place:
    """Something in a module that operators can change."""

    key: str
    path: Path
    ways: tuple[Way, ...]


def names() -> list[str]:
    """The games, none of which this imports: what is loaded already cannot be changed."""
    return sorted(path.parent.name for path in GAMES.glob("*/game.py"))


def rules_of(game: str) -> list[Path]:
    """The modules that hold a game's rules."""
    return sorted(path for room in ROOMS for path in (GAMES / game / room).glob("*.py"))


class Bare(ast.NodeTransformer):
    """Leaves out what says nothing about what happens: types, and decorators for the compiler or a reader."""

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


def bare(source: str) -> str:
    """What a module does, to be compared."""
    return ast.dump(Bare().visit(ast.parse(source)))


def changed(old: str, new: str) -> tuple[int, str, str]:
    """The number of the first line that differs, and the lines that do, before and after."""
    before, after = old.splitlines(), new.splitlines()
    top = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after)))
    end = 0
    while end < min(len(before), len(after)) - top and before[-1 - end] == after[-1 - end]:
        end += 1
    was, becomes = before[top : len(before) - end], after[top : len(after) - end]
    return top + 1, " ".join(line.strip() for line in was), " ".join(line.strip() for line in becomes)


def definitions(source: str) -> dict[int, str]:
    """For each line the function or class around it, by its dotted name."""
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


def digest(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:10]


def places(path: Path) -> list[Place]:
    """Where a module can be changed."""
    source = path.read_text("utf-8")
    lines, inside = source.splitlines(), definitions(source)
    nodes = list(ast_nodes(get_ast(source)))
    found: dict[tuple[str, Any], list[tuple[Operator, int]]] = {}
    for operator in (*theirs(), DropStatement(), DropReturn()):
        positions = (place for node in nodes for place in operator.mutation_positions(node))
        for occurrence, place in enumerate(positions):
            found.setdefault((type(operator).__name__.partition("_")[0], place), []).append((operator, occurrence))
    keys: Counter[tuple[object, ...]] = Counter()
    out = []
    for (kind, ((line, column), _)), ways in sorted(found.items(), key=lambda item: (item[0][1], item[0][0])):
        text = lines[line - 1]
        indent = len(text) - len(text.lstrip())
        key = (path.relative_to(GAMES), inside.get(line, ""), text.strip(), column - indent, kind)
        name = digest(*key, keys[key])
        keys[key] += 1
        out.append(Place(name, path, tuple(numbered(name, ways))))
    return out


def numbered(key: str, ways: list[tuple[Operator, int]]) -> Iterator[Way]:
    """The changes of one place, named after the place and the operator."""
    numbers: Counter[str] = Counter()
    for operator, occurrence in ways:
        name = type(operator).__name__
        numbers[name] += 1
        yield Way(digest(key, name, numbers[name]), operator, occurrence)


def made(place: Place, ways: Iterable[Way]) -> Iterator[Mutant]:
    """The mutants of one place that some changes make, without those that do what the rules do."""
    source = place.path.read_text("utf-8")
    for way in ways:
        mutated = mutate_code(source, way.operator, way.occurrence)
        try:
            if mutated is None or bare(mutated) == bare(source):
                continue
        except SyntaxError:
            continue
        line, was, becomes = changed(source, mutated)
        inside = definitions(source).get(line, "")
        yield Mutant(way.id, place.path, line, inside, was, becomes, mutated)


def sample(game: str, count: int, seed: int) -> tuple[list[Mutant], int]:
    """`count` mutants of a game's rules, no two at one place, and how many places there are.

    Which ones depends on the seed and on each place alone: a change elsewhere leaves the others in the sample.
    """
    every = sorted((one for path in rules_of(game) for one in places(path)), key=lambda one: digest(seed, one.key))
    drawn: list[Mutant] = []
    for place in every:
        if len(drawn) == count:
            break
        drawn += islice(made(place, sorted(place.ways, key=lambda way: digest(seed, way.id))), 1)
    return drawn, len(every)


def named(game: str, ids: set[str]) -> list[Mutant]:
    """The mutants with these ids that are still there."""
    every = (place for path in rules_of(game) for place in places(path))
    return [one for place in every for one in made(place, (way for way in place.ways if way.id in ids))]
