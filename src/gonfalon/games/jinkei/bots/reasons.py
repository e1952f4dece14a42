"""Reasons for the moves of the bots of Jinkei, made of ranks, points and counts of cards."""

from __future__ import annotations

from gonfalon.bots.players.choice import Fact
from gonfalon.bots.players.reasons import Reason, tell
from gonfalon.core.basics.cards import KIND, SEEN
from gonfalon.core.rules.state import Action, Seat
from gonfalon.games.jinkei.bots.duel import Duel, Play, fight, is_bound
from gonfalon.games.jinkei.face import messages
from gonfalon.games.jinkei.face.words import JinkeiWords
from gonfalon.games.jinkei.rules.actions import ADVANCE, FORMATION, KINDS, PLAY, PUT, TYPE
from gonfalon.games.jinkei.rules.setup import REARGUARD, REINFORCEMENTS, Formation
from gonfalon.games.jinkei.rules.state import HIGHEST, LOWEST, OPPONENT, JinkeiState


def list_reasons(game: JinkeiWords, view: JinkeiState, action: Action, duel: Duel | None) -> list[Reason]:
    """Return the reasons for an action of the viewer; `duel` has the battles that are left, if it leads or answers."""
    prompt, setup = view.stack[-1].prompt, game.setup
    if duel is not None:
        return explain_lead(game, view, action, duel) if prompt == "lead" else explain_answer(game, view, action, duel)
    if prompt == "type":
        types = {one: [form for form in setup.formations if form.type == one - TYPE] for one in view.actions}
        features = {game.type_name(one - TYPE): count_features(forms) for one, forms in types.items()}
        return compare_features(messages.WHY_TYPE, game.type_name(action - TYPE), features)
    if prompt == "formation":
        choices = setup.choices(view.type[view.viewer], view.round)
        names = [game.formation_name(number) for number in choices]
        forms = [setup.formations[number] for number in choices]
        features = {name: count_features([form]) for name, form in zip(names, forms, strict=True)}
        return compare_features(messages.WHY_FORMATION, names[action - FORMATION], features)
    if prompt == "advance":
        others = [other for other in view.actions if other != action]
        names = [game.kind_name(one - ADVANCE) for one in (action, *others)]
        return [tell(messages.WHY_ADVANCE, card=names[0], other=names[-1])]
    return explain_laying(game, view, action)


def count_features(forms: list[Formation]) -> list[int]:
    """Return the numbers of formations that `messages.WHY_FEATURES` names, all added up."""
    found = [0, 0, 0, 0]
    for form in forms:
        for space in range(9):
            found[0] += form.bonus[space] * (space < REARGUARD)
            found[1] += form.bonus[space] * (REARGUARD <= space < REINFORCEMENTS)
            found[2] += form.wild[space]
            if form.bonus[space] or form.wild[space]:
                found[3] += 1 + sum([1 + form.two[one] for one in range(space + 3, 9, 3) if not form.blank[one]])
    return found


def compare_features(pattern: str, mine: str, features: dict[str, list[int]]) -> list[Reason]:
    """Return the number by which a choice of formations is farthest ahead of the others, with the next best; none if
    it is ahead in none."""
    leads = []
    for place, quantity in enumerate(messages.WHY_FEATURES):
        than, other = max((row[place], name) for name, row in features.items() if name != mine)
        value = features[mine][place]
        leads.append((value - than, Fact(mine, quantity, value, other, than, is_counted=True)))
    lead, fact = max(leads, key=lambda one: one[0])
    return [tell(pattern, fact)] if lead > 0 else []


def explain_laying(game: JinkeiWords, view: JinkeiState, action: Action) -> list[Reason]:
    """Return the comparison of a card with the best other one for its space: the unseen cards that beat it in the
    Vanguard, or that it beats elsewhere, and the points that it costs."""
    (space, kind), setup, seat = divmod(action - PUT, KINDS), game.setup, view.viewer
    form, unseen = setup.formations[view.formation[seat]], list_unseen(view, OPPONENT[seat], seat)

    def count(own: int) -> int:
        """Return the number of unseen cards that beat a card in the Vanguard, or that it beats, below 0."""
        rank = setup.rank[own] + form.bonus[space]
        if space < REARGUARD:
            return len([one for one in unseen if can_beat(game, one, setup.rank[one], own, rank, False)])
        return -len([one for one in unseen if can_beat(game, own, rank, one, setup.rank[one], form.wild[space])])

    counts = {one % KINDS: count(one % KINDS) for one in (other - PUT for other in view.actions)}
    rest = [one for one in counts if one != kind]
    best = min(rest, key=lambda one: (counts[one], -setup.points[one]), default=kind)
    name, other, mine, than = game.kind_name(kind), game.kind_name(best), abs(counts[kind]), abs(counts[best])
    quantity = messages.WHY_BEATEN_BY if space < REARGUARD else messages.WHY_CAN_BEAT
    points = Fact(name, messages.WHY_POINTS, setup.points[kind], is_counted=True)
    if mine == than:
        alone = Fact(name, quantity, mine, is_counted=True)
        return [tell(messages.WHY_EVEN[space < REARGUARD], alone, points, other=other)]
    cheaper = setup.points[kind] < setup.points[best]
    if cheaper:
        points = Fact(name, messages.WHY_POINTS, setup.points[kind], other, setup.points[best], is_counted=True)
    behind = messages.WHY_CHEAPER if cheaper else messages.WHY_BEHIND
    patterns = messages.WHY_AHEAD if counts[kind] < counts[best] else behind
    fact = Fact(name, quantity, mine, other, than, is_counted=True)
    return [tell(patterns[space < REARGUARD], fact, points)]


def can_beat(game: JinkeiWords, kind: int, rank: int, other: int, least: int, wild: bool) -> bool:
    """Return whether an answer beats a lead: `kind` fights as `rank`, and the led card `other` as `least`."""
    printed = game.setup.rank
    if printed[kind] == LOWEST and printed[other] == HIGHEST:
        return True
    same = wild or game.setup.colour[kind] == game.setup.colour[other]
    return same and rank > least and not (printed[kind] == HIGHEST and printed[other] == LOWEST)


def explain_lead(game: JinkeiWords, view: JinkeiState, action: Action, duel: Duel) -> list[Reason]:
    """Return the number of legal answers that beat a lead, and that of the best other one."""
    rated = {one: rate_lead(view, one, duel) for one in view.actions}
    rest = [one for one in rated if (one - PLAY) // 2 != (action - PLAY) // 2]
    found = [describe_lead(game, view, action, rated[action], False)]
    if rest:
        best = min(rest, key=lambda one: (rated[one][0] / max(1, rated[one][1]), -rated[one][2]))
        found.append(describe_lead(game, view, best, rated[best], True))
    return found


def rate_lead(view: JinkeiState, action: Action, duel: Duel) -> tuple[int, int, int]:
    """Return the number of legal answers that beat a lead, that of all, and the fewest points that it brings if none
    does; 0 if it may tie."""
    space, colour = divmod(action - PLAY, 2)
    play = duel.led_from(view.viewer, space)
    replies = duel.places[OPPONENT[view.viewer]].replies
    bound = is_bound(replies, colour)
    legal = [(reply, reply.wild or reply.card.colour == colour) for reply in replies]
    legal = [(reply, same) for reply, same in legal if same or not bound]
    lost = len([reply for reply, same in legal if beats(play, reply, same)])
    return lost, len(legal), int(min([fight(play, reply, same) for reply, same in legal], default=0))


def describe_lead(
    game: JinkeiWords, view: JinkeiState, action: Action, rated: tuple[int, int, int], is_other: bool
) -> Reason:
    """Return the result of a lead against the legal answers, or that of another lead."""
    lost, every, gain = rated
    kind = view.spaces[view.viewer][(action - PLAY) // 2][0] & KIND
    name = game.kind_name(kind)
    answers = Fact(name, messages.WHY_BEATING, lost, "", None if lost in (0, every) else every, is_counted=True)
    if not lost:
        pattern = messages.WHY_SAFE if gain > 0 else messages.WHY_TIED
        return tell(pattern[is_other], answers, Fact(name, messages.WHY_POINTS, gain, is_counted=True))
    pattern = messages.WHY_LEAD if lost < every else messages.WHY_LOST
    return tell(pattern[is_other], answers, Fact(name, messages.WHY_POINTS, game.setup.points[kind], is_counted=True))


def beats(play: Play, reply: Play, same: bool) -> bool:
    """Return whether an answer beats a lead; `same`: whether it has the led color."""
    stake = play.card.points + reply.card.points
    if not stake:  # two cards of rank 0
        return same and reply.bonus > play.bonus
    return fight(play, reply, same) == -stake


def explain_answer(game: JinkeiWords, view: JinkeiState, action: Action, duel: Duel) -> list[Reason]:
    """Return the points that an answer wins or gives up, and the comparison with another answer."""
    seat, foe = view.viewer, OPPONENT[view.viewer]
    led = view.duel[foe][0] & KIND
    kinds = {one: view.spaces[seat][(one - PLAY) // 2][0] & KIND for one in view.actions}
    kind, points = kinds[action], game.setup.points
    gains = duel.gains(seat, view.origin[foe], view.called[foe])
    name, lead = game.kind_name(kind), game.kind_name(led)
    rest = {one: own for one, own in kinds.items() if own != kind}
    winners = [own for one, own in rest.items() if gains[one] == points[own] + points[led]]
    if gains[action] == points[kind] + points[led]:
        fact = Fact(lead, messages.WHY_POINTS, gains[action], is_counted=True)
        found = [tell(messages.WHY_WINS, fact, card=name)]
        if winners:
            return [*found, tell(messages.WHY_ALSO_WINS, card=game.kind_name(winners[0]))]
        return [*found, tell(messages.WHY_ONLY)] if rest else found
    if gains[action] == points[led] - points[kind]:
        return [tell(messages.WHY_TIES, card=name, other=lead)]
    if winners:
        cost = Fact(name, messages.WHY_POINTS, points[kind], is_counted=True)
        return [tell(messages.WHY_SAVE, cost, card=game.kind_name(winners[0]))]
    other = min(rest.values(), key=lambda own: (points[own], own), default=kind)
    if points[other] == points[kind]:
        fact = Fact(name, messages.WHY_POINTS, points[kind], is_counted=True)
        return [tell(messages.WHY_GIVE_UP, fact, card=lead)]
    fact = Fact(name, messages.WHY_POINTS, points[kind], game.kind_name(other), points[other], is_counted=True)
    return [tell(messages.WHY_GIVE_UP_LESS[points[other] < points[kind]], fact, card=lead)]


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
