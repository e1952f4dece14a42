"""Feint as a network sees it: a row of bytes, and the numbers of its answers."""

from __future__ import annotations

from typing import Final

from gonfalon.bots.networks.network_input import NetworkInput
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.state import Seat, State
from gonfalon.games.feint.bots.heuristic import FeintHeuristic
from gonfalon.games.feint.bots.rollout_policy import sigmoid
from gonfalon.games.feint.rules.actions import CARD, DONE, LOWER, PLACE, SLOTS, SPOT, SPOTS
from gonfalon.games.feint.rules.state import DOWN, OPPONENT, STAY, FeintState

PROMPTS: Final = [
    "deploy",
    "play-one",
    "conjure",
    "reinforce",
    "storm",
    "scramble",
    "bomb",
    "trojan",
    "medic",
    "support",
    "order",
]
WEIGHED: Final = 3
"""The first prompts, for which the quick player has log-odds."""
PLAIN: Final = PLACE + 5  # answers without a card
INCLINED: Final = 1.5  # log-odds with which the quick player's answer to a small question begins
ROUNDS: Final = 11
LEADS: Final = 9
FACTIONS: Final = 5
PLACES: Final = 5
SEEN_AT: Final = 11  # numbers told of each place
MORE: Final = 16  # numbers told of the round


class FeintNetworkInput(NetworkInput):
    """For the cards of the box: five factions, five Locations."""

    def __init__(self, policy: FeintHeuristic) -> None:
        super().__init__(policy.game)
        self.policy: FeintHeuristic = policy
        self.prompts: dict[str, int] = {name: i for i, name in enumerate(PROMPTS)}
        kinds = len(policy.rollout.kinds)
        self.kinds: int = kinds
        self.rounds_at: int = len(PROMPTS)
        self.leads_at: int = self.rounds_at + ROUNDS
        self.flags_at: int = self.leads_at + LEADS
        self.amounts_at: int = self.flags_at + 4
        self.factions_at: int = self.amounts_at + 8
        self.cards_at: int = self.factions_at + 2 * FACTIONS
        self.board_at: int = self.cards_at + 4 * kinds
        self.places_at: int = self.board_at + 2 * PLACES * (kinds + 1)
        self.round_at: int = self.places_at + PLACES * SEEN_AT
        self.used_at: int = self.round_at + MORE
        self.known = self.used_at + 4 * PLACES
        self.size = self.known + kinds + PLACES
        self.targets: int = PLAIN  # answers that point at a card in play
        self.chosen: int = self.targets + kinds + 1  # cards to give up, then cards to play
        self.outputs = self.chosen + kinds + kinds * SLOTS
        self.updates = 4000
        self.policy_layers = (256, 128)
        self.value_layers = (192, 64)
        self.rule_of_thumb_share = 0.5
        self.decay = 0.6

    @staticmethod
    def serves(policy: FeintHeuristic) -> bool:
        """Whether a box has as many factions and Locations as the rows have room for."""
        return policy.places == PLACES and max(kind.faction for kind in policy.rollout.kinds) < FACTIONS

    def scales(self) -> list[float]:
        found = [1.0] * self.size
        for i, scale in enumerate([0.05, 0.05, 0.2, 0.2, 0.05, 0.05, 0.1, 0.1]):
            found[self.amounts_at + i] = scale
        for i in range(2 * self.kinds, 4 * self.kinds):
            found[self.cards_at + i] = 0.3
        for place in range(PLACES):
            for i in range(SEEN_AT):
                found[self.places_at + place * SEEN_AT + i] = 0.2 if i < 5 else 0.5 if i < 7 else 0.01
        for i in range(MORE):
            found[self.round_at + i] = 0.01
        return found

    def write_row(self, s: State, seat: Seat, out: bytearray, at: int) -> None:
        assert isinstance(s, FeintState)
        foe = OPPONENT[seat]
        out[at + self.prompts[s.stack[-1].prompt]] = 1
        self.put_standing(s, seat, out, at)
        self.put_cards(s, seat, out, at)
        self.put_places(s, seat, out, at)
        used = at + self.used_at
        for card in s.used[seat]:
            out[used + (card & KIND)] += 1
        for card in s.used[foe]:
            if card & SEEN[seat]:
                out[used + PLACES + (card & KIND)] += 1
        mine = s.scout[seat]
        if mine:
            out[used + 2 * PLACES + (mine[0] & KIND)] = 1
        theirs = s.scout[foe]
        if theirs and theirs[0] & SEEN[seat]:
            out[used + 3 * PLACES + (theirs[0] & KIND)] = 1
        if mine:
            self.judge(s, seat, out, at)
        # What the other seat knows.
        secret = at + self.known
        for card in s.hand[foe]:
            if card & KIND != HIDDEN:
                out[secret + (card & KIND)] += 1
        if theirs and theirs[0] & KIND != HIDDEN:
            out[secret + self.kinds + (theirs[0] & KIND)] = 1

    def put_standing(self, s: FeintState, seat: Seat, out: bytearray, at: int) -> None:
        """Rounds, points, Morale and how many cards there are."""
        foe = OPPONENT[seat]
        left = s.end - s.round
        out[at + self.rounds_at + (left if left < ROUNDS else ROUNDS - 1)] = 1
        lead = s.won.count(seat) - s.won.count(foe) + LEADS // 2
        out[at + self.leads_at + max(0, min(LEADS - 1, lead))] = 1
        flags = at + self.flags_at
        if s.first == seat:
            out[flags] = 1
        if s.passed >> seat & 1:
            out[flags + 1] = 1
        if s.passed >> foe & 1:
            out[flags + 2] = 1
        mine = s.scout[seat]
        if mine and mine[0] & SEEN[foe]:
            out[flags + 3] = 1
        amounts = at + self.amounts_at
        out[amounts] = max(0, min(255, s.morale[seat]))
        out[amounts + 1] = max(0, min(255, s.morale[foe]))
        out[amounts + 2] = len(s.hand[seat])
        out[amounts + 3] = len(s.hand[foe])
        out[amounts + 4] = len(s.deck[seat])
        out[amounts + 5] = len(s.deck[foe])
        out[at + self.factions_at + s.setup.factions[seat]] = 1
        out[at + self.factions_at + FACTIONS + s.setup.factions[foe]] = 1

    def put_cards(self, s: FeintState, seat: Seat, out: bytearray, at: int) -> None:
        """Cards: in hand, given up in this answer, in either discard pile."""
        kinds = self.kinds
        cards = at + self.cards_at
        strength = 0
        for card in s.hand[seat]:
            out[cards + (card & KIND)] += 1
            strength += s.kinds[card & KIND].strength
        out[at + self.amounts_at + 6] = min(255, strength)
        if s.stack[-1].prompt == "reinforce":
            for action in s.answers[seat]:
                if action >= CARD:
                    number = (action - CARD) // SLOTS
                    out[cards + number] -= 1
                    out[cards + kinds + number] += 1
        for card in s.discard[seat]:
            out[cards + 2 * kinds + (card & KIND)] += 1
        for card in s.discard[OPPONENT[seat]]:
            out[cards + 3 * kinds + (card & KIND)] += 1

    def put_places(self, s: FeintState, seat: Seat, out: bytearray, at: int) -> None:
        """What lies at the Locations."""
        foe = OPPONENT[seat]
        kinds = self.kinds
        n = s.places
        wide = kinds + 1
        for place in range(n):
            told = at + self.places_at + place * SEEN_AT
            row = at + self.board_at + 2 * place * wide
            stays = 0
            total = 0
            for card in s.board[seat * n + place]:
                kind = card & KIND
                out[row + kind] += 1
                total += s.kinds[kind].strength
                if card & STAY:
                    stays += 1
            out[told] = min(255, total)
            out[told + 5] = stays
            row += wide
            stays = total = 0
            for card in s.board[foe * n + place]:
                kind = card & KIND
                if card & DOWN and not card & SEEN[seat]:
                    out[row + kinds] += 1
                    total += 3
                else:
                    out[row + kind] += 1
                    total += s.kinds[kind].strength
                if card & STAY:
                    stays += 1
            out[told + 1] = min(255, total)
            out[told + 6] = stays
            out[told + 2] = max(0, min(255, s.load[place]))
            out[told + 3] = len(s.board[seat * n + place])
            out[told + 4] = len(s.board[foe * n + place])

    def judge(self, s: FeintState, seat: Seat, out: bytearray, at: int) -> None:
        """What the quick player makes of the round."""
        rollout = self.policy.rollout
        rollout.look(s, seat)
        bared = s.scout[seat][0] & SEEN[OPPONENT[seat]] != 0
        for place in range(s.places):
            told = at + self.places_at + place * SEEN_AT
            spot = rollout.spots[place]
            out[told + 7] = hundredth(spot.likely)
            out[told + 8] = hundredth((1.0 if place == rollout.own else 0.0) if bared else spot.guess)
            out[told + 9] = hundredth(spot.use / 6.0)
            out[told + 10] = hundredth(0.5 + 0.05 * spot.gap)
        told = at + self.round_at
        out[told] = hundredth(rollout.p_now)
        out[told + 1] = hundredth(sigmoid((rollout.ahead + rollout.mine - rollout.theirs) * rollout.scale))
        out[told + 2] = hundredth(rollout.win)
        out[told + 3] = hundredth(sigmoid(rollout.lost))
        out[told + 4] = hundredth(rollout.v_now)
        out[told + 5] = hundredth(0.5 + 0.01 * rollout.ahead)
        out[told + 6] = hundredth(0.05 * rollout.cost)
        out[told + 7] = hundredth(0.01 * rollout.variance)
        out[told + 8] = hundredth(0.05 * rollout.mine)
        out[told + 9] = hundredth(0.05 * rollout.theirs)
        out[told + 10] = hundredth(sigmoid(rollout.pass_odds))
        out[told + 11] = 100 if rollout.morale <= rollout.cost else 0
        out[told + 12] = 100 if rollout.win >= 1.0 else 0
        out[told + 13] = 100 if rollout.added else 0

    def answers(self, s: State) -> list[int]:
        assert isinstance(s, FeintState)
        prompt = s.stack[-1].prompt
        if prompt == "reinforce":
            return [DONE if action == DONE else self.chosen + (action - CARD) // SLOTS for action in s.actions]
        found: list[int] = []
        cards = self.chosen + self.kinds - CARD
        for action in s.actions:
            if action >= CARD:
                found.append(cards + action)
            elif action == LOWER:
                found.append(cards + CARD + (s.deck[s.turn][-1] & KIND) * SLOTS + 1)
            elif action >= SPOT:
                place, index = divmod(action - SPOT, SPOTS)
                owner = OPPONENT[s.turn] if prompt == "bomb" else s.turn
                card = s.board[owner * s.places + place][index]
                hidden = card & DOWN and not card & SEEN[s.turn]
                found.append(self.targets + (self.kinds if hidden else card & KIND))
            else:
                found.append(action)
        return found

    def priors(self, s: State) -> list[float]:
        assert isinstance(s, FeintState)
        prompt = self.prompts[s.stack[-1].prompt]
        actions = s.actions
        rollout = self.policy.rollout
        if prompt < WEIGHED:
            return rollout.scores(s)
        likely = self.policy.simple(s)
        return [INCLINED if action == likely else 0.0 for action in actions]


def hundredth(x: float) -> int:
    """A share in hundredths."""
    return max(0, min(100, int(100.0 * x + 0.5)))
