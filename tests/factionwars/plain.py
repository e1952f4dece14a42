"""A second, simple implementation of Faction Wars: cards are names, and functions play them in order.

The rules' own code is compared with it, so it must not use that code. Each choice of a player or of chance calls
`decide` with the options in notation and their weights. Shuffles are decided card by card, the bottom card first. A
battle deck is shuffled when the rulebook says so, or `late`: each card when it is revealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

Options = dict[str, int]
"""Notation -> weight. A player's options have equal weights."""
Decide = Callable[[int, Options], str]

CHANCE = -1
BEATS = {("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")}
ACTIONS = ("call", "exchange", "desertion", "parley")
TARGETED = ("gambler", "buccaneer", "kunoichi")
KNOWN = {"", "berserker", "bonus", "bonus-sets", "bystander", "war", *ACTIONS, *TARGETED}
"""The abilities that these rules implement."""


class Over(Exception):
    """The game is over immediately."""


class Plain:
    """One game from the first shuffle to the scores. `play` runs all of it."""

    def __init__(self, raw: dict[str, Any], seats: int, decide: Decide, late: bool = False, **options: Any) -> None:
        self.decide = decide
        self.late = late
        self.seats = seats
        self.options = {"revision": "earlier", "shuffle": "all", "end": "round", "bonus": "recruits"}
        self.options |= {"bystander": "zero", "tie": "shared", "symbols": "alone", "exhausted": "out", **options}
        later = self.options["revision"] == "later"
        self.cards: dict[str, dict[str, Any]] = {}
        for faction in raw["faction"]:
            for card in faction["cards"]:
                self.cards[card["slug"]] = {**card, "faction": faction["slug"]}
        for card in raw["neutral"]:
            self.cards[card["slug"]] = {"battle": 0, "points": 0, **card, "faction": ""}
        deck = [s for s, card in self.cards.items() for _ in range(self.copies(card, later))]
        for card in raw["conscript"]:
            self.cards[card["slug"]] = {**card, "faction": "", "points": 0}
        conscripts = [card["slug"] for card in raw["conscript"] for _ in range(card["copies"])]
        self.factions = [faction["slug"] for faction in raw["faction"]]
        box = raw["box"]
        self.size = seats + (box["later_extra"] if later else box["extra"])
        self.depletions: int = box["depletions"][seats - 2]
        self.chain_limit: int = box["chain"]
        self.goals = {} if later else {goal["slug"]: goal for goal in raw["goal"]}
        self.later = later
        self.conscripts = set(conscripts)
        self.war = [slug for slug in deck if self.ability(slug) == "war"]
        self.aside = list(self.war) if self.depletions > 1 else []
        self.deck = [slug for slug in deck if slug not in self.aside]
        self.discard: list[str] = []
        self.battle_deck: list[list[str]] = [conscripts[:] for _ in range(seats)]
        self.pile: list[list[str]] = [[] for _ in range(seats)]
        self.depleted = 0
        self.last = False
        self.chain = 0
        self.goal: list[str] = []
        self.open: list[str] = []
        self.open_count = box["open_bonus"]
        self.reveals = 0

    # ---- reading cards --------------------------------------------------------------------------

    @staticmethod
    def copies(card: dict[str, Any], later: bool) -> int:
        return int(card.get("later", card["copies"]) if later else card["copies"])

    def ability(self, card: str) -> str:
        return str(self.cards[card].get("ability", ""))

    def is_recruit(self, card: str) -> bool:
        apart = self.options["bonus"] == "apart" and self.ability(card) == "bonus"
        return bool(self.cards[card]["faction"]) and not apart

    def army(self, seat: int) -> list[str]:
        return [card for card in self.battle_deck[seat] + self.pile[seat] if card not in self.conscripts]

    def recruits(self, seat: int) -> list[str]:
        return [card for card in self.army(seat) if self.is_recruit(card)]

    def may_be_picked(self, card: str) -> bool:
        return self.is_recruit(card) and (self.options["bonus"] == "recruits" or self.ability(card) != "bonus")

    def loot(self, seat: int) -> list[str]:
        return [card for card in self.army(seat) if self.may_be_picked(card)]

    # ---- asking ---------------------------------------------------------------------------------

    def choose(self, seat: int, options: list[str], always: bool = False) -> str:
        """Return a player's choice. A single option is taken automatically."""
        if len(set(options)) == 1 and not always:
            return options[0]
        return self.decide(seat, dict.fromkeys(sorted(set(options)), 1))

    def draw_lot(self, options: list[str]) -> str:
        return options[0] if len(set(options)) == 1 else self.decide(CHANCE, dict(Counter(options)))

    def shuffled(self, cards: list[str], enough: int | None = None) -> list[str]:
        """Return the cards in a new order, the bottom one first. It stops after `enough` cards if the rest needs no
        order."""
        rest = cards[:]
        done: list[str] = []
        while len(set(rest)) > 1 and (enough is None or len(done) < enough):
            card = self.draw_lot([f"deal:{card}" for card in rest]).removeprefix("deal:")
            rest.remove(card)
            done.append(card)
        return done + rest

    def shuffle_armies(self, seats: set[int]) -> None:
        """Shuffle these battle decks."""
        if not self.late:
            for seat in sorted(seats, reverse=True):
                self.battle_deck[seat] = self.shuffled(self.battle_deck[seat])

    def top_card(self, seat: int) -> str:
        """Take the next card of a non-empty battle deck."""
        deck: list[str] = self.battle_deck[seat]
        if not self.late:
            return deck.pop()
        card = self.draw_lot([f"deal:{card}" for card in deck]).removeprefix("deal:")
        deck.remove(card)
        return card

    # ---- the recruit deck -----------------------------------------------------------------------

    def draw(self) -> str | None:
        """Draw the top card of the recruit deck (War is Over is set aside), or None if it is empty."""
        while self.deck:
            card = self.deck.pop()
            if card in self.war:
                self.aside.append(card)
                self.end()
            if not self.deck:
                self.deplete()
            if card not in self.war:
                return card
        return None

    def deplete(self) -> None:
        self.depleted += 1
        war = self.aside if self.depleted == self.depletions - 1 and not self.last else []
        if self.depleted >= self.depletions or not (self.discard or war):
            self.end()
            return
        self.deck = self.discard + war
        self.discard = []
        if war:
            self.aside = []
        self.deck = self.shuffled(self.deck)

    def end(self) -> None:
        if not self.last:
            self.last = True
            if self.options["end"] == "at-once":
                raise Over

    # ---- armies ---------------------------------------------------------------------------------

    def lose(self, seat: int, card: str, zone: list[str] | None = None) -> None:
        if zone is None:
            zone = self.pile[seat] if card in self.pile[seat] else self.battle_deck[seat]
        zone.remove(card)

    def renew(self, seat: int) -> None:
        self.battle_deck[seat] += self.pile[seat]
        self.pile[seat] = []

    def after_loss(self, seat: int) -> None:
        if self.options["shuffle"] == "all" or not self.battle_deck[seat]:
            self.renew(seat)

    def lose_at_random(self, seat: int) -> str:
        loot = self.loot(seat)
        if self.options["shuffle"] == "all":
            card = self.draw_lot([f"steal:{card}" for card in loot]).removeprefix("steal:")
            self.lose(seat, card)
        else:
            hidden = [f"steal:{card}" for card in self.battle_deck[seat] if self.may_be_picked(card)]
            shown = [f"steal-open:{card}" for card in self.pile[seat] if self.may_be_picked(card)]
            where, _, card = self.draw_lot(hidden + shown).partition(":")
            self.lose(seat, card, self.battle_deck[seat] if where == "steal" else self.pile[seat])
        return card

    # ---- collecting -----------------------------------------------------------------------------

    def collect(self, seat: int, card: str) -> None:
        ability = self.ability(card)
        acts = ability in ACTIONS or ability in TARGETED or ability == "bystander"
        self.chain += acts
        works = self.chain <= self.chain_limit
        if ability == "bystander":
            self.pile[self.person(seat, [other for other in range(self.seats) if other != seat])].append(card)
        elif ability in ACTIONS:
            if works:
                {"call": self.call, "exchange": self.exchange, "desertion": self.desertion, "parley": self.parley}[
                    ability
                ](seat)
            self.discard.append(card)
        else:
            self.pile[seat].append(card)
            if works and ability == "gambler":
                drawn = self.draw()
                if drawn:
                    self.collect(seat, drawn)
            elif works and ability in ("buccaneer", "kunoichi"):
                victims = [other for other in range(self.seats) if other != seat and self.loot(other)]
                if victims:
                    victim = self.person(seat, victims)
                    taken = self.lose_at_random(victim)
                    self.after_loss(victim)
                    if ability == "kunoichi":
                        self.discard.append(taken)
                    self.shuffle_armies({victim})
                    if ability == "buccaneer":
                        self.collect(seat, taken)

    def person(self, seat: int, others: list[int]) -> int:
        return int(self.choose(seat, [f"to:{other}" for other in others]).removeprefix("to:"))

    def call(self, seat: int) -> None:
        drawn: list[str] = []
        while len(drawn) < 3 and (card := self.draw()):
            drawn.append(card)
        if drawn:
            kept = self.choose(seat, drawn)
            drawn.remove(kept)
            self.discard += drawn
            self.collect(seat, kept)

    def exchange(self, seat: int) -> None:
        there = [card for card in self.discard if self.is_recruit(card)]
        if there:
            card = self.choose(seat, there)
            self.discard.remove(card)
            self.collect(seat, card)

    def desertion(self, seat: int) -> None:
        others = [other for other in range(self.seats) if other != seat and self.recruits(other)]
        leaving = {other: self.choose(other, self.recruits(other)) for other in others}
        for other, card in leaving.items():
            self.lose(other, card)
            self.discard.append(card)
            self.after_loss(other)
        self.shuffle_armies(set(others))

    def parley(self, seat: int) -> None:
        partners = [other for other in range(self.seats) if other != seat and self.loot(other)]
        if not partners or not self.recruits(seat):
            return
        partner = self.person(seat, partners)
        gift = self.choose(seat, self.recruits(seat))
        self.lose(seat, gift)
        taken = self.lose_at_random(partner)
        self.after_loss(partner)
        self.after_loss(seat)
        self.pile[partner].append(gift)
        self.shuffle_armies({seat, partner})
        self.collect(seat, taken)

    # ---- battles --------------------------------------------------------------------------------

    def fight(self, fighters: list[int]) -> int | None:
        while True:
            shown: dict[int, str] = {}
            for seat in fighters:
                if self.battle_deck[seat]:
                    shown[seat] = self.top_card(seat)
                    self.pile[seat].append(shown[seat])
                    self.reveals += 1
            if self.options["bystander"] == "out":
                shown = {seat: card for seat, card in shown.items() if self.ability(card) != "bystander"}
            best = max((self.cards[card]["battle"] for card in shown.values()), default=0)
            tied = [seat for seat, card in shown.items() if self.cards[card]["battle"] == best]
            if len(tied) > 1 and not self.later and all(shown[seat] in self.conscripts for seat in tied):
                symbol = {seat: self.cards[shown[seat]].get("symbol") for seat in tied}
                kinds = set(symbol.values())
                if None not in kinds and len(kinds) == 3:
                    return None
                if None not in kinds and len(kinds) == 2:
                    tied = [seat for seat in tied if any((symbol[seat], other) in BEATS for other in kinds)]
            levied = [seat for seat in tied if shown[seat] in self.conscripts]
            if self.options["symbols"] == "always" and not self.later and 1 < len(levied) < len(tied):
                symbols = {self.cards[shown[seat]].get("symbol") for seat in levied}
                beaten = {loser for winner, loser in BEATS if {winner, loser} == symbols}
                tied = [s for s in tied if s not in levied or self.cards[shown[s]].get("symbol") not in beaten]
            if len(tied) < 2:
                return tied[0] if tied else None
            if self.options["exhausted"] == "ends" and not all(self.battle_deck[seat] for seat in tied):
                return None
            fighters = tied

    # ---- the course of the game -----------------------------------------------------------------

    def play(self) -> Plain:
        if self.later:
            kinds = [slug for slug in self.cards if self.ability(slug) in ("bonus", "bonus-sets")]
            self.open = self.shuffled(kinds, self.open_count)[: self.open_count]
        if self.goals:
            self.goal = self.shuffled(list(self.goals), self.seats)[: self.seats]
        self.deck = self.shuffled(self.deck)
        self.shuffle_armies(set(range(self.seats)))
        try:
            while not self.last:
                if not self.round():
                    break
        except Over:
            pass
        return self

    def round(self) -> bool:
        lineup: list[str] = []
        while len(lineup) < self.size and (card := self.draw()):
            lineup.append(card)
        if not lineup:
            return False
        places = [f"take:{place + 1}" for place in range(len(lineup))]
        picks = [int(self.choose(seat, places, True).removeprefix("take:")) - 1 for seat in range(self.seats)]
        left: list[str] = []
        for place, card in enumerate(lineup):
            rivals = [seat for seat in range(self.seats) if picks[seat] == place]
            if not rivals:
                left.append(card)
                continue
            winner = rivals[0] if len(rivals) == 1 else self.fight(rivals)
            self.chain = 0
            if winner is None:
                self.discard.append(card)
            else:
                self.collect(winner, card)
            if len(rivals) > 1:
                worn = {seat for seat in rivals if not self.battle_deck[seat]}
                for seat in worn:
                    self.renew(seat)
                self.shuffle_armies(worn)
        self.discard += left
        return True

    # ---- scores ---------------------------------------------------------------------------------

    def scores(self) -> list[int]:
        return [self.score(seat) for seat in range(self.seats)]

    def score(self, seat: int) -> int:
        army = self.army(seat)
        of = Counter(self.cards[card]["faction"] for card in army)
        berserkers = sum(self.ability(card) == "berserker" for card in army)
        total = 0
        for card in army:
            ability = self.ability(card)
            if ability == "berserker":
                total += berserkers
            elif ability == "bonus":
                total += of[self.cards[card]["faction"]]
            elif ability != "bonus-sets":
                total += self.cards[card]["points"]
        for card in self.open:
            if self.ability(card) == "bonus":
                total += of[self.cards[card]["faction"]]
            else:
                total += self.cards[card]["points"] * min(of[faction] for faction in self.factions)
        if self.goal and self.met(seat):
            bonus = self.goals[self.goal[seat]]["bonus"]
            total += bonus[self.seats - 2] if isinstance(bonus, list) else bonus
        return total

    def met(self, seat: int) -> bool:
        goal = self.goals[self.goal[seat]]
        mine = self.recruits(seat)
        others = [self.recruits(other) for other in range(self.seats) if other != seat]
        count = goal.get("count", 0)
        if isinstance(count, list):
            count = count[self.seats - 2]

        def of(cards: list[str], faction: str) -> int:
            return sum(self.cards[card]["faction"] == faction for card in cards)

        if goal["rule"] == "most-faction":
            return all(of(mine, goal["faction"]) > of(cards, goal["faction"]) for cards in others)
        if goal["rule"] == "most-recruits":
            return all(len(mine) > len(cards) for cards in others)
        if goal["rule"] == "no-bystander":
            return all(self.ability(card) != "bystander" for card in self.army(seat))
        if goal["rule"] == "every-faction":
            return all(of(mine, faction) >= count for faction in self.factions)
        if goal["rule"] == "battle-value":
            return bool(sum(self.cards[card]["battle"] == goal["value"] for card in mine) >= int(count))
        return sum(self.ability(card) in goal["abilities"] for card in mine) >= int(count)

    def winners(self) -> list[int]:
        def key(seat: int) -> tuple[int, ...]:
            if self.options["tie"] == "shared":
                return (self.score(seat),)
            bystanders = sum(self.ability(card) == "bystander" for card in self.army(seat))
            return (self.score(seat), -bystanders, len(self.recruits(seat)))

        best = max(map(key, range(self.seats)))
        return [seat for seat in range(self.seats) if key(seat) == best]


End = tuple[tuple[int, ...], tuple[int, ...]]
"""The scores and the winners."""


def histories(raw: dict[str, Any], seats: int, **options: Any) -> Iterator[tuple[End, Fraction]]:
    """Yield every possible course of a game: its end, and its probability with random players. Each history is played
    from the start along a list of choices."""
    rows: list[list[str]] = [[]]
    while rows:
        row = rows.pop()
        made: list[str] = []
        odds = [1, 1]

        def decide(
            seat: int, choices: Options, row: list[str] = row, made: list[str] = made, odds: list[int] = odds
        ) -> str:
            if len(made) < len(row):
                made.append(row[len(made)])
            else:
                first, *others = choices
                rows.extend([*made, other] for other in others)
                made.append(first)
            odds[0] *= choices[made[-1]]
            odds[1] *= sum(choices.values())
            return made[-1]

        game = Plain(raw, seats, decide, **options).play()
        yield (tuple(game.scores()), tuple(game.winners())), Fraction(*odds)
