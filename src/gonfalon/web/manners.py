"""Table manners: who may end, replace, claim and take back, and when, in players' words.

Each rule has a number, and a test that does what it says (`tests/web/test_manners.py`).
"""

from __future__ import annotations

from itertools import count
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from gonfalon.core.english import many, several
from gonfalon.table.asking import MOST_ASKED
from gonfalon.web.context import services

RULES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        "Sitting down",
        (
            "A seat belongs to whoever took it: an invitation gives it once, and nobody can take it from them, put "
            "them out, or play for them while they are here.",
            "Before the deal everybody may get up again. If whoever opened the table gets up, there is no game.",
            "Before the deal only whoever opened the table may let a bot sit: at a seat that is free, or at that of "
            "somebody who is not ready and away.",
            "Whoever watches may do nothing but watch.",
        ),
    ),
    (
        "Being away",
        (
            "With an open page you are here, whatever you do. Once your page is closed you are away after {grace}; "
            "where scripts are off, {patience} after you last loaded it.",
            "While the game waits for somebody who is away, everybody at the table may let a bot play for them. No bot "
            "comes by itself, but for a clock.",
            "Whoever comes back takes their seat back from the bot when they like, and plays on from there.",
            "Being away loses nothing by itself: without a clock nobody can claim the game for it, and a bot plays on "
            "only if somebody at the table wants it.",
        ),
    ),
    (
        "Ending",
        (
            "You may give up at any time after the deal. Of two players the other one wins.",
            "Of more players nobody wins by it: a bot plays on for you, and you may take your seat back. Where only "
            "bots would be left, the game ends.",
            "{abandoned}",
            "{unplayed}",
            "What is over is over: nothing is decided or taken back any more, the secrets are open to all, and once "
            "more is played only by those who come.",
        ),
    ),
    (
        "Taking back",
        (
            "Where the table was opened with time to think again, a decision can be taken back for those seconds, in "
            "which nobody sees it.",
            "Where all decide at once, you may change your mind until the last of them has decided.",
            "Alone with bots you may go back as far as you have learned nothing new.",
            "In {lenient} you may take back without asking whatever has told nobody anything.",
            "What others have seen you may only ask to take back, and only as long as it showed nothing but what you "
            "chose yourself: no card was drawn or turned up by it, no secret answer was opened, and nobody else has "
            "decided since.",
            "All other people who are here must agree; one who does not is enough to keep it. Bots agree to "
            "everything, and people who share your screen settle it among themselves.",
            "Whoever is away is not waited for, but somebody has to agree: if all are away it waits until one is back.",
            "What is asked is past when the game goes on. One request is open at a time, a decision is asked about "
            "once, and each may ask {asked} in a game. Bots wait a minute for the answer.",
            "The record of the game keeps only what stands.",
        ),
    ),
    (
        "Clocks",
        (
            "Where the table has clocks, yours runs from the deal on while the game waits for you, until your move has "
            "come to the server. When your turn is over you gain the seconds that go with each turn, but never more "
            "than you began with.",
            "Where all decide at once, everybody has the same free time first, a tenth of a clock, at most a minute; "
            "nobody sees whose clock runs after it until the last has decided.",
            "At zero a bot plays on for you, if the table was opened so. Coming back gives you the seconds of a turn, "
            "and ten at least. When bots play for everybody they wait for one of you.",
            "Or you have lost: of more than two players the bot then keeps your seat.",
            "Or the others may claim it: a bot for you or, of two players, the win. Until somebody does you may still "
            "play. Where all decide at once that helps only when the last has decided, for until then nobody may learn "
            "that you have.",
            "Taking back gives no time back. While the server itself is away no clock runs; only a crash of less than "
            "fifteen seconds counts.",
        ),
    ),
)


async def show(request: Request) -> Response:
    """The page, with the figures of this server."""
    return services(request).render.page("manners.html", sections=sections(request))


def sections(request: Request) -> list[tuple[str, list[tuple[int, str]]]]:
    """The rules under their headings, each with its number."""
    tables, number = services(request).tables, count(1)
    lenient = [kind.title for kind in services(request).kinds.values() if kind.takes_back]
    policy = tables.housekeeper.policy
    figures = {
        "grace": span(tables.grace),
        "patience": span(tables.patience),
        "lenient": several(lenient) if lenient else "games that say so",
        "asked": many(MOST_ASKED, "time"),
        "abandoned": f"A game in which nobody has moved for {many(round(policy.abandoned), 'day')} ends without a "
        "result."
        if policy.abandoned
        else "A game waits for as long as it takes: no game is ended because nobody moves.",
        "unplayed": f"A table at which nobody has played for {many(round(policy.unplayed), 'day')} is cleared away."
        if policy.unplayed
        else "No table is cleared away, even if nobody ever plays there.",
    }
    return [(head, [(next(number), rule.format(**figures)) for rule in rules]) for head, rules in RULES]


def span(seconds: float) -> str:
    """A time in words."""
    return many(round(seconds / 60), "minute") if seconds >= 60 else many(round(seconds), "second")
