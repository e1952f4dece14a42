"""Messages for people: constants of modules named `messages.py`, ready for translation.

A message may have named placeholders: `TOO_MANY_CARDS: Final = "You selected {cards}, but the cost is {cost}."`. A use
fills exactly these: `TOO_MANY_CARDS.format(cards=..., cost=...)`. A message without placeholders is used as it is. A
message that is chosen, from a dict or by a condition, has only placeholders for which its module has values; whether
each is filled is tested with the game.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from string import Formatter
from typing import Final

import pytest

from gonfalon.bots.players.choice import Fact

pytestmark = pytest.mark.journey

SOURCES: Final = Path(__file__).parents[2] / "src"
MODULE: Final = "messages"
OF_A_FACT: Final = re.compile(rf"\d\.({'|'.join([*(field.name for field in fields(Fact)), 'amount'])})")
"""A placeholder for a part of one of the facts of a reason (`bots/players/reasons.py`)."""
Messages = dict[tuple[str, str], frozenset[str]]
"""The placeholders of each message, by its module and name."""
CHOOSING: Final = (ast.Dict, ast.List, ast.Tuple, ast.IfExp, ast.Return, ast.Subscript, ast.Compare)
"""The syntax around a message or a table of messages from which one is chosen."""


def read_sources() -> dict[str, str]:
    """Return the text of each module of messages, and of each that may use them, by its dotted name."""
    texts = {path: path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.py"))}
    return {
        ".".join(path.relative_to(SOURCES).with_suffix("").parts): text
        for path, text in texts.items()
        if path.stem == MODULE or MODULE in text
    }


def find_faults(sources: Mapping[str, str]) -> list[str]:
    """Return all wrong messages, wrong uses, and messages that no module uses."""
    trees = {name: ast.parse(text) for name, text in sources.items()}
    messages: Messages = {}
    faults: list[str] = []
    for module, tree in trees.items():
        if module.rpartition(".")[2] == MODULE:
            faults += read_messages(module, tree, messages)
    used: set[tuple[str, str]] = set()
    for module, tree in trees.items():
        for key, line, fault in find_uses(module, tree, messages):
            used.add(key)
            faults += [f"{module}:{line}: {key[1]} {fault}"] if fault else []
    return faults + [f"{module}: {name} is not used" for module, name in messages if (module, name) not in used]


def read_messages(module: str, tree: ast.Module, messages: Messages) -> list[str]:
    """Add the messages of a module. Return the faults of their texts."""
    faults = []
    for statement in tree.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        name, fields = statement.target.id, set[str]()
        for node in ast.walk(statement.value or statement):
            if isinstance(node, ast.JoinedStr):
                faults.append(f"{module}:{node.lineno}: {name} is an f-string, which cannot be translated")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found = (field for _, field, _, _ in Formatter().parse(node.value) if field is not None)
                # A possessive of `core/text/templates.py`, and parts of facts, which `tell` fills.
                fields |= {field.removesuffix("'s") for field in found if not OF_A_FACT.fullmatch(field)}
        faults += [f"{module}:{statement.lineno}: {name} has {field!r}" for field in fields if not field.isidentifier()]
        messages[module, name] = frozenset(fields)
    return faults


def find_uses(module: str, tree: ast.Module, messages: Messages) -> Iterator[tuple[tuple[str, str], int, str]]:
    """Yield each use of a message in a module: its module and name, the line, and the fault if there is one."""
    names, modules = find_imports(tree, messages)
    names |= {name: (home, name) for home, name in messages if home == module}
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    filled = set(find_values(tree))
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
            continue
        key = names.get(node.id) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            key = modules[node.value.id], node.attr
        if key is None or key not in messages or not isinstance(node, ast.expr):
            continue
        if isinstance(parents[node], CHOOSING) or getattr(parents[node], "attr", "") == "get":
            # A table of a module of messages is filled where it is used.
            missing = messages[key] - filled if key[0] != module else set()
            yield key, node.lineno, f"is chosen, and nothing fills {sorted(missing)}" if missing else ""
        else:
            yield key, node.lineno, judge_use(node, parents, messages[key])


def find_values(tree: ast.Module) -> Iterator[str]:
    """Yield the names for which a module has values: the keywords of `format` and `tell`, and the keys of its dicts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (tells(node) or getattr(node.func, "attr", "") == "format"):
            yield from (keyword.arg for keyword in node.keywords if keyword.arg)
        elif isinstance(node, ast.Dict):
            yield from (key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str))
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            yield str(node.slice.value)


def tells(node: ast.AST) -> bool:
    """Return whether this is a call of `tell`, which fills a message."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tell"


def find_imports(tree: ast.Module, messages: Messages) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """Return the messages and the modules of messages that a module imports, by their names there."""
    homes = {home for home, _ in messages}
    names: dict[str, tuple[str, str]] = {}
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        for alias in node.names:
            if node.module in homes:
                names[alias.asname or alias.name] = node.module, alias.name
            elif f"{node.module}.{alias.name}" in homes:
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names, modules


def judge_use(node: ast.expr, parents: Mapping[ast.AST, ast.AST], fields: frozenset[str]) -> str:
    """Return the fault of a use of a message with these placeholders; empty if it is right."""
    method = parents[node]
    call = parents.get(method)
    if tells(method):
        call = method
    elif not isinstance(method, ast.Attribute) or method.attr != "format":
        return f"is used without {', '.join(sorted(fields))}" if fields else ""
    elif not isinstance(call, ast.Call) or call.func is not method or call.args:
        return "is not filled by names"
    assert isinstance(call, ast.Call)
    given = [keyword.arg or "**" for keyword in call.keywords]
    return "" if sorted(given) == sorted(fields) else f"needs {sorted(fields)}, not {sorted(given)}"


def test_every_use_of_a_message_fills_its_placeholders() -> None:
    assert find_faults(read_sources()) == []


@pytest.mark.parametrize(
    ("use", "fault"),
    [
        ("COST.format(cards=1, cost=2)", ""),
        ("messages.COST.format(cards=1, cost=2)", ""),
        ("COST", "is used without cards, cost"),
        ("COST.format(cards=1)", "needs ['cards', 'cost'], not ['cards']"),
        ("COST.format(cards=1, cost=2, seat=3)", "needs ['cards', 'cost'], not ['cards', 'cost', 'seat']"),
        ("COST.format(1, 2)", "is not filled by names"),
        ("tell(COST, fact, cards=1, cost=2)", ""),
        ("tell(COST, fact, cards=1)", "needs ['cards', 'cost'], not ['cards']"),
        ("messages.COST.format(**found)", "needs ['cards', 'cost'], not ['**']"),
        ("PLAIN", "COST is not used"),
        ("{1: COST}[1].format(cards=1, cost=2)", ""),
        ("(COST if PLAIN else PLAIN).format(**{'cards': 1, 'cost': 2})", ""),
        ("(COST if PLAIN else PLAIN).format(cards=1)", "is chosen, and nothing fills ['cost']"),
    ],
)
def test_a_wrong_use_is_found(use: str, fault: str) -> None:
    sources = {
        "site.messages": 'COST: Final = "{cards} for {cost}."\nPLAIN: Final = "No."\n',
        "site.page": f"from site import messages\nfrom site.messages import COST, PLAIN\nprint(PLAIN, {use})\n",
    }
    faults = find_faults(sources)
    assert len(faults) == bool(fault)
    assert all(one.endswith(fault) for one in faults)


def test_a_message_cannot_be_an_f_string_or_have_a_placeholder_without_a_name() -> None:
    sources = {"site.messages": 'ONE: Final = f"{1} card."\nTWO: Final = "{} cards."\n', "site.page": ""}
    faults = find_faults(sources)
    assert any("f-string" in one for one in faults)
    assert any("TWO has ''" in one for one in faults)


FORBIDDEN: Final = re.compile(
    r"\b(somebody|nobody|whoever|everybody|anybody|take back|taken back|watcher|conceded?|preset list)\b|"
    r"\(rulings? |\b(Player|seat) \d",
    re.IGNORECASE,
)
"""Words that pages never use. They say: a player, no player, players who, all players, undo, spectator, resign, preset
deck; and the rule of a refusal stands apart from its sentence."""
HIDDEN_FROM_READERS: Final = re.compile(r"{#.*?#}|{%.*?%}|{{.*?}}|<!--.*?-->", re.DOTALL)
QUOTED: Final = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
TAGS: Final = re.compile(r"<[^>]*>")
READ: Final = re.compile(r"\b(?:aria-label|title|alt|placeholder|data-said)=\"([^\"]*)\"")
API_WORDS: Final = {("web", "API_BY")}
"""Messages about words of the API, which never change."""


def read_page_texts(template: str) -> list[str]:
    """Return all text of a template that a reader can see or hear: between tags, in attributes, and in expressions."""
    plain = re.sub(r"{#.*?#}", "", template, flags=re.DOTALL)
    shown = HIDDEN_FROM_READERS.sub(" ", plain)
    inside = [a or b for code in re.findall(r"{{(.*?)}}", plain, re.DOTALL) for a, b in QUOTED.findall(code)]
    return [TAGS.sub(" ", shown), *READ.findall(shown), *(text for text in inside if " " in text)]


def list_forbidden_words() -> list[str]:
    """Return each forbidden word in a module of messages or a template, with its place."""
    found = []
    for path in sorted(SOURCES.rglob(f"{MODULE}.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name) or node.value is None:
                continue
            if (path.parent.name, node.target.id) in API_WORDS:
                continue
            texts = [one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant)]
            words = [match[0] for text in texts if isinstance(text, str) for match in FORBIDDEN.finditer(text)]
            found += [f"{path.parent.name}/{path.name} {node.target.id}: {word}" for word in words]
    for path in sorted(SOURCES.rglob("*.html")):
        for text in read_page_texts(path.read_text("utf-8")):
            found += [f"{path.name}: {match[0]}" for match in FORBIDDEN.finditer(text)]
    return found


def test_pages_use_one_plain_word_for_each_idea() -> None:
    assert list_forbidden_words() == []
