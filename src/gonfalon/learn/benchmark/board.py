"""The leaderboard: cards side by side, as a page that needs nothing else, or in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from gonfalon import games
from gonfalon.lab import pages
from gonfalon.lab.charts import AFTER, BEFORE, LINE
from gonfalon.learn.benchmark.card import LEFT_OUT, Card, by_game
from gonfalon.learn.benchmark.figures import SPARRING
from gonfalon.learn.benchmark.protocol import DECISIONS, LEVELS, PAIRS, SEED, VERSION

NONE: Final = "–"
STYLE: Final = Path(__file__).with_name("board.css")
LONG: Final = 100
"""How wide an interval is drawn."""
NOTES: Final = (
    (
        "against",
        f"the player's score over {PAIRS} fixed deals, or as many as stand beside its name, each played from all seats",
    ),
    (
        "best response",
        f"what an exploiter scores that has learnt against the player for {DECISIONS:,} decisions, over deals that "
        "neither has seen: a lower bound of what could be had, and the lower the better for the player",
    ),
    ("tasks", "the chance to win that the player gives away on average in decisions whose every answer was tried"),
    ("agreement", "in how many of them it took the best answer"),
    (
        "exact",
        "exploitability: what a perfect opponent gains in a tiny configuration, exactly: from 0 to 1, lower is better",
    ),
)
MACHINE: Final = {"gonfalon": "Gonfalon ", "build": "", "python": "Python ", "machine": ""}
"""What is told of a machine, after which words."""


class Cell(NamedTuple):
    """A figure in words with its interval, and where these lie between 0 and 1."""

    text: str
    interval: str = ""
    span: tuple[float, float, float] | None = None


class Column(NamedTuple):
    """A figure of all players."""

    head: str
    cells: list[Cell]

    @property
    def told(self) -> bool:
        """Whether anybody has it."""
        return any(cell.text != NONE for cell in self.cells)


def columns(entries: Sequence[Card]) -> list[Column]:
    """What is told of the players in one game."""
    found = [
        Column(f"against {level}", [score((entry.get("against") or {}).get(level)) for entry in entries])
        for level in LEVELS
    ]
    found.append(Column("best response", [score(entry.get("response")) for entry in entries]))
    tasks = [entry.get("tasks") or {} for entry in entries]
    found += [
        Column("tasks", [loss(one.get("loss")) for one in tasks]),
        Column("tasks, to the end", [loss(one.get("loss to the end")) for one in tasks]),
        Column("agreement", [Cell(f"{100 * one['agreement']:.0f} %" if one else NONE) for one in tasks]),
    ]
    tiny = dict.fromkeys(what for entry in entries for what in entry.get("exploitability") or {})
    for what in tiny:
        gains = [(entry.get("exploitability") or {}).get(what) for entry in entries]
        found.append(Column(f"exact, {what}", [Cell(NONE if g is None else f"{g:z.3f}") for g in gains]))
    return [column for column in found if column.told]


def score(figure: Any) -> Cell:
    """A score in %, with its interval."""
    if not figure:
        return Cell(NONE)
    middle, low, high = (100 * figure[what] for what in ("score", "low", "high"))
    return Cell(f"{middle:.1f} %", f"({low:.1f} to {high:.1f})", (middle / 100, low / 100, high / 100))


def loss(figure: Any) -> Cell:
    """A loss in points of the chance to win, with its interval."""
    if not figure:
        return Cell(NONE)
    middle, low, high = (100 * figure[what] for what in ("mean", "low", "high"))
    return Cell(f"{middle:z.1f} points", f"({low:z.1f} to {high:z.1f})")


def called(card: Card, entry: Card) -> str:
    """A player's name, and whether the budgets were its own."""
    own = budgets(entry)
    return f"{card['agent']} ({own})" if own else str(card["agent"])


def budgets(entry: Card) -> str:
    """Budgets that are not the protocol's."""
    played = entry.get("against") or entry.get("response")
    told = [f"{entry['pairs']:,} deals"] if played and entry["pairs"] != PAIRS else []
    trained = entry.get("response") or {}
    made, sparring = trained.get("decisions", DECISIONS), trained.get(SPARRING)
    if made != DECISIONS or sparring:
        told.append(f"exploiter of {made:,} decisions" + (f" against {sparring}" if sparring else ""))
    return ", ".join(told)


def markdown(cards: list[Card]) -> list[str]:
    """The lines of a page in Markdown. Raises OptionError."""
    lines = [f"# Leaderboard, benchmark {VERSION}"]
    for name, both in by_game(cards).items():
        found = columns([entry for _, entry in both])
        heads = ["Agent", *(column.head for column in found), "Card"]
        lines += ["", f"## {name}", "", f"| {' | '.join(heads)} |", f"|---{'|---:' * (len(heads) - 2)}|---|"]
        for row, (card, entry) in enumerate(both):
            cells = [" ".join(filter(None, column.cells[row][:2])) for column in found]
            lines.append(f"| {' | '.join([called(card, entry), *cells, card['hash']])} |")
        if why := left_out(both):
            lines += ["", *(f"- {one}" for one in why)]
    return lines


def page(cards: list[Card]) -> str:
    """A page in HTML. Raises OptionError."""
    shown = {column.head for _, both in by_game(cards).items() for column in columns([entry for _, entry in both])}
    notes = "".join(
        f"<li><b>{escape(what)}</b>: {escape(means)}.</li>"
        for what, means in NOTES
        if any(head.startswith(what) for head in shown)
    )
    parts = [
        f"<p>Each row is a card that <code>gonfalon benchmark</code> wrote: version {VERSION}, seed {SEED}, the same "
        "deals for everybody. In brackets stand 95 % intervals; the hash at the end names the card.</p>",
        *(section(name, both) for name, both in by_game(cards).items()),
        f"<section><h3>What the columns say</h3><ul>{notes}</ul></section>",
        f"<footer><p>Measured with {'; '.join(machines(cards))}.</p></footer>",
    ]
    return pages.document(f"Gonfalon, benchmark {VERSION}", "Leaderboard", parts, STYLE.read_text("utf-8"))


def section(name: str, both: list[tuple[Card, Card]]) -> str:
    """The table of one game."""
    entry = both[0][1]
    title = games.kind(name).title if name in games.names() else name
    about = [f"rules {entry['rules']}", f"cards {entry['cards']}"]
    tasks = next((one["tasks"] for _, one in both if one.get("tasks")), None)
    if tasks is not None:
        about.append(f"{tasks['tasks']} tasks ({tasks['hash']})")
    found = columns([one for _, one in both])
    heads = "".join(f"<th role=columnheader scope=col>{escape(column.head)}</th>" for column in found)
    rows = []
    for row, (card, one) in enumerate(both):
        cells = "".join(drawn(column.head, column.cells[row]) for column in found)
        own = f" <small>{escape(budgets(one))}</small>" if budgets(one) else ""
        head = f"<th role=rowheader scope=row>{escape(card['agent'])}{own}</th>"
        rows.append(f"<tr role=row>{head}{cells}{drawn('card', Cell(card['hash']))}</tr>")
    why = "".join(f"<p class=soft>{escape(one)}</p>" for one in left_out(both))
    return (
        f"<section><h3>{escape(title)}</h3><p class=soft>{escape(', '.join(about))}</p>"
        f"<table class=board role=table><caption>{escape(title)}</caption><thead role=rowgroup><tr role=row>"
        f"<th role=columnheader scope=col>player</th>{heads}<th role=columnheader scope=col>card</th></tr></thead>"
        f"<tbody role=rowgroup>{''.join(rows)}</tbody></table>{why}</section>"
    )


def left_out(both: Sequence[tuple[Card, Card]]) -> list[str]:
    """Why players have no figure of a part."""
    return [f"{card['agent']}: {why}" for card, entry in both for why in entry.get(LEFT_OUT, {}).values()]


def drawn(head: str, cell: Cell) -> str:
    """A figure, its interval, and below them a line from 0 to 1 with both."""
    interval = f" <small>{escape(cell.interval)}</small>" if cell.interval else ""
    line = "" if cell.span is None else line_of(*cell.span)
    return f'<td role=cell data-head="{escape(head)}"><span>{escape(cell.text)}{interval}{line}</span></td>'


def line_of(middle: float, low: float, high: float) -> str:
    """An interval on a line from 0 to 1, whose half is marked."""
    at, begin, end, half = (round(4 + (LONG - 8) * x, 1) for x in (middle, low, high, 0.5))
    return (
        f'<svg viewBox="0 0 {LONG} 12" aria-hidden="true">'
        f'<path d="M4 6H{LONG - 4}M{half} 2V10" stroke="{LINE}" stroke-width="1.5"/>'
        f'<path d="M{begin} 6H{end}" stroke="{BEFORE}" stroke-width="4" stroke-linecap="round"/>'
        f'<circle cx="{at}" cy="6" r="4" fill="{AFTER}"/></svg>'
    )


def machines(cards: list[Card]) -> list[str]:
    """What the cards were measured on."""
    found = []
    for card in cards:
        machine = card.get("machine") or {}
        told = [f"{word}{machine[what]}" for what, word in MACHINE.items() if what in machine]
        found.append(escape(", ".join(told)) or "a machine that says nothing of itself")
    return list(dict.fromkeys(found))
