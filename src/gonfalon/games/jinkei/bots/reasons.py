"""Reasons for the moves of the bots of Jinkei, made of ranks, points and counts of cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gonfalon.bots.players.choice import Choice, Fact
from gonfalon.bots.players.reasons import Reason, is_alike, tell
from gonfalon.core.basics.cards import HIDDEN, KIND, SEEN
from gonfalon.core.rules.state import Action, Seat
from gonfalon.core.text.english import several
from gonfalon.games.jinkei.bots.duel import Duel, Play, fight, is_bound
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, KINDS, PLAY, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REARGUARD, REINFORCEMENTS, Formation
from gonfalon.games.jinkei.rules.state import HIGHEST, LOWEST, OPPONENT, JinkeiState

IN_HAND: Final = -1
"""The place of a card that stays in the hand, beside the spaces."""


def list_reasons(
    game: JinkeiWords, view: JinkeiState, choice: Choice, duel: Duel | None, plan: dict[int, int]
) -> list[Reason]:
    """Return the reasons for a choice of the viewer.

    Args:
        game: The game.
        view: The view.
        choice: The choice.
        duel: The battles that are left, if the viewer leads or answers.
        plan: The space planned for each kind in hand, or `IN_HAND`, if cards are laid.
    """
    action, prompt, setup = choice.action, view.stack[-1].prompt, game.setup
    if duel is not None:
        return explain_lead(game, view, choice, duel) if prompt == "lead" else explain_answer(game, view, choice, duel)
    if prompt == "type":
        types = {one: [form for form in setup.formations if form.type == one - TYPE] for one in view.actions}
        features = {game.type_name(one - TYPE): count_features(forms) for one, forms in types.items()}
        return compare_features(messages.WHY_TYPE, game.type_name(action - TYPE), features)
    if prompt == "formation":
        forms = {
            game.formation_name(one): setup.formations[one] for one in setup.choices(view.type[view.viewer], view.round)
        }
        name, form = list(forms.items())[action - FORMATION]
        gifted = sorted([kind for kind in plan if has_effect(form, plan[kind])], key=setup.rank.__getitem__)
        features = {one: count_features([other]) for one, other in forms.items()}
        found = compare_features(messages.WHY_FORMATION, name, features)
        if all(one == features[name] for one in features.values()):
            found = [tell(messages.WHY_SAME)]
        return found + [describe_plan(game, form, kind, plan[kind]) for kind in gifted[-1:]]
    first = ADVANCE if prompt == "advance" else PUT
    space = find_goal(view) if prompt == "advance" else (action - PUT) // KINDS
    return compare_cards(game, view, space, choice, {one: (one - first) % KINDS for one in view.actions}, plan)


def count_features(forms: list[Formation]) -> list[int]:
    """Return the numbers of formations that `messages.WHY_FEATURES` names, all added up."""
    rows = [(sum(form.wild), sum(form.bonus[:REARGUARD]), sum(form.bonus[REARGUARD:])) for form in forms]
    return [sum(column) for column in zip(*rows, strict=True)]


def compare_features(pattern: str, mine: str, features: dict[str, list[int]]) -> list[Reason]:
    """Return the number by which a choice of formations is farthest ahead of the others, with the next best."""
    leads = []
    for place, quantity in enumerate(messages.WHY_FEATURES):
        than, other = max((row[place], name) for name, row in features.items() if name != mine)
        value = features[mine][place]
        leads.append((value - than, Fact(mine, quantity, value, other, than, is_counted=True)))
    lead, fact = max(leads, key=lambda one: one[0])
    return [tell(pattern, fact)] if lead > 0 else []


def compare_cards(
    game: JinkeiWords, view: JinkeiState, space: int, choice: Choice, kinds: dict[Action, int], plan: dict[int, int]
) -> list[Reason]:
    """Return the comparison of a card with the next weaker one for a space, or else its cost, and the uses that are
    planned for all that are as strong: by the cards that beat it in the Vanguard, or that it beats elsewhere."""
    setup, points, seat, foe = game.setup, game.setup.points, view.viewer, OPPONENT[view.viewer]
    kind, form, prompt = kinds[choice.action], setup.formations[view.formation[seat]], view.stack[-1].prompt
    goal = space if space < REINFORCEMENTS else space - 6 if form.blank[space - 3] else space - 3
    front, group, cards = goal < REARGUARD, list_open(view, foe), messages.WHY_OPEN
    counts = {own: count_fights(game, form, goal, own, group) for own in kinds.values()}
    if prompt == "front" or len(set(counts.values())) == 1:
        used = [*view.taken[foe], *view.taken[2 + foe], *view.spent[foe]]
        group, cards = list_unseen(view, foe, seat), messages.WHY_UNSEEN[any(card & KIND == HIDDEN for card in used)]
        counts = {own: count_fights(game, form, goal, own, group) for own in kinds.values()}
    own = counts.pop(kind)
    weaker = [one for one in counts if counts[one] < own]
    rest = sorted([one for one in counts if counts[one] >= own], key=lambda one: (-counts[one], -points[one]))
    other = max(weaker, key=lambda one: (counts[one], points[one])) if weaker else rest[-1]
    fact = Fact(game.kind_name(kind), messages.WHY_COUNTED[front], abs(own), is_counted=True)
    effect = 2 if form.wild[goal] and not front else int(form.bonus[goal] > 0)
    names = {"here": messages.WHY_HERE[prompt != "front"][effect], "cards": cards, "other": game.kind_name(other)}
    if weaker:
        found = [tell(messages.WHY_AHEAD[front], replace(fact, other=names["other"], than=abs(counts[other])), **names)]
    elif setup.rank[kind] == LOWEST and any(setup.rank[one] == HIGHEST for one in group):
        found = [tell(messages.WHY_LOWEST, replace(fact, quantity=messages.WHY_CATCHES, value=HIGHEST))]
    elif counts[rest[0]] == own or points[kind] > points[other]:
        found = [tell(messages.WHY_EVEN[front], fact, **names)]
    else:
        dearest = max(rest, key=points.__getitem__)
        cost = replace(fact, quantity=messages.WHY_POINTS, value=points[kind])
        ahead = replace(cost, other=game.kind_name(dearest), than=points[dearest])
        found = [tell(messages.WHY_WEAKEST, cost) if cost.value == ahead.than else tell(messages.WHY_CHEAPER, ahead)]
    uses: dict[str, list[str]] = {}
    for one in rest:
        use = messages.WHY_UNUSED if plan and one not in plan else name_use(form, space, plan.get(one))
        uses.setdefault(use, []).append(game.kind_name(one))
    saved = [messages.WHY_USE.format(cards=several(same), use=use) for use, same in uses.items()]
    return [*found, tell(messages.WHY_SAVES, uses=several(saved))] if saved else found


def name_use(form: Formation, here: int, space: int | None) -> str:
    """Return the use of a card that is planned for a space, or for none, while one is laid here."""
    if space is None or space == here:
        return messages.WHY_LATER[space is None]
    if has_effect(form, space):
        return messages.WHY_EFFECTS[form.wild[space]]
    return messages.WHY_ROW if space // 3 == here // 3 else messages.WHY_ROWS[space // 3]


def count_fights(game: JinkeiWords, form: Formation, space: int, kind: int, group: list[int]) -> int:
    """Return the number of cards of a group that a card beats on a space, or in the Vanguard that beat it, below 0."""
    ranks, rank = game.setup.rank, game.setup.rank[kind] + form.bonus[space]
    if space < REARGUARD:
        return -len([one for one in group if can_beat(game, one, ranks[one], kind, rank, False)])
    return len([one for one in group if can_beat(game, kind, rank, one, ranks[one], form.wild[space])])


def has_effect(form: Formation, space: int) -> bool:
    """Return whether a space of a formation has Wild or a bonus."""
    return space != IN_HAND and (form.wild[space] or form.bonus[space] > 0)


def describe_plan(game: JinkeiWords, form: Formation, kind: int, space: int) -> Reason:
    """Return the use of a card that is planned for a space with an effect."""
    name = game.kind_name(kind)
    rank = Fact(name, messages.WHY_RANK, game.setup.rank[kind] + form.bonus[space], is_counted=True)
    return tell(messages.WHY_WILD, card=name) if form.wild[space] else tell(messages.WHY_BONUS, rank)


def find_goal(view: JinkeiState) -> int:
    """Return the space that the viewer's advancing card steps to."""
    seat, pair, goal = view.viewer, view.pair(view.viewer), view.origin[view.viewer]
    return max([goal, *[space for space in view.form(seat).behind[goal] if space < pair and view.spaces[seat][space]]])


def can_beat(game: JinkeiWords, kind: int, rank: int, other: int, least: int, wild: bool) -> bool:
    """Return whether an answer beats a lead: `kind` fights as `rank`, and the led card `other` as `least`."""
    printed = game.setup.rank
    if printed[kind] == LOWEST and printed[other] == HIGHEST:
        return True
    same = wild or game.setup.colour[kind] == game.setup.colour[other]
    return same and rank > least and not (printed[kind] == HIGHEST and printed[other] == LOWEST)


def explain_lead(game: JinkeiWords, view: JinkeiState, choice: Choice, duel: Duel) -> list[Reason]:
    """Return what the legal answers do to a lead, and its comparison with the best other one."""
    action, seat, points, rank = choice.action, view.viewer, game.setup.points, game.setup.rank
    kinds = {one: view.spaces[seat][(one - PLAY) // 2][0] & KIND for one in view.actions}
    lost, every, gain = rate_lead(view, action, duel)
    cost = Fact(game.kind_name(kinds[action]), messages.WHY_POINTS, points[kinds[action]], is_counted=True)
    if not lost:
        found = [tell(messages.WHY_SAFE if gain > 0 else messages.WHY_TIED, replace(cost, value=gain))]
    else:
        share = Fact(cost.subject, messages.WHY_BEATING, lost, "", None if lost == every else every, is_counted=True)
        found = [tell(messages.WHY_LOST if lost == every else messages.WHY_LEAD, cost, share)]
    for twin in [one.action for one in choice.alternatives[:1]]:
        if kinds[twin] == kinds[action] and rate_lead(view, twin, duel)[0] > lost:
            return [*found, tell(messages.WHY_COLOUR[lost > 0], colour=game.colour_name((twin - PLAY) % 2))]
    rest = [one for one in view.actions if kinds[one] != kinds[action]]
    if not rest:
        return found
    margins = duel.leads(seat)
    other = find_next(choice, rest, margins)
    its_lost, _, its_gain = rate_lead(view, other, duel)
    risk = Fact(game.kind_name(kinds[other]), messages.WHY_POINTS, points[kinds[other]], is_counted=True)
    # The cards in the Rearguard that would step forward.
    backs = [view.spaces[seat][(one - PLAY) // 2 + 3][:1] for one in (action, other) if (one - PLAY) // 2 < REARGUARD]
    ranks = [rank[cards[0] & KIND] if cards else 0 for cards in backs]
    if its_lost and risk.value and (not lost or cost.value < risk.value):
        return [*found, tell(messages.WHY_AT_RISK[lost > 0], risk)]
    if ranks and ranks[1] > max(ranks[0], 4) and margins[action] >= margins[other]:
        return [*found, tell(messages.WHY_BEHIND, card=game.card_name(backs[1][0]), other=risk.subject)]
    if not lost and not its_lost and 0 < its_gain < gain:
        return [*found, tell(messages.WHY_LESS, replace(risk, value=its_gain))]
    more = compare_rest(game, view, choice, margins, other)
    if lost and not more and round(margins[action] - margins[other]) == 0:
        more = [tell(messages.WHY_AS_MANY, other=risk.subject)]
    return found + more


def find_next(choice: Choice, rest: list[Action], margins: dict[Action, float]) -> Action:
    """Return the best of other actions: by the chances of the choice, or else by the margins of the battles left."""
    tried = [one.action for one in choice.alternatives if one.value is not None and one.action in rest]
    return tried[0] if tried else max(rest, key=lambda one: margins[one])


def compare_rest(
    game: JinkeiWords, view: JinkeiState, choice: Choice, margins: dict[Action, float], other: Action
) -> list[Reason]:
    """Return the points by which a card is better than another one over the battles that are left, if it is, with the
    cards that may step forward after it, or that both are about equal."""
    spaces, space = view.spaces[view.viewer], (choice.action - PLAY) // 2
    card, than = (game.kind_name(spaces[(one - PLAY) // 2][0] & KIND) for one in (choice.action, other))
    if is_alike(choice, other):
        return [tell(messages.WHY_ALIKE, card=card, other=than)]
    points = round(margins[choice.action] - margins[other])
    fact = Fact(card, messages.WHY_POINTS, points, is_counted=True)
    after = next((cards for cards in (spaces[space + 3], *spaces[space + 6 : space + 7]) if cards), [])
    steps = messages.WHY_OR.join(game.kind_name(one & KIND) for one in after)
    pattern = messages.WHY_STEPS if after else messages.WHY_PLAYED_OUT
    return [tell(pattern, fact, other=than, steps=steps)] if points > 0 else []


def rate_lead(view: JinkeiState, action: Action, duel: Duel) -> tuple[int, int, int]:
    """Return the number of legal answers that beat a lead, that of all, and the fewest points that it brings if none
    does; 0 if one ties."""
    space, colour = divmod(action - PLAY, 2)
    play = duel.led_from(view.viewer, space)
    replies = duel.places[OPPONENT[view.viewer]].replies
    bound = is_bound(replies, colour)
    legal = [(reply, reply.wild or reply.card.colour == colour) for reply in replies]
    legal = [(reply, same) for reply, same in legal if same or not bound]
    results = [compare_ranks(play, reply, same) for reply, same in legal]
    gain = 0 if 0 in results else min([int(fight(play, reply, same)) for reply, same in legal], default=0)
    return results.count(1), len(legal), gain


def compare_ranks(play: Play, reply: Play, same: bool) -> int:
    """Return 1 if an answer beats a lead, 0 if it ties, -1 if it loses; `same`: whether it has the led color."""
    led, own = play.card.rank, reply.card.rank
    if led == HIGHEST and own == LOWEST:
        return 1
    if not same or (led == LOWEST and own == HIGHEST):
        return -1
    more = int(own + reply.bonus - led - play.bonus)
    return (more > 0) - (more < 0)


def explain_answer(game: JinkeiWords, view: JinkeiState, choice: Choice, duel: Duel) -> list[Reason]:
    """Return the points that an answer wins or gives up, and the comparison with another answer."""
    action, seat, foe, points = choice.action, view.viewer, OPPONENT[view.viewer], game.setup.points
    led = view.duel[foe][0] & KIND
    kinds = {one: view.spaces[seat][(one - PLAY) // 2][0] & KIND for one in view.actions}
    play = duel.led_from(foe, view.origin[foe])
    replies = {reply.space: reply for reply in duel.places[seat].replies}
    results = {}
    for one in view.actions:
        space, colour = divmod(one - PLAY, 2)
        results[one] = compare_ranks(play, replies[space], colour == view.called[foe])
    cost = Fact(game.kind_name(kinds[action]), messages.WHY_POINTS, points[kinds[action]], is_counted=True)
    lead = game.kind_name(led)
    rest = [one for one in view.actions if kinds[one] != kinds[action]]
    winners = [one for one in rest if results[one] > 0]
    if results[action] > 0:
        fact = Fact(lead, cost.quantity, cost.value + points[led], is_counted=True)
        found = [tell(messages.WHY_WINS, fact, card=cost.subject)]
        if winners:
            return [*found, tell(messages.WHY_ALSO_WINS, card=game.kind_name(kinds[winners[0]]))]
        return [*found, tell(messages.WHY_ONLY)] if rest else found
    margins = duel.answers(seat, view.origin[foe], view.called[foe])
    other = find_next(choice, winners or rest or [action], margins)
    cheapest = min(rest, key=lambda one: points[kinds[one]], default=action)
    than = game.kind_name(kinds[cheapest])
    if not results[action]:
        found = [tell(messages.WHY_TIES, card=cost.subject, other=lead)]
        if all(results[one] < 0 for one in rest):
            return [*found, tell(messages.WHY_REST_LOSE)] if rest else found
    elif not rest:
        return [tell(messages.WHY_EITHER, card=cost.subject)]
    elif winners:
        found = [tell(messages.WHY_SAVE, cost, card=game.kind_name(kinds[other]))]
    elif cost.value <= points[kinds[cheapest]]:
        found = [tell(messages.WHY_GIVE_UP, cost, card=lead)]
    else:
        found = [tell(messages.WHY_GIVE_UP_MORE, replace(cost, other=than, than=points[kinds[cheapest]]), card=lead)]
    return found + compare_rest(game, view, choice, margins, other)


def list_open(view: JinkeiState, owner: Seat) -> list[int]:
    """Return the kinds of the open cards on an owner's spaces."""
    return [card & KIND for cards in view.spaces[owner] for card in cards if card & KIND != HIDDEN]


def list_unseen(s: JinkeiState, owner: Seat, seat: Seat) -> list[int]:
    """Return the kinds of an owner's deck that a seat has not seen or has to forget."""
    deck, zones = s.pools()[owner]
    known = {card & KIND for zone in zones for card in zone if card & SEEN[seat]}
    return [kind for kind in deck if kind not in known]
