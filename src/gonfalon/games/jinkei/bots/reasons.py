"""Reasons for the moves of the bots of Jinkei, made of ranks, points and counts of cards."""

from __future__ import annotations

from gonfalon.bots.players.choice import Fact
from gonfalon.bots.players.reasons import Reason, tell
from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.jinkei.bots.duel import Duel, Play, fight, is_bound
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.words import JinkeiWords, name_space
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, KINDS, PLAY, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REARGUARD, REINFORCEMENTS, ROWS, Formation
from gonfalon.games.jinkei.rules.state import HIGHEST, LOWEST, OPPONENT, JinkeiState


def list_reasons(game: JinkeiWords, view: JinkeiState, action: Action, duel: Duel | None) -> list[Reason]:
    """Return the reasons for an action of the viewer; `duel` has the battles that are left, if it leads or answers."""
    prompt, setup = view.stack[-1].prompt, game.setup
    if duel is not None:
        explain = explain_lead if prompt == "lead" else explain_answer
        return [explain(game, view, action, duel)]
    if prompt == "type":
        forms = [form for form in setup.formations if form.type == action - TYPE]
        count = sum([count_bonuses(form) for form in forms])
        return [
            tell(messages.WHY_TYPE, Fact(game.type_name(action - TYPE), messages.WHY_BONUSES, count, is_counted=True))
        ]
    if prompt == "formation":
        return compare_formations(game, setup.choices(view.type[view.viewer], view.round), action - FORMATION)
    if prompt == "advance":
        others = [other for other in view.actions if other != action]
        names = [game.kind_name(one - ADVANCE) for one in (action, *others)]
        return [tell(messages.WHY_ADVANCE, card=names[0], other=names[-1])]
    return explain_laying(game, view, *divmod(action - PUT, KINDS))


def count_bonuses(form: Formation) -> int:
    """Return the number of spaces of a formation with a bonus or Wild."""
    return len([space for space in range(9) if form.bonus[space] or form.wild[space]])


def compare_formations(game: JinkeiWords, choices: list[int], chosen: int) -> list[Reason]:
    """Return the difference between the chosen formation and the other one of the round."""
    forms = [game.setup.formations[number] for number in (choices[chosen], choices[1 - chosen])]
    names = [game.formation_name(number) for number in (choices[chosen], choices[1 - chosen])]
    value, than = [count_bonuses(form) for form in forms]
    if value == than:
        tops = [ROWS[form.reveal // 3] for form in forms]
        if tops[0] == tops[1]:
            return []
        return [tell(messages.WHY_TOP, mine=names[0], other=names[1], one=tops[0], two=tops[1])]
    return [tell(messages.WHY_FORMATION, Fact(names[0], messages.WHY_BONUSES, value, names[1], than, is_counted=True))]


def explain_laying(game: JinkeiWords, view: JinkeiState, space: int, kind: int) -> list[Reason]:
    """Return the reasons to lay a card: the unseen cards that beat it in the Vanguard, or that it beats in the
    Rearguard."""
    setup, seat, name = game.setup, view.viewer, game.kind_name(kind)
    points = Fact(name, messages.WHY_POINTS, setup.points[kind], is_counted=True)
    if space >= REINFORCEMENTS:
        return [tell(messages.WHY_SURPRISE, points, space=name_space(space))]
    form = setup.formations[view.formation[seat]]
    unseen = list_unseen(view, OPPONENT[seat], seat)
    rank = setup.rank[kind] + form.bonus[space]
    if space >= REARGUARD:
        beats = [one for one in unseen if can_beat(game, kind, rank, one, setup.rank[one], form.wild[space])]
        pattern, quantity = messages.WHY_ANSWERS, messages.WHY_CAN_BEAT
    else:
        beats = [one for one in unseen if can_beat(game, one, setup.rank[one], kind, rank, False)]
        pattern, quantity = messages.WHY_ATTACKS, messages.WHY_BEATEN_BY
    count = Fact(name, quantity, len(beats), "", len(unseen), is_counted=True)
    found = [tell(pattern, count, space=name_space(space))]
    return found if space >= REARGUARD else [*found, tell(messages.WHY_COSTS, points)]


def can_beat(game: JinkeiWords, kind: int, rank: int, other: int, least: int, wild: bool) -> bool:
    """Return whether an answer beats a lead: `kind` fights as `rank`, and the led card `other` as `least`."""
    printed = game.setup.rank
    if printed[kind] == LOWEST and printed[other] == HIGHEST:
        return True
    same = wild or game.setup.colour[kind] == game.setup.colour[other]
    return same and rank > least and not (printed[kind] == HIGHEST and printed[other] == LOWEST)


def explain_lead(game: JinkeiWords, view: JinkeiState, action: Action, duel: Duel) -> Reason:
    """Return the number of legal answers that beat a lead."""
    space, colour = divmod(action - PLAY, 2)
    kind = view.spaces[view.viewer][space][0] & KIND
    play = duel.led_from(view.viewer, space)
    replies = duel.places[OPPONENT[view.viewer]].replies
    bound = is_bound(replies, colour)
    legal = [(reply, reply.wild or reply.card.colour == colour) for reply in replies]
    legal = [(reply, same) for reply, same in legal if same or not bound]
    lost = len([reply for reply, same in legal if beats(play, reply, same)])
    name = game.kind_name(kind)
    answers = Fact(name, messages.WHY_BEATING, lost, "", None if lost == len(legal) else len(legal), is_counted=True)
    pattern = messages.WHY_LEAD if lost < len(legal) else messages.WHY_LOST
    if not lost:
        return tell(messages.WHY_SAFE, answers)
    return tell(pattern, answers, Fact(name, messages.WHY_POINTS, game.setup.points[kind], is_counted=True))


def beats(play: Play, reply: Play, same: bool) -> bool:
    """Return whether an answer beats a lead; `same`: whether it has the led color."""
    stake = play.card.points + reply.card.points
    if not stake:  # two cards of rank 0
        return same and reply.bonus > play.bonus
    return fight(play, reply, same) == -stake


def explain_answer(game: JinkeiWords, view: JinkeiState, action: Action, duel: Duel) -> Reason:
    """Return the points that an answer wins, or that it gives up."""
    seat, foe = view.viewer, OPPONENT[view.viewer]
    led = view.duel[foe][0] & KIND
    kinds = {one: view.spaces[seat][(one - PLAY) // 2][0] & KIND for one in view.actions}
    kind, points = kinds[action], game.setup.points
    gains = duel.gains(seat, view.origin[foe], view.called[foe])
    name = game.kind_name(kind)
    if gains[action] == points[kind] + points[led]:
        fact = Fact(game.kind_name(led), messages.WHY_POINTS, gains[action], is_counted=True)
        return tell(messages.WHY_WINS, fact, card=name)
    if gains[action] == points[led] - points[kind]:
        return tell(messages.WHY_TIES, card=name, other=game.kind_name(led))
    cost = Fact(name, messages.WHY_POINTS, points[kind], is_counted=True)
    winners = [kinds[one] for one in view.actions if gains[one] == points[kinds[one]] + points[led]]
    pattern, other = (messages.WHY_SAVE, winners[0]) if winners else (messages.WHY_GIVE_UP, led)
    return tell(pattern, cost, card=game.kind_name(other))


def list_unseen(s: JinkeiState, owner: Seat, seat: Seat) -> list[int]:
    """Return the kinds of an owner's deck that a seat has not seen or has to forget."""
    deck, zones = s.pools()[owner]
    need = SEEN[seat]
    known: set[int] = set()
    for zone in zones:
        for card in zone:
            if card & need:
                known.add(card & KIND)
    return [kind for kind in deck if kind not in known]
