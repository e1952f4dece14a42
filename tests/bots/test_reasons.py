"""The reasons of bots: sentences computed by hand in each game, and planted faults that the law of reasons finds."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from gonfalon import Rng, State
from gonfalon.bots import Alternative, Belief, Choice, Estimate, Fact
from gonfalon.bots.players.heuristic import Heuristic
from gonfalon.bots.players.heuristic_bot import HeuristicBot
from gonfalon.bots.players.reasons import tell
from gonfalon.check.laws.rules.reasons import find_faults
from gonfalon.core.rules.game import Game
from gonfalon.games.factionwars.bots.heuristic import FactionHeuristic
from gonfalon.games.feint.bots.heuristic import FeintHeuristic
from gonfalon.games.generals.bots.heuristic import GeneralsHeuristic
from tests.factionwars.scenario import Table as FactionTable
from tests.feint.scenario import Table as FeintTable
from tests.feint.scenario import card
from tests.generals.folk import plain

LOCATION = Belief("their Location Card", (("6", 0.62), ("5", 0.3), ("2", 0.08)))


def explain_move(
    heuristic: Callable[[Game], Heuristic], game: Game, view: State, move: str, beliefs: tuple[Belief, ...] = ()
) -> str:
    """Return the reason for a move, without chances, after the law of reasons has found no fault in it."""
    found = heuristic(game)
    found.prepare(view)
    choice = found.explain(view, Choice(game.parse(move), beliefs=beliefs))
    assert list(find_faults(game, view, choice)) == []
    return choice.why


def feint() -> FeintTable:
    """Return a table on which May has an ox of 6 to play, 2 x 5 at Location 5, and David 3 x 6 at Location 6."""
    table = FeintTable(may=[card("ox", 6), card("mouse", 2)], david=[card("hen", 3)])
    table.may.holds("ox").has("mouse", at=5).scouted(5)
    table.david.holds("hen").has("hen", at=6).scouted(6)
    table.deploys(table.may)
    return table


class Falling(Heuristic):
    """Finds each action worse by 2 than the one before it."""

    def scores(self, s: State) -> list[float]:
        return [-2.0 * place for place in range(len(s.actions))]


def test_a_weak_level_tells_its_second_choices() -> None:
    """With a noise of 4 the second action is as good as half a noise, and the third one is not."""
    table, told = feint(), {}
    bot, view = HeuristicBot("gentle", table.game, Falling(table.game), 4.0), table.may.view
    for seed in range(40):
        choice = bot.choose(view, None, Rng(seed))
        assert list(find_faults(table.game, view, choice)) == []
        told[choice.action] = choice.why
    slip = "This level varies its moves; its first choice was “pass for the rest of this round”."
    assert [told[action] == slip for action in view.legal(view.viewer)[:3]] == [False, False, True]


PLAYS = """\
ox|mouse@5|hen@6||ox@5|It leads ... at 10 to 18 if the other player has {six}. It leads at Location 5, with room for 2
ox|mouse@5|hen@6||ox@2|Play Ox to 2.
ox|mouse@5|hen@6||pass|Pass for the rest of this round.
ox|mouse@5|hen@6|low|ox@5|It leads ... {six}. A lost round costs the other player 1 Morale, and 1 is left: that wins
ox||||ox@5|Ox counts 30 at Location 5 (a battle so far), on average more than Ox with 36 at Location 6 (only if
ox||hen@5||ox@5|It takes the lead by 15, whatever Location Card the other player has. It leads at
ox||hen@5 hen@6 hen@6||ox@5|It takes the lead, but not if the other player has {six}: 30 to 51.
ox||spy@6||ox@5|It takes the lead if the other player has {six}, with 3 Strength for each face-down card: 30 to 18 inst
ox|mouse@5 mouse@5|||ox@5|No single card of the other player can then take the lead; now one at ... 5, which is full.
ox|mouse@5|hen@6|passed|ox@5|The other player has passed, and this card wins the round by 22 or more.
page killer|mouse@5 ox@5|hen@6|passed|killer@2|The other player has passed, and the round is won with or without this
ox|mouse@5 ox@5|hen@6|passed|pass|The round is won by 22 or more, and the other player adds no more cards.
ox|mouse@5 ox@5|hen@6|won|pass|With 4 rounds won already, only Morale can still lose the game. Each further card adds to
page|ox@5 bar@2|||pass|The round is at 30 to 0, and no card of the hand changes that. Each further card adds to the 2
page|ox@5|||pass|No card of the hand changes a likely battle. Each further card adds to the 1 Morale that a lost round
ox||||ox@2 pass|To pass is about equally good.
ox||||ox@2 ox@3|Ox at Location 3 is about equally good.
ox|ox@6|hen@5||ox@5|It leads whatever their Location Card is; ... is at 0 to 15 unless the other player has {six}.
knight ox||||knight@5 ox@5|It can go only to Location 5, and Ox stays free for other Locations.
killer||hen@6||killer@6|Play Killer to 6.
page killer||hen@6||killer@6 pass|The other player's hand of 1 card loses one, unless that one is Protected.
page sapper||hen@6||sapper@6 pass|The other player's deck of 26 cards must last 6 rounds more, and loses up to two.
page mason||hen@6||mason@6 pass|Mason gains 5 Morale there if no more cards come.
page nurse||hen@6||nurse@6 pass|To pass is about equally good.
page caller|ox@3|hen@6||caller@6|It takes the lead if the other player has {six}: 48 to 18 instead of 0 to 18.
"""
"""May's hand, both sides' cards, the state of the game, May's move with one that is as good, and its reason."""


@pytest.mark.parametrize("row", PLAYS.splitlines())
def test_feint_tells_what_a_move_changes(row: str) -> None:
    """May's battle is at Location 5, David's at 6 with 62 %. A hen counts 3 x 6 or 3 x 5, an ox 6 x 5, a mouse 2 x 5,
    a face-down spy 3 x 6. With a caller the ox counts (2 + 6) x 6. Location 6 has room for 10 - 3 - 2."""
    hand, own, theirs, setting, move, why = row.split("|")
    words = {"mouse": "", "killer": "assassin", "sapper": "saboteur", "caller": "gangan", "mason": "master-of-earth"}
    ours = [card(slug, 2, word, copies=2) for slug, word in words.items()]
    ours += [card("nurse", 2, "medic", copies=2)]
    ours += [card("ox", 6, copies=2, tags=("gang",)), card("knight", 6, "knight", copies=2, location=5)]
    ours += [card("page", 2, "knight", copies=2, location=2), card("bar", 2, "punisher", copies=2)]
    table = FeintTable(may=ours, david=[card("hen", 3), card("spy", 5, "covert")])
    table.may.holds(*hand.split()).scouted(5)
    table.david.holds("hen").scouted(6).morale_is(1 if setting == "low" else 23)
    for player, cards in ((table.may, own), (table.david, theirs)):
        for slug, place in (one.split("@") for one in cards.split()):
            player.has(slug, at=int(place), down=slug == "spy")
    table.deploys(table.may)
    if setting in ("passed", "won"):
        table.state.passed, table.state.round, table.state.won = 2, 5, [0] * 4 if setting == "won" else []
    found, (move, *others), even = FeintHeuristic(table.game), move.split(), Estimate(0.5, 0.4, 0.6)
    found.prepare(table.may.view)
    tried = tuple(Alternative(table.game.parse(other), even, 0.1) for other in others)
    choice = found.explain(table.may.view, Choice(table.game.parse(move), "", even, (), tried, (LOCATION,)))
    assert list(find_faults(table.game, table.may.view, choice)) == []
    assert re.match(re.escape(why.replace("{six}", "Location 6 (62 %)")).replace(r"\.\.\.", ".*"), choice.why)


DISCARDS = """\
ox|done|Ox is the weakest one kept; 0 of 39 in the deck have more Strength.
blue-filler|done|With 39 cards in the deck for 10 rounds, few can be replaced.
blue-filler|blue-filler|20 of 39 cards in the deck have more than 1 Strength.
tower|tower|Tower needs an Engineer, and the hand keeps none.
"""


@pytest.mark.parametrize(("hand", "move", "why"), [row.split("|") for row in DISCARDS.splitlines()])
def test_feint_counts_the_better_cards_of_its_own_deck(hand: str, move: str, why: str) -> None:
    """David's deck has 20 cards of Strength 1 and 20 others, of which he holds one."""
    rare = card("tower", 2, "tower", copies=2, tags=("tower",))
    table = FeintTable(david=[card("hen", 3), card("ox", 6, copies=14), rare], end_round=11)
    table.david.holds(hand)
    table.reinforces()
    assert explain_move(FeintHeuristic, table.game, table.david.view, move).startswith(why)


PICKS = """\
berserker kunoichi raider|berserker|captain|shield-biters||Berserker adds 10 points now (7 by Shield Biters), more than
kunoichi lookout raider||shadow captain|||costs a rival a recruit, worth about 4 with the goal (6 in all), more than
buccaneer lookout raider||kunoichi|||and takes a rival's recruit, a swing of about 4 with ability and goal (5 in all), m
parley lookout raider|gambler|shadow captain|||1's Gambler for a rival's recruit, a swing of about 6 with ability
prisoner-exchange lookout raider|||||Prisoner Exchange collects Jarl from the discard pile, worth about 5 in all, more
desertion lookout fair-winds||shadow captain|||Desertion costs each rival a recruit worth about 3, more than
gambler lookout deckhand|||great-host||Gambler adds 6 points now (5 by Great Host), and draws a card, worth about 2
raider gunner lookout||||50 49 40|Raider and Gunner are about equally good here.
raider gunner lookout||||50.6 49.4 40|Pick Raider (place 1).
raider raider lookout||||50 50 40|Raider (place 1) adds 3 points now, more than Lookout with 2. Raider (place 1) and Ra
raider gambler lookout||||50 55 40|Pick Raider (place 1).
blade gunner captain||||50 48 40|Pick Blade (place 1).
captain bystander lookout||||60 55 40|Innocent Bystander with 4 (the swing if the rival got it) and Lookout with 2.
lookout gunner raider||marshal captain jarl clan-master outlaw||1 1 1|Player 2 leads by 24 points, which this choice h
lookout outlaw bystander|marshal captain|||99 99 98|Pick Lookout (place 1).
bystander raider lookout|||clean-hands|60 50 40|Innocent Bystander takes 2 points from Player 2; if Player 2 got it, Pla
bystander raider blade||||60 50 40|Pick Innocent Bystander (place 1).
"""
"""The line-up, the armies, May's goal and the win chances of the places. May picks place 1 with this reason."""


@pytest.mark.parametrize("row", PICKS.splitlines())
def test_faction_wars_gives_reasons_for_picks(row: str) -> None:
    """The Jarl is discarded. Shadow and Captain have 3 and 5 points. A second Berserker raises 1 point to 2 x 2. The 54
    cards of the deck have 101 points, 12 by 6 Bystanders that others get, 10 by a Jarl for each Prisoner Exchange, and
    11 by other draws, 134 together. A Bystander costs 2 points, and 5 more with Clean Hands."""
    cards, mine, theirs, goal, chances, why = row.split("|")
    table = FactionTable(seats=2).lines_up(*cards.split()).discarded("jarl")
    table.may.has_goal(goal or "specialists").owns(*mine.split())
    table.david.owns(*theirs.split())
    values = [Estimate(float(chance) / 100, 0.0, 1.0) for chance in chances.split()]
    others = tuple(Alternative(place, value, 0.1) for place, value in enumerate(values) if place)
    found, view = FactionHeuristic(table.game), table.may.view
    found.prepare(view)
    choice = found.explain(view, Choice(0, value=values[0] if values else None, alternatives=others))
    assert list(find_faults(table.game, view, choice)) == []
    assert why in choice.why


def test_faction_wars_compares_armies() -> None:
    """Player 2 owns cards of 3 and 5 points, Player 3 one of 2."""
    table = FactionTable(seats=3)
    table.may.has_goal("shield-biters")
    table.david.owns("shadow", "captain")
    table.ann.owns("lookout")
    table.collects(table.may, "buccaneer")
    why = explain_move(FactionHeuristic, table.game, table.may.view, "to:1")
    assert why == "Player 2 is the strongest rival with 8 points, ahead of Player 3 with 2."


def test_faction_wars_gives_no_reason_if_an_open_choice_takes_a_goal_away() -> None:
    """Player 2 is about to collect the Blade, so that the Kunoichi keeps the goal of 4 points."""
    table = FactionTable(seats=2).lines_up("prisoner-exchange", "deckhand", "blade").discarded("kunoichi", "captain")
    table.may.has_goal("night-watch").owns("shadow").selects("take:1")
    table.david.selects("take:3")
    assert explain_move(FactionHeuristic, table.game, table.may.view, "captain") == "Collect Captain."


def test_faction_wars_counts_what_a_gift_brings_the_other_player() -> None:
    """The Gambler has 1 point and the Marshal 5. With another Cowboy the Gatling Gun is worth 1 more."""
    table = FactionTable(seats=2)
    table.may.has_goal("grand-alliance").owns("gambler", "marshal")
    table.david.has_goal("shield-biters").owns("gatling-gun")
    table.collects(table.may, "parley")
    why = explain_move(FactionHeuristic, table.game, table.may.view, "gambler")
    costs = "Without Gambler the army loses 1 point, and without Marshal 5"
    assert why == f"{costs}; Player 2 gains 2, and with Marshal 6."


GENERALS = """\
Ash@BORDER / Kite@ENEMY_BORDER / ash#1 kite#2: Ash beats Kite in melee, Might 5 to 4.
Ash@ENEMY_BORDER Birch@ENEMY_BORDER / Kite@BORDER / ash#1 kite#2: Ash beats Kite in melee, Might 5 to 4. Then ENEMY'S \
BORDER is free, and Sieges next turn can deplete 9 of 30 RESOURCE.
Ash@ENEMY_BORDER Birch@ENEMY_BORDER / Rook@BORDER / ash#1 rook#2: Ash and Rook both fall in melee with Might 5. Then \
ENEMY'S BORDER is free, and Sieges next turn can deplete 4 of 30 RESOURCE.
Ash@ENEMY_BORDER Birch@ENEMY_BORDER / Wolf@BORDER / ash#1 wolf#2: Attack Wolf with Ash.
Birch@FORTRESS / Wolf@ENEMY_BORDER / birch#1: With Birch at BORDER, enemy Sieges can deplete 0 of 30 RESOURCE next \
turn instead of 6.
Birch@FORTRESS =5 / Wolf@ENEMY_BORDER / birch#1: Otherwise enemy Sieges can deplete 6 next turn, but Upkeep leaves \
only 4 RESOURCE.
Dian_Wei@FORTRESS / Lu_Bu@ENEMY_BORDER / dian-wei#1 @border: Move Dian Wei to BORDER.
Dian_Wei@BORDER Xu_Chu@FORTRESS / Lu_Bu@ENEMY_BORDER / xu-chu#1 @border: With Xu Chu at BORDER, enemy Sieges can \
deplete 0 of 30 RESOURCE next turn instead of 8.
Birch@ENEMY_BORDER Ash@BORDER / Wolf@BORDER / birch#1 @fortress: At ENEMY'S BORDER Wolf could attack Birch, Might 6 to \
4; at FORTRESS no enemy can.
Birch@ENEMY_BORDER Ash@BORDER / Wolf@BORDER / birch#1 @fortress~@border: The chances of “move Birch to FORTRESS” and \
“move Birch to BORDER” are about equal.
Ash@FORTRESS / Wolf@BORDER / ash#1 @enemy-border: Move Ash to ENEMY'S BORDER.
Ash@FORTRESS / Wolf@BORDER / ash#1 @border~@enemy-border: At ENEMY'S BORDER Wolf could attack Ash in melee with Might \
6 to 5.
Ash@FORTRESS / Kite@FORTRESS Reed@FORTRESS / ash#1 @enemy-border: With Ash at ENEMY'S BORDER, Sieges can deplete 5 of \
30 RESOURCE instead of 0 unless an enemy comes.
Wolf@ENEMY_BORDER / =5 / wolf#1: Wolf depletes 6, more than the 5 RESOURCE left, and wins.
Wolf@ENEMY_BORDER Reed@ENEMY_BORDER / =7 / wolf#1: Wolf depletes 6 of 7 RESOURCE. All Sieges of this turn can deplete \
8, more than the 7 RESOURCE left, and win.
Wolf@ENEMY_BORDER Reed@ENEMY_BORDER / =8 / wolf#1: Wolf depletes 6 of 8 RESOURCE. After all Sieges of this turn the \
enemy has 0 RESOURCE, and loses: the next draw and Upkeep take 1.
Wolf@ENEMY_BORDER Reed@ENEMY_BORDER / =16 / wolf#1: Wolf depletes 6 of 16 RESOURCE. After all Sieges of this turn the \
enemy's next draw and Upkeep leave 7 RESOURCE, and your next Sieges can win with 8.
Wolf@ENEMY_BORDER Reed@ENEMY_BORDER =2 / =16 / wolf#1: Act with Wolf at ENEMY'S BORDER.
Wolf@ENEMY_BORDER / Ash@ENEMY_BORDER / wolf#1: Wolf depletes 6 of 30 RESOURCE. By draws, Upkeep and Sieges as now, \
the enemy loses in turn 10, you would in turn 12.
Reed@ENEMY_BORDER / Wolf@ENEMY_BORDER / reed#1: Act with Reed at ENEMY'S BORDER.
Birch Rook Reed / Ash@FORTRESS / rook: Rook has Might 5 for 2 cards, Birch 4 for 2 cards.
Birch Rook Reed / Ash@FORTRESS / birch: Recruit Birch.
Reed@FORTRESS Cedar Reed Kite / =30 / cedar reed: Reed is on the battlefield or fell, and cannot be recruited again.
Cedar Rook Rook / =30 / cedar rook: Another Rook stays in the hand.
Cedar Rook Rook Kite Kite / =30 / cedar kite: Pay with Kite.
Ash@BORDER Green_Dragon_Blade Reed Sedge / Wolf@ENEMY_BORDER / green-dragon-blade: Otherwise Wolf can attack Ash next \
turn with Might 6 to 5.
Ash@BORDER Tactics_-_Ambush Reed Sedge / Wolf@ENEMY_BORDER / tactics-ambush: It takes Wolf from the battlefield. \
Otherwise Wolf can attack Ash next turn with Might 6 to 5.
Ash@FORTRESS Rook@FORTRESS / =30 / ash#1~rook#1: Afterwards “act with Rook at FORTRESS” is still possible, so the \
order matters little. By draws, Upkeep and Sieges as now, the enemy loses in turn 14, you would in turn 23.
Sedge@FORTRESS Cedar Reed Kite Birch / =0 / cedar~reed: The chances of “recruit Cedar” and “recruit Reed” are about \
equal. Now the enemy has 0 RESOURCE, and loses: the next draw and Upkeep take 1.
Sedge@FORTRESS Cedar Reed Kite Birch =2 / =30 / cedar~end: The chances of “recruit Cedar” and “end your turn” are \
about equal. Your RESOURCE is not enough for Upkeep and your next draw, which loses the game.
"""


@pytest.mark.parametrize("row", GENERALS.splitlines())
def test_generals_compares_the_next_turns(row: str) -> None:
    """Each row has the cards of May and of David, generals with their places and `=` before the size of RESOURCE, then
    May's actions and the reason for the last one. After `~` is the best alternative of the same chance.

    Might: Ash and Rook 5, Birch and Kite 4, Wolf 6, Reed 2, Sedge and Cedar 3, Lu Bu 8, who may attack again after he
    won. Each general costs 1 RESOURCE a turn, each draw another. Where both besiege, 30 becomes 22, 14, 6 and 0 for
    the draw of turn 10, and the 29 after May's Upkeep of turn 3 becomes 22, 15, 8 and 1 for the Siege of turn 12.
    """
    scene, _, why = row.partition(": ")
    mine, theirs, moves = scene.split(" / ")
    table = plain()
    for player, cards in ((table.may, mine), (table.david, theirs)):
        for name, _, place in [one.partition("@") for one in cards.split()]:
            if name.startswith("="):
                player.resource(size=int(name[1:]))
            elif place:
                player.has(name.replace("_", " "), at=place)
            else:
                player.holds(name.replace("_", " "))
    table.turn(table.may)
    *before, last = moves.split()
    table.may.does(*before)
    move, *others = map(table.game.parse, last.split("~"))
    value, found, view = Estimate(0.01, 0.0, 1.0), GeneralsHeuristic(table.game), table.may.view
    found.prepare(view)
    choice = found.explain(view, Choice(move, "", value, (), tuple(Alternative(one, value, 0.5) for one in others)))
    assert list(find_faults(table.game, view, choice)) == []
    assert choice.why == why


def test_generals_counts_the_siege_that_is_not_declared_yet() -> None:
    """Siegecraft adds 1 to the first Siege of a turn: 6 and 1 by Wolf, then the 2 of Reed."""
    table = plain(commandments=("D03", "X99"))
    table.may.has("Wolf", "Reed", at="ENEMY_BORDER")
    quiet = "Next turn no enemy on the battlefield can besiege, or attack"
    for name, amount in (("Wolf", 7), ("Reed", 2)):
        siege = f"{name} depletes {amount} of {table.david.resources} RESOURCE."
        table.may.does(f"{name.lower()}#1")
        why = explain_move(GeneralsHeuristic, table.game, table.may.view, "siege")
        assert why == f"{siege} {quiet} {name} there."
        table.may.does("siege")


def test_feint_counts_a_moved_card_once() -> None:
    """May's Scrambler of 3 makes room for the hen at Location 5, and counts 3 x 6 at Location 6, or 3 x 2."""
    table = FeintTable(may=[card("spy", 3, "scrambler")], david=[card("hen", 3)])
    table.may.has("spy", at=5).scouted(5)
    table.david.holds("hen").scouted(6)
    table.deploys(table.david)
    table.david.does("hen@5")
    why = "Spy counts 18 at Location 6 (62 %), on average more than Spy with 6 at Location 2 (8 %)."
    assert explain_move(FeintHeuristic, table.game, table.may.view, "@6", beliefs=(LOCATION,)) == why


FACT = Fact("Location 5", "Strategy Rating", 40, "", 0)


@pytest.mark.parametrize(
    ("choice", "fault"),
    [
        (Choice(0, "One. Two. Three.", reason=(FACT,)), "more than 2 sentences"),
        (Choice(0, "This leads by 40 to 7.", reason=(FACT,)), "no fact has 7"),
        (Choice(0, "It wins 90 %."), "no fact has 90"),
        (Choice(0, "It is equal.", reason=(replace(FACT, than=40),)), "equal values"),
        (Choice(0, "It has 41.", reason=(replace(FACT, value=41),)), "does not show 41"),
        (Choice(0, "It beats the Ostrich.", reason=(replace(FACT, other="Ostrich"),)), "shows no Ostrich"),
        (Choice(0, "It holds a hen.", reason=(Fact("Location 5", "% that", 61),), beliefs=(LOCATION,)), "61 %"),
    ],
)
def test_planted_faults_are_found(choice: Choice, fault: str) -> None:
    table = feint()
    planted = replace(choice, action=table.game.parse("ox@5"))
    assert any(fault in found for found in find_faults(table.game, table.may.view, planted))


def test_a_name_with_braces_is_no_placeholder() -> None:
    fact = Fact("{card}", "Strength", 3)
    assert tell("{card} beats {0.subject}.", fact, card="{0.value}").sentence == "{0.value} beats {card}."
