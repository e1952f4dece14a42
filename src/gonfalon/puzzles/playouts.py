"""Answers of a puzzle played on, in two deals of the cards that its seat cannot see.

A deal is a world of the seat's view, so it shows nothing of the true cards; only a jewel begins with its own. The
heuristic of the bots plays for all seats. All seeds are fixed, so a puzzle always shows the same.
"""

from __future__ import annotations

from threading import Lock
from typing import Final, NamedTuple

from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.reasons import percent
from gonfalon.core.basics.rng import Rng
from gonfalon.core.rules.game import Game, names_for
from gonfalon.core.rules.log import list_lines
from gonfalon.core.rules.players import RuleOfThumb
from gonfalon.core.rules.state import CHANCE, OPEN, Action, Seat, State
from gonfalon.core.text.english import inside, many
from gonfalon.puzzles.files import Position, deal_hidden
from gonfalon.review.judging.players import load_insight

MAX_DEALS: Final = 16
"""Number of deals from which two are chosen."""
MAX_SEARCH: Final = 100
"""Number of decisions after which no further deal is tried. Two are played in any case."""
MIN_GAIN: Final = 0.05
"""Lead in chances that shows the point of an answer."""
MAX_DECISIONS: Final = 400
"""Number of decisions after which a game is not played on."""
MAX_STEPS: Final = 5
"""Number of steps of a line that are shown."""
SENTENCES: Final = 3
"""Number of sentences about one step."""
OWN_DEAL: Final = 0
"""Stands for the cards of the puzzle itself, instead of a seed."""
BEST, SECOND, OPENLY, YOURS = "Best move", "Second best", "Best with open cards", "Your move"
"""Labels of the answers."""
ORDINALS: Final = ("first deal", "second deal")


class Frame(NamedTuple):
    """A step of an answer that is played on: the table with all cards open, what happened, and a heading."""

    view: State
    news: str
    text: str


class Beat(NamedTuple):
    """A moment, or a complete play of a seat, with what the log says about it.

    `lead` is the score of the puzzle's seat minus the best other score.
    """

    view: State
    text: str
    by: Seat
    lead: int


class Line(NamedTuple):
    """An answer that is played on: what happens until its consequence shows, and the chance to win afterwards."""

    beats: list[Beat]
    chance: float
    over: bool
    """Whether the chance is the result of a finished game."""


class Playouts:
    """The answers of a puzzle, played on. Each is computed once, on request."""

    def __init__(self, position: Position) -> None:
        self.position: Position = position
        self.game: Game = position.game
        self.names: list[str] = names_for(self.game, position.seat, position.record.names)
        insight = load_insight(self.game)
        self.heuristic: Heuristic = insight.heuristic
        """Chooses for all seats."""
        self.rule: RuleOfThumb | None = insight.rule_of_thumb()
        # Prepared for the puzzle alone, because the end of a line depends on its beginning.
        self.judge: Heuristic = load_insight(self.game).heuristic
        self.judge.prepare(position.view)
        self.lines: dict[tuple[int, Action], Line] = {}
        self.decided: int = 0
        """Number of decisions of all lines."""
        self.deals: list[int] = []
        """The two chosen deals; empty until they are asked for."""
        # Requests come in several threads, and a heuristic is prepared for one view at a time.
        self.lock: Lock = Lock()

    def list_frames(self, own: Action | None = None) -> list[Frame]:
        """Return all steps: each answer in the first deal, then in the second.

        Args:
            own: A wrong answer of the reader, which is shown as well.
        """
        puzzle, best, parse = self.position.puzzle, self.position.best, self.game.parse
        other = parse(puzzle.open_best if puzzle.jewel else puzzle.second)
        answers = [(BEST, best), (OPENLY if puzzle.jewel else SECOND, other)]
        if own is not None and own not in (best, other):
            answers.append((YOURS, own))
        with self.lock:
            if not self.deals:
                self.deals = self.choose_deals(other)
                self.lines = {key: line for key, line in self.lines.items() if key[0] in self.deals}
            return [
                frame
                for deal, seed in zip(ORDINALS, self.deals, strict=True)
                for label, action in answers
                for frame in self.build_frames(self.play(seed, action), f"{label}, {deal}")
            ]

    def choose_deals(self, other: Action) -> list[int]:
        """Return two deals: one that shows the point of the answer, and one that goes another way if there is one.

        A jewel begins with its own deal, in which the other answer is better.
        """
        jewel = self.position.puzzle.jewel
        gains: dict[int, float] = {}
        for seed in range(OWN_DEAL if jewel else 1, MAX_DEALS + 1):
            gains[seed] = self.compare(seed, other)
            shows = [gain > MIN_GAIN for gain in gains.values()]
            if (any(shows) and not all(shows)) or (len(gains) > 1 and self.decided > MAX_SEARCH):
                break
        first = (
            OWN_DEAL if jewel else next((s for s in gains if gains[s] > MIN_GAIN), max(gains, key=gains.__getitem__))
        )
        rest = [seed for seed in gains if seed != first]
        return [first, next((s for s in rest if (gains[s] > MIN_GAIN) != (gains[first] > MIN_GAIN)), rest[0])]

    def compare(self, seed: int, other: Action) -> float:
        """Return the lead of the best answer over another one in a deal."""
        return self.play(seed, self.position.best).chance - self.play(seed, other).chance

    def play(self, seed: int, action: Action) -> Line:
        """Return an answer played on in a deal."""
        if (seed, action) not in self.lines:
            self.lines[seed, action] = self.trace(seed, action)
        return self.lines[seed, action]

    def trace(self, seed: int, action: Action) -> Line:
        """Play an answer on as far as the heuristic judges, and keep what happens in the current round."""
        position, rng = self.position, Rng(seed)
        state = position.state.clone() if seed == OWN_DEAL else deal_hidden(position.view, seed)
        state.log, state.moments = [], []
        due = [(position.seat, action), *(position.others if seed == OWN_DEAL else ())]
        chapter = self.game.chapter(state.mask(OPEN))
        beats: list[Beat] = []
        seat, asked, heard, shows = position.seat, state.stack[-1].prompt, 0, True
        for _ in range(MAX_DECISIONS):
            turn, chosen = due.pop(0) if due else self.choose(state, rng)
            state.apply(turn, chosen)
            self.decided += 1
            over = state.over or (not due and self.judge.is_leaf(state))
            # A play ends when another seat decides, or when its seat is asked the same again.
            ends = over or state.turn != seat or state.stack[-1].prompt == asked
            if shows:
                for view in (*state.moments, *([state] if ends else [])):
                    beats.append(self.build_beat(view.mask(OPEN), heard, seat))
                    heard = len(view.log or ())
                # A turn belongs to one seat, so its consequence shows in later ones.
                shows = chapter.startswith("Turn") or self.game.chapter(state.mask(OPEN)) == chapter
            state.moments = []
            if over:
                break
            if ends:
                seat, asked = state.turn, state.stack[-1].prompt
        return Line(beats, self.judge.win_chances(state)[position.seat], state.over)

    def choose(self, state: State, rng: Rng) -> tuple[Seat, Action]:
        """Return the next decision: of chance, or the best at first sight."""
        seat = state.turn
        if seat == CHANCE:
            return seat, state.chance(rng)
        view = state.mask(seat)
        self.heuristic.prepare(view)
        # The scores alone: a rule of thumb explains its choice as well, which takes as long again.
        if scores := self.heuristic.scores(view):
            return seat, view.actions[scores.index(max(scores))]
        return seat, state.sample(rng) if self.rule is None else self.rule.choose(view, rng)[0]

    def build_beat(self, view: State, heard: int, by: Seat) -> Beat:
        """Return an open view with its first new sentences; `heard` events of its log are known."""
        if view.moment:
            text = self.game.moment_words(view, self.names).partition("\n")[0]
        else:
            told = dict.fromkeys(line["text"] for line in list_lines(self.game, view, self.names, heard))
            text = " ".join(list(told)[:SENTENCES])
        score, mine = self.game.score(view), self.position.seat
        lead = score[mine] - max(n for seat, n in enumerate(score) if seat != mine) if score else 0
        return Beat(view, text, by, lead)

    def build_frames(self, line: Line, label: str) -> list[Frame]:
        """Return the steps of a line, one for each play; of a long one the first, the turning point and the end."""
        told = [beat for beat in line.beats if beat.text] or line.beats[-1:]
        # The last decision of a round ends with a moment, and then clears the table.
        if len(told) > 1 and told[-2].view.moment and not told[-1].view.moment:
            told.pop()
        shown = list(range(len(told)))
        if len(told) > MAX_STEPS:
            first, between = told[0].lead, shown[MAX_STEPS - 2 : -1]
            moment = next((n for n in between if told[n].view.moment), None)
            turn = moment or max(between, key=lambda n: (abs(told[n].lead - first), told[n].by != self.position.seat))
            shown = [*shown[: MAX_STEPS - 2], turn, shown[-1]]
        frames = []
        for before, n in zip([-1, *shown], shown, strict=False):
            text = self.format_end(told[n]) if n and n == shown[-1] else told[n].text
            skipped = n - before - 1
            frames.append(Frame(told[n].view, f"{many(skipped, 'more play')}. {text}" if skipped else text, label))
        return [*frames[:-1], frames[-1]._replace(text=f"{label}: {format_chance(line)}")]

    def format_end(self, beat: Beat) -> str:
        """Return the sentence of the last step: that of its moment, or the score."""
        score = self.game.score(beat.view)
        if not score or (beat.view.moment and "\n" not in self.game.moment_words(beat.view, self.names)):
            return beat.text
        scores = ", ".join(f"{inside(name)} {n}" for name, n in zip(self.names, score, strict=True))
        return f"{self.game.counts}: {scores}."


def format_chance(line: Line) -> str:
    """Return the chance at the end of a line in words."""
    if not line.over:
        return f"about {percent(line.chance)} to win"
    return "you win" if line.chance == 1.0 else "you lose" if line.chance == 0.0 else "a draw"
