"""A second implementation of Feint in the simplest way, for the conformance kit.

It shares no code with the rules. Every card is an object of its own, so the owner of a trigger needs no
marks, and a nested play is a nested call. The story stops at each question and continues
with the answer. `judge.py` compares it with the rules' results.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gonfalon.core.basics.rng import Rng

if TYPE_CHECKING:
    from gonfalon.core.basics.options import Options
    from gonfalon.core.files.card_files import Raw
    from gonfalon.games.feint.box import Box

BOTH: Final = (0, 1)
CHANCE: Final = -1
AT_ONCE: Final = (
    "assassin",
    "bomb-tower",
    "conjurer",
    "explorer",
    "gangan",
    "good-for-something",
    "guardian-angel",
    "master-of-fire",
    "medic",
    "patriot",
    "rounds",
    "saboteur",
    "support-tower",
    "trojan",
)
"""Abilities that act when a card is played."""
LATER: Final = ("dragoon", "master-of-earth", "punisher", "scrambler", "capacity")
LIMITS: Final = ("covert", "engineer", "knight", "master-of-wind", "storm-prodigy", "tower")
KNOWN: Final = ("", *AT_ONCE, *LATER, *LIMITS)
"""The abilities implemented here."""


@dataclass(eq=False)
class Piece:
    """One Faction Card or Location Card."""

    kind: int
    seen: set[int] = field(default_factory=set)
    down: bool = False
    stay: int = 0
    """The Stay tokens on it."""


@dataclass(eq=False)
class Trigger:
    """A triggered Scrambler: the trigger, the card that caused it, and the card it moves."""

    scrambler: Piece
    played: Piece
    mover: Piece
    gone: bool = False
    """Whether the card it moves has since left the Location."""


@dataclass
class Question:
    """A seat's question (chance: -1) and all legal answers in notation."""

    seat: int
    prompt: str
    answers: list[str]


class TheEndError(Exception):
    """A seat has won."""


Told = Generator[list[Question], tuple[int, str], None]
"""A generator that yields questions, several for simultaneous decisions, and receives a seat and its answer."""


class Story:
    """The table and its course of play."""

    def __init__(self, box: Box, options: Options) -> None:
        absent: Raw = {"ability": "", "tags": [], "protected": False, "by": 0, "location": None}
        self.cards: list[Raw] = [{**absent, **card} for faction in box.factions for card in faction["cards"]]
        self.numbers: list[int] = box.locations
        self.faction: list[int] = [number for number, faction in enumerate(box.factions) for _ in faction["cards"]]
        self.hand_size: int = box.hand
        self.usual: int = options["capacity"] or box.capacity
        self.played_moves: bool = options["scrambler"] == "played"
        self.exact: bool = options["exact"]
        self.whole_gang: bool = options["gang"] == "faction"
        self.hand: list[list[Piece]] = [[], []]
        self.deck: list[list[Piece]] = [[], []]  # the last one is the top
        self.discard: list[list[Piece]] = [[], []]
        self.pile: list[list[Piece]] = [[], []]
        self.used: list[list[Piece]] = [[], []]
        self.scout: list[list[Piece]] = [[], []]
        self.board: list[list[list[Piece]]] = [[[] for _ in self.numbers] for _ in BOTH]
        self.morale: list[int] = [0, 0]
        self.won: list[int] = []
        self.round: int = 1
        self.end: int = options["end_round"] or box.end_round
        self.first: int = 0
        self.passed: set[int] = set()
        self.triggers: list[Trigger] = []
        self.winner: int | None = None
        self.how: str = ""

    # ---- what is printed -------------------------------------------------------------------------------

    def printed(self, piece: Piece) -> Raw:
        """Return a card's entry in the card data."""
        return self.cards[piece.kind]

    def has(self, piece: Piece, ability: str) -> bool:
        return bool(self.printed(piece)["ability"] == ability)

    def slug(self, piece: Piece) -> str:
        return str(self.printed(piece)["slug"])

    # ---- what lies on the table --------------------------------------------------------------------------

    def here(self, place: int) -> list[Piece]:
        return self.board[0][place] + self.board[1][place]

    def load(self, place: int) -> int:
        """The Strength at a Location as Capacity counts it (rulings 18, 19)."""
        return sum(3 if piece.down else int(self.printed(piece)["strength"]) for piece in self.here(place))

    def capacity(self, place: int) -> int:
        """Ruling 81."""
        open_here = [piece for piece in self.here(place) if not piece.down]
        return max(0, self.usual + sum(int(self.printed(p)["by"]) for p in open_here if self.has(p, "capacity")))

    def fits(self, piece: Piece, place: int) -> bool:
        """Whether a card may be played to a Location (rulings 18 to 21, 54, 57, 72, 73)."""
        if "tower" in self.printed(piece)["ability"]:
            tags = [tag for other in self.here(place) if not other.down for tag in self.printed(other)["tags"]]
            return tags.count("engineer") > tags.count("tower")
        if self.has(piece, "knight") and self.printed(piece)["location"] != self.numbers[place]:
            return False
        if self.has(piece, "master-of-wind") and self.here(place):
            return False
        after = self.load(place) + (3 if self.has(piece, "covert") else self.printed(piece)["strength"])
        if self.has(piece, "engineer") and after > 4:
            return False
        return bool(after <= self.capacity(place))

    def plays(self, zone: list[Piece]) -> list[str]:
        """Return every play allowed for the cards of a zone."""
        found = set()
        for piece in zone:
            places = [self.numbers[place] for place in range(len(self.numbers)) if self.fits(piece, place)]
            if not self.has(piece, "storm-prodigy"):
                found |= {f"{self.slug(piece)}@{number}" for number in places}
            elif places:
                found.add(self.slug(piece))
        return sorted(found)

    def named(self, zone: list[Piece], slug: str) -> Piece:
        """Return a card of a zone by its slug. Of several, the one most seats have seen."""
        return max((piece for piece in zone if self.slug(piece) == slug), key=lambda piece: len(piece.seen))

    def targets(self, owner: int, place: int) -> list[str]:
        """Return the legal targets among a seat's cards at a Location. Of equal open ones only the first
        (ruling 80)."""
        found, met = [], []
        for index, piece in enumerate(self.board[owner][place]):
            look = (piece.kind, piece.stay, self.due(piece))
            if piece.down or (look not in met and not self.printed(piece)["protected"]):
                found.append(f"#{self.numbers[place]}.{index + 1}")
                if not piece.down:
                    met.append(look)
        return found

    def at(self, owner: int, word: str) -> tuple[Piece, int]:
        """Return the card and the Location of `#4.2`."""
        number, _, index = word[1:].partition(".")
        place = self.numbers.index(int(number))
        return self.board[owner][place][int(index) - 1], place

    def due(self, piece: Piece) -> Piece | None:
        """Return the last card played that will make, or would make, a Scrambler move this one."""
        waiting = [trigger.played for trigger in self.triggers if trigger.mover is piece and not trigger.gone]
        return waiting[-1] if waiting else None

    # ---- what is done with cards ----------------------------------------------------------------------------

    def leave(self, owner: int, place: int, piece: Piece) -> None:
        """Remove a card from a Location and cancel the triggers that would move it (ruling 78)."""
        self.board[owner][place].remove(piece)
        for trigger in self.triggers:
            if trigger.mover is piece:
                trigger.gone = True

    def shown(self, piece: Piece) -> Piece:
        """Return a card that all seats see, without a token and face up."""
        piece.seen, piece.down, piece.stay = set(BOTH), False, 0
        return piece

    def draw(self, seat: int, count: int) -> None:
        for _ in range(min(count, len(self.deck[seat]))):
            piece = self.deck[seat].pop()
            piece.seen.add(seat)
            self.hand[seat].append(piece)

    def gain(self, seat: int, change: int) -> None:
        """Change Morale. A seat without Morale loses immediately (ruling 49)."""
        self.morale[seat] += change
        if self.morale[seat] <= 0:
            self.finish(1 - seat, "morale")

    def finish(self, winner: int, how: str) -> None:
        self.winner, self.how = winner, how
        raise TheEndError

    def order(self) -> Iterable[int]:
        """Return both seats, the start player first."""
        return (self.first, 1 - self.first)

    # ---- the game ---------------------------------------------------------------------------------------------

    def opening(self, mirror: bool) -> Told:
        """Play the first shuffle, the toss of a mirror match, and the rounds."""
        yield from self.shuffle(self.deck + self.pile)
        if mirror:
            _, word = yield [Question(CHANCE, "toss", ["first:0", "first:1"])]
            self.first = int(word[-1])
        yield from self.rounds([[], []])

    def under_way(self, turn: int) -> Told:
        """Play from a seat's turn to the end of the game."""
        yield from self.deployment(turn)
        self.resolution()
        self.cleanup()
        yield from self.rounds([[], []])

    def rounds(self, answers: list[list[str]]) -> Told:
        """Play all rounds. `answers` holds the first round's Reinforcement answers."""
        while True:
            self.passed = set()
            yield from self.reinforcement(answers)
            yield from self.scouting()
            yield from self.deployment(self.first)
            self.resolution()
            self.cleanup()
            answers = [[], []]

    def shuffle(self, piles: list[list[Piece]]) -> Told:
        """Shuffle piles by a seed in order, or with exact chance dealt from the bottom up, the last pile first. All
        their cards become unknown."""
        for pile in piles:
            pile.sort(key=lambda piece: piece.kind)
            for piece in pile:
                piece.seen = set()
        if not self.exact:
            _, word = yield [Question(CHANCE, "shuffle", ["seed:0"])]
            rng = Rng(int(word.partition(":")[2]))
            for pile in piles:
                order = list(range(len(pile)))
                rng.shuffle(order)
                pile[:] = [pile[at] for at in order]
            return
        for pile in reversed(piles):
            for at in range(len(pile)):
                left = {self.label(piece, pile): piece for piece in reversed(pile[at:])}
                word = yield from self.choice(CHANCE, "deal", list(left))
                pile.remove(left[word])
                pile.insert(at, left[word])

    def label(self, piece: Piece, pile: list[Piece]) -> str:
        """Return chance's notation of a dealt card."""
        return f"@{self.numbers[piece.kind]}" if any(pile is one for one in self.pile) else self.slug(piece)

    def reinforcement(self, answers: list[list[str]]) -> Told:
        """Ruling 3: both seats' answers are revealed when both are complete. A seat names cards in the order of the
        card list, so that no two answers mean the same cards."""
        while True:
            asked = [
                Question(seat, "reinforce", self.discards(seat, answers[seat]))
                for seat in BOTH
                if self.hand[seat] and "done" not in answers[seat]
            ]
            if not asked:
                break
            seat, word = yield asked
            answers[seat].append(word)
        for seat in self.order():
            for slug in answers[seat]:
                if slug != "done":
                    piece = self.named(self.hand[seat], slug)
                    self.hand[seat].remove(piece)
                    self.discard[seat].append(self.shown(piece))
        for seat in self.order():
            self.draw(seat, self.hand_size - len(self.hand[seat]))

    def discards(self, seat: int, said: list[str]) -> list[str]:
        kind = {self.slug(piece): piece.kind for piece in self.hand[seat]}
        held = [self.slug(piece) for piece in self.hand[seat]]
        last = max((kind[slug] for slug in said), default=-1)
        more = [slug for slug in kind if kind[slug] >= last and held.count(slug) > said.count(slug)]
        return ["done", *more]

    def scouting(self) -> Told:
        for seat in self.order():
            yield from self.refilled(seat)
            piece = self.pile[seat].pop()
            piece.seen.add(seat)
            self.scout[seat] = [piece]

    def refilled(self, seat: int) -> Told:
        """Ruling 7: a Location pile is rebuilt only when it is needed and empty."""
        if not self.pile[seat] and self.used[seat]:
            self.pile[seat], self.used[seat] = self.used[seat], []
            yield from self.shuffle([self.pile[seat]])

    def deployment(self, turn: int) -> Told:
        """Rulings 8 to 10: an empty hand passes automatically, and a seat that has passed is not asked again."""
        while True:
            word = "pass"
            if self.hand[turn]:
                _, word = yield [Question(turn, "deploy", ["pass", *self.plays(self.hand[turn])])]
            if word == "pass":
                self.passed.add(turn)
                if len(self.passed) == 2:
                    return
            else:
                yield from self.play(turn, self.hand[turn], word)
            if 1 - turn not in self.passed:
                turn = 1 - turn

    def resolution(self) -> None:
        """Ruling 40."""
        battles = set()
        for seat in self.order():
            for location in self.scout[seat]:
                battles.add(self.shown(location).kind)
            for pieces in self.board[seat]:
                for piece in pieces:
                    piece.seen, piece.down = set(BOTH), False
        fielded = [(seat, place, p) for seat in self.order() for place, ps in enumerate(self.board[seat]) for p in ps]
        if any(self.has(piece, "dragoon") for _, _, piece in fielded) and 2 in self.numbers:
            battles.add(self.numbers.index(2))
        battles -= {place for _, place, piece in fielded if self.has(piece, "punisher")}
        for seat, place, piece in fielded:
            spare = self.capacity(place) - self.load(place)
            if self.has(piece, "master-of-earth") and spare > 0:
                self.gain(seat, spare)
        rating = [0, 0]
        for seat, place, piece in fielded:
            if place in battles:
                rating[seat] += self.numbers[place] * self.printed(piece)["strength"]
        winner = self.first if rating[0] == rating[1] else rating.index(max(rating))
        self.won.append(winner)
        cost = sum(self.printed(piece)["morale"] for seat, _, piece in fielded if seat != winner)
        if cost:
            self.gain(1 - winner, -cost)

    def cleanup(self) -> None:
        for seat in BOTH:
            for place, pieces in enumerate(self.board[seat]):
                self.board[seat][place] = [piece for piece in pieces if piece.stay]
                self.discard[seat] += [self.shown(piece) for piece in pieces if not piece.stay]
                for piece in self.board[seat][place]:
                    piece.stay -= 1
            self.used[seat] += self.scout[seat]
            self.scout[seat] = []
        self.first = 1 - self.first
        self.round += 1
        if self.round == self.end:
            points = [self.won.count(0), self.won.count(1)]
            if points[0] == points[1]:
                self.finish(self.won[-1], "final round")
            self.finish(points.index(max(points)), "rounds")

    # ---- playing a card ---------------------------------------------------------------------------------------

    def play(self, seat: int, zone: list[Piece], word: str) -> Told:
        """Play a card of a zone and resolve all its effects (rulings 38, 39)."""
        slug, _, number = word.partition("@")
        foe = 1 - seat
        if self.has(self.named(zone, slug), "storm-prodigy"):
            self.shown(self.named(zone, slug))
            places = [f"@{self.numbers[p]}" for p in range(len(self.numbers)) if self.fits(self.named(zone, slug), p)]
            number = (yield from self.choice(foe, "storm", places))[1:]
        place = self.numbers.index(int(number))
        if self.has(self.named(zone, slug), "covert"):
            if zone is self.hand[seat]:  # any of those in hand may be the one that lies there now
                for other in zone:
                    if self.has(other, "covert"):
                        other.seen.discard(foe)
            piece = self.named(zone, slug)
            piece.down = True
        else:
            piece = self.shown(self.named(zone, slug))
        zone.remove(piece)
        self.board[seat][place].append(piece)
        yield from self.set_off(seat, piece, place)

    def set_off(self, seat: int, piece: Piece, place: int) -> Told:
        """Trigger the effects of a card just played: its own ability and the other seat's Scramblers there (rulings 64
        to 66, 78, 79)."""
        scramblers = [other for other in self.board[1 - seat][place] if self.has(other, "scrambler")]
        if self.played_moves:
            set_off = [] if self.printed(piece)["protected"] else [Trigger(one, piece, piece) for one in scramblers]
        else:
            set_off = [Trigger(one, piece, one) for one in scramblers]
        self.triggers += set_off
        own = self.printed(piece)["ability"] in AT_ONCE
        while True:
            live = [t for t in set_off if not t.gone and t.scrambler in self.board[1 - seat][place]]
            first = own
            if own and live:
                _, word = yield [Question(seat, "order", ["own-first", "scrambler-first"])]
                first = word == "own-first"
            if first:
                own = False
                yield from self.ability(seat, piece)
            elif live:
                yield from self.scramble(1 - seat, live[0], place)
            else:
                break
        self.triggers = [trigger for trigger in self.triggers if trigger not in set_off]

    def scramble(self, owner: int, trigger: Trigger, place: int) -> Told:
        """The owner of a Scrambler moves a card to any other Location (ruling 22)."""
        elsewhere = [f"@{number}" for number in self.numbers if number != self.numbers[place]]
        word = yield from self.choice(owner, "scramble", elsewhere)
        self.move(1 - owner if self.played_moves else owner, trigger.mover, place, self.numbers.index(int(word[1:])))

    def move(self, owner: int, piece: Piece, place: int, to: int) -> None:
        self.leave(owner, place, piece)
        self.board[owner][to].append(piece)

    def choice(self, seat: int, prompt: str, answers: list[str]) -> Generator[list[Question], tuple[int, str], str]:
        """Return a seat's answer to a question with public options. A single option is taken automatically
        (ruling 80)."""
        if len(answers) == 1:
            return answers[0]
        _, word = yield [Question(seat, prompt, answers)]
        return word

    def ability(self, seat: int, piece: Piece) -> Told:
        """Resolve the ability of a card just played to a Location."""
        foe = 1 - seat
        place = next(at for at, pieces in enumerate(self.board[seat]) if piece in pieces)
        ability = self.printed(piece)["ability"]
        if ability == "guardian-angel":
            piece.stay = self.printed(piece).get("tokens", 1)
        elif ability == "explorer":
            yield from self.explore(seat)
        elif ability == "patriot":
            self.shown(self.scout[seat][0])
        elif ability == "master-of-fire":
            self.gain(seat, -2)
        elif ability == "rounds":
            self.end = min(11, max(self.round + 1, self.end + self.printed(piece)["by"]))
        elif ability == "conjurer":
            yield from self.conjure(seat)
        elif ability == "good-for-something":
            yield from self.play_one_more(seat)
        elif ability == "gangan":
            self.gather(seat, piece, place)
        elif ability == "medic":
            yield from self.heal(seat)
        elif ability == "trojan":
            yield from self.swap(seat, piece)
        elif ability == "saboteur":
            self.sabotage(foe)
        elif ability == "assassin":
            yield from self.assassinate(foe)
        elif ability == "support-tower":
            yield from self.inspect(seat)
        elif ability == "bomb-tower":
            yield from self.bomb(seat, piece, place)

    def explore(self, seat: int) -> Told:
        """Rulings 7 and 53."""
        yield from self.refilled(seat)
        for location in self.pile[seat][-1:]:
            location.seen.add(seat)

    def conjure(self, seat: int) -> Told:
        """Ruling 59."""
        plays = self.plays(self.discard[seat])
        if plays:
            word = yield from self.choice(seat, "conjure", plays)
            yield from self.play(seat, self.discard[seat], word)

    def play_one_more(self, seat: int) -> Told:
        """Ruling 61."""
        self.draw(seat, 1)
        plays = self.plays(self.hand[seat])
        if plays:
            _, word = yield [Question(seat, "play-one", plays)]
            yield from self.play(seat, self.hand[seat], word)

    def sabotage(self, victim: int) -> None:
        """Rulings 30 and 70."""
        top = [self.shown(self.deck[victim].pop()) for _ in range(min(2, len(self.deck[victim])))]
        self.discard[victim] += [one for one in top if not self.printed(one)["protected"]]
        self.deck[victim] += [one for one in reversed(top) if self.printed(one)["protected"]]

    def bomb(self, seat: int, piece: Piece, place: int) -> Told:
        """Rulings 75 and 76."""
        foe = 1 - seat
        words = self.targets(foe, place)
        if words:
            hit, _ = self.at(foe, (yield from self.choice(seat, "bomb", words)))
            self.leave(foe, place, hit)
            self.discard[foe].append(self.shown(hit))
        self.leave(seat, place, piece)
        self.discard[seat].append(self.shown(piece))

    def gather(self, seat: int, piece: Piece, place: int) -> None:
        """Ruling 62. Cards that arrive together are ordered by their Locations, the newest of each first."""
        for other in range(len(self.numbers)):
            for one in reversed(self.board[seat][other][:]):
                gang = "gang" in self.printed(one)["tags"]
                if self.whole_gang:
                    gang = self.faction[one.kind] == self.faction[piece.kind]
                if other != place and gang and not self.printed(one)["protected"]:
                    self.move(seat, one, other, place)

    def heal(self, seat: int) -> Told:
        """Ruling 63."""
        for _ in range(3):
            wounded = {self.slug(one) for one in self.discard[seat] if not self.printed(one)["protected"]}
            if not wounded:
                return
            _, word = yield [Question(seat, "medic", ["done", *sorted(wounded)])]
            if word == "done":
                return
            one = self.named(self.discard[seat], word)
            self.discard[seat].remove(one)
            self.deck[seat].insert(0, one)

    def swap(self, seat: int, piece: Piece) -> Told:
        """Rulings 37 and 67. A card that leaves is turned up (ruling 24)."""
        words = []
        for place in range(len(self.numbers)):
            words += [word for word in self.targets(seat, place) if self.at(seat, word)[0] is not piece]
        if not words:
            return
        one, place = self.at(seat, (yield from self.choice(seat, "trojan", words)))
        self.leave(seat, place, one)
        self.deck[seat].insert(0, self.shown(one))
        self.draw(seat, 1)

    def assassinate(self, victim: int) -> Told:
        """Rulings 35 and 71."""
        if not self.hand[victim]:
            return
        held = sorted({self.slug(one) for one in self.hand[victim]})
        _, word = yield [Question(CHANCE, "assassinate", held)]
        one = self.shown(self.named(self.hand[victim], word))
        if not self.printed(one)["protected"]:
            self.hand[victim].remove(one)
            self.discard[victim].append(one)

    def inspect(self, seat: int) -> Told:
        """Rulings 36 and 74. Of equal cards the upper one is meant, unless the lower one leaves another order."""
        top = self.deck[seat][-3:][::-1]
        if not top:
            return
        for one in top:
            one.seen.add(seat)
        slugs = [self.slug(one) for one in top]
        lower = ["lower-copy"] if len(top) == 3 and slugs[0] == slugs[2] != slugs[1] else []
        _, word = yield [Question(seat, "support", ["done", *sorted(set(slugs)), *lower])]
        if word == "done":
            return
        for one in top:
            one.seen.discard(1 - seat)  # which of them went, nobody else can tell
        one = top[2] if word == "lower-copy" else top[slugs.index(word)]
        self.deck[seat].remove(one)
        self.deck[seat].insert(0, one)
