"""The network input of Feint: the bytes of a row, and the policy output of each action."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.networks.card_match import CardFeatures
from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.state import Action, Seat, State
from gonfalon.games.feint.bots.heuristic import FeintHeuristic
from gonfalon.games.feint.bots.round_outlook import sigmoid
from gonfalon.games.feint.rules.actions import CARD, DONE, LOWER, PLACE, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.cards import Kind
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, STAY, FeintState

SCORED: Final = ["deploy", "play-one", "conjure"]
"""The prompts for which the heuristic's policy has log-odds."""
PROMPTS: Final = [*SCORED, "reinforce", "storm", "scramble", "bomb", "trojan", "medic", "support", "order"]
SIMPLE_PRIOR: Final = 1.5
"""Prior log-odds of the simple answer to other prompts."""
ROUNDS: Final = 11
LEADS: Final = 9
AMOUNT_SCALES: Final = [0.05, 0.05, 0.2, 0.2, 0.05, 0.05, 0.1, 0.1]
PLACE_SCALES: Final = [0.2] * 5 + [0.5] * 2 + [0.01] * 4
PLACE_SIZE: Final = 11
ROUND_SIZE: Final = 16


class FeintNetworkInput(NetworkInput):
    """The network input of any box. Cards are numbered by kind."""

    def __init__(self, heuristic: FeintHeuristic) -> None:
        super().__init__(heuristic.game)
        self.heuristic: FeintHeuristic = heuristic
        self.cards: list[Kind] = heuristic.policy.kinds
        self.kinds: int = len(self.cards)
        self.factions: int = 1 + max(kind.faction for kind in self.cards)
        self.prompts: dict[str, int] = {name: i for i, name in enumerate(PROMPTS)}
        kinds, places = list(range(self.kinds)), heuristic.places
        row, answers = self.row, self.answer_layout
        row.add([1.0] * len(PROMPTS))
        self.rounds_at: int = row.add([1.0] * ROUNDS)
        self.leads_at: int = row.add([1.0] * LEADS)
        self.flags_at: int = row.add([1.0] * 4)
        self.amounts_at: int = row.add(AMOUNT_SCALES)
        self.factions_at: int = row.add_factions(self.factions)
        row.add_factions(self.factions)
        self.cards_at, _, _, _ = [row.add_cards(kinds, factor) for factor in (1.0, 1.0, 0.3, 0.3)]
        self.board_at: int = row.size
        for _ in range(2 * places):
            row.add_cards(kinds)
            row.add([1.0])
        self.places_at: int = row.add(PLACE_SCALES * places)
        self.round_at: int = row.add([0.01] * ROUND_SIZE)
        self.used_at: int = row.add([1.0] * 4 * places)
        self.known = row.add_cards(kinds)
        row.add([1.0] * places)
        self.size = row.size
        answers.add([1.0] * (PLACE + places))
        self.targets: int = answers.add_cards(kinds)  # cards in play
        answers.add([1.0])
        self.spent: int = answers.add_cards(kinds)  # cards to discard
        self.played: int = answers.add_cards(kinds, each=SLOTS)
        self.outputs = answers.size
        self.updates = 4000
        self.policy_layers = (256, 128)
        self.value_layers = (192, 64)
        self.rule_of_thumb_share = 0.5
        self.decay = 0.6

    def features(self) -> list[CardFeatures]:
        return [describe_features(kind) for kind in self.cards]

    def kinds_in_play(self) -> list[int]:
        return [kind.id for kind in self.cards if kind.faction in self.heuristic.policy.setup.factions]

    def write_row(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        assert isinstance(s, FeintState)
        prompt = self.prompts.get(s.stack[-1].prompt, -1)  # cards of an owner's file may have other prompts
        if prompt >= 0:
            out[at + prompt] = 1
        self.write_standing(s, seat, out, at)
        self.write_cards(s, seat, out, at)
        for place in range(s.places):
            self.write_place(s, seat, place, out, at)
        self.write_locations(s, seat, out, at)
        if s.scout[seat]:
            self.write_forecast(s, seat, out, at)

    def write_standing(self, s: FeintState, seat: Seat, out: bytearray, at: int) -> None:
        """Write rounds, points, Morale and the numbers of cards."""
        foe = OPPONENT[seat]
        out[at + self.rounds_at + min(ROUNDS - 1, s.end - s.round)] = 1
        lead = s.won.count(seat) - s.won.count(foe) + LEADS // 2
        out[at + self.leads_at + max(0, min(LEADS - 1, lead))] = 1
        flags = at + self.flags_at
        out[flags] = int(s.first == seat)
        out[flags + 1] = s.passed >> seat & 1
        out[flags + 2] = s.passed >> foe & 1
        scout = s.scout[seat]
        out[flags + 3] = int(bool(scout) and scout[0] & SEEN[foe] != 0)
        strength = 0
        for card in s.hand[seat]:
            strength += s.kinds[card & KIND].strength
        amounts = [s.morale[seat], s.morale[foe], len(s.hand[seat]), len(s.hand[foe])]
        amounts += [len(s.deck[seat]), len(s.deck[foe]), strength]
        for i in range(len(amounts)):
            out[at + self.amounts_at + i] = max(0, min(255, amounts[i]))
        out[at + self.factions_at + s.setup.factions[seat]] = 1
        out[at + self.factions_at + self.factions + s.setup.factions[foe]] = 1

    def write_cards(self, s: FeintState, seat: Seat, out: bytearray, at: int) -> None:
        """Write the seat's hand, the cards chosen to discard, both discard piles, and the other hand."""
        kinds = self.kinds
        hand = at + self.cards_at
        foe = OPPONENT[seat]
        for card in s.hand[seat]:
            out[hand + (card & KIND)] += 1
        if s.stack[-1].prompt == "reinforce":
            for action in s.answers[seat]:
                if action >= CARD:
                    kind = (action - CARD) // SLOTS
                    out[hand + kind] -= 1
                    out[hand + kinds + kind] += 1
        for card in s.discard[seat]:
            out[hand + 2 * kinds + (card & KIND)] += 1
        for card in s.discard[foe]:
            out[hand + 3 * kinds + (card & KIND)] += 1
        for card in s.hand[foe]:
            if card & KIND != HIDDEN:
                out[at + self.known + (card & KIND)] += 1

    def write_place(self, s: FeintState, seat: Seat, place: int, out: bytearray, at: int) -> None:
        """Write the cards at a Location, the Strength and the Stay tokens of both sides, and the Capacity used."""
        total = at + self.places_at + place * PLACE_SIZE
        row = at + self.board_at + 2 * place * (self.kinds + 1)
        for side in range(2):
            owner = seat if side == 0 else OPPONENT[seat]
            cards = s.board[owner * s.places + place]
            strength = stays = 0
            for card in cards:
                if side and card & DOWN and not card & SEEN[seat]:
                    # An unknown card has an entry of its own, and counts 3 as for Capacity.
                    out[row + self.kinds] += 1
                    strength += 3
                else:
                    out[row + (card & KIND)] += 1
                    strength += s.kinds[card & KIND].strength
                if card & STAY:
                    stays += 1
            out[total + side] = min(255, strength)
            out[total + 3 + side] = len(cards)
            out[total + 5 + side] = stays
            row += self.kinds + 1
        out[total + 2] = max(0, min(255, s.load[place]))

    def write_locations(self, s: FeintState, seat: Seat, out: bytearray, at: int) -> None:
        """Write the Location Cards used and the current ones, then the hidden one of the other seat."""
        foe = OPPONENT[seat]
        used = at + self.used_at
        for card in s.used[seat]:
            out[used + (card & KIND)] += 1
        for card in s.used[foe]:
            if card & SEEN[seat]:
                out[used + s.places + (card & KIND)] += 1
        for card in s.scout[seat]:
            out[used + 2 * s.places + (card & KIND)] = 1
        for card in s.scout[foe]:
            if card & SEEN[seat]:
                out[used + 3 * s.places + (card & KIND)] = 1
            if card & KIND != HIDDEN:
                out[at + self.known + self.kinds + (card & KIND)] = 1

    def write_forecast(self, s: FeintState, seat: Seat, out: bytearray, at: int) -> None:
        """Write the heuristic's estimates of the round."""
        policy = self.heuristic.policy
        policy.look(s, seat)
        bared = s.scout[seat][0] & SEEN[OPPONENT[seat]] != 0
        for place in range(s.places):
            spot = policy.places[place]
            guess = (1.0 if place == policy.own else 0.0) if bared else spot.guess
            shares = [spot.likely, guess, spot.use / 6.0, 0.5 + 0.05 * spot.gap]
            write_hundredths(shares, out, at + self.places_at + place * PLACE_SIZE + 7)
        shares = [policy.p_now, sigmoid((policy.ahead + policy.mine - policy.theirs) * policy.scale)]
        shares += [policy.win, sigmoid(policy.lost), policy.v_now, 0.5 + 0.01 * policy.ahead]
        shares += [0.05 * policy.cost, 0.01 * policy.variance, 0.05 * policy.mine, 0.05 * policy.theirs]
        shares += [sigmoid(policy.pass_odds), 1.0 if policy.morale <= policy.cost else 0.0]
        shares += [1.0 if policy.win >= 1.0 else 0.0, 1.0 if policy.added else 0.0]
        write_hundredths(shares, out, at + self.round_at)

    def answers(self, s: State) -> list[int]:
        assert isinstance(s, FeintState)
        prompt = s.stack[-1].prompt
        found: list[int] = []
        for action in s.actions:
            if action >= CARD:
                kind, slot = divmod(action - CARD, SLOTS)
                place = kind
                found.append(self.spent + place if prompt == "reinforce" else self.played + place * SLOTS + slot)
            elif action == LOWER:
                found.append(self.played + (s.deck[s.turn][-1] & KIND) * SLOTS + 1)
            elif action >= SPOT:
                place, index = divmod(action - SPOT, SPOTS)
                owner = OPPONENT[s.turn] if prompt == "bomb" else s.turn
                card = s.board[owner * s.places + place][index]
                hidden = card & DOWN and not card & SEEN[s.turn]
                found.append(self.targets + (self.kinds if hidden else (card & KIND)))
            else:
                found.append(action)
        return found

    def priors(self, s: State) -> list[float]:
        assert isinstance(s, FeintState)
        if s.stack[-1].prompt in SCORED:
            return self.heuristic.policy.scores(s)
        likely = self.simple_answer(s)
        return [SIMPLE_PRIOR if action == likely else 0.0 for action in s.actions]

    def simple_answer(self, s: FeintState) -> Action:
        """Return the answer with the prior for a prompt that the heuristic's policy does not score."""
        prompt = s.stack[-1].prompt
        if prompt == "reinforce" or prompt == "support":
            return DONE
        if prompt == "medic":
            return s.actions[-1]
        scores = self.heuristic.scores(s)
        return s.actions[scores.index(max(scores))]


def describe_features(kind: Kind) -> CardFeatures:
    """Return the features of a card: ability, icons and tags, Strength, Morale and the numbers of its ability."""
    traits = {kind.ability, *kind.icons}
    for name, flag in (
        ("engineer", kind.engineer),
        ("tower", kind.tower),
        ("gang", kind.gang),
        ("protected", kind.protected),
    ):
        if flag:
            traits.add(name)
    numbers = (kind.strength, kind.morale, kind.place, kind.shift, kind.rounds, kind.tokens)
    return CardFeatures(kind.slug, "", kind.faction, frozenset(traits), numbers)


def write_hundredths(shares: list[float], out: bytearray, at: int) -> None:
    """Write shares from 0 to 1 as hundredths."""
    for i in range(len(shares)):
        out[at + i] = max(0, min(100, int(100.0 * shares[i] + 0.5)))
