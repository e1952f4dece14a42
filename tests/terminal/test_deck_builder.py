"""The deck builder on the screen, by keys and the mouse, and what play finds of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual._xterm_parser import XTermParser
from textual.pilot import Pilot

import gonfalon
from gonfalon.core.decks import Deck
from gonfalon.core.sheet import length
from gonfalon.terminal import deck_shelf
from gonfalon.terminal.deck_builder import CARDS, DECK, Builder
from gonfalon.terminal.deck_frame import KEYS, MORE_KEYS, deck_frame
from gonfalon.terminal.decks import brought
from gonfalon.terminal.menu import Menu
from gonfalon.terminal.screen.asking import Ask
from gonfalon.terminal.screen.deck_builder import DeckApp, DeckScreen
from gonfalon.terminal.screen.menu import MenuApp
from gonfalon.terminal.screen.popup import Reading
from gonfalon.terminal.screen.run import kept_sentence
from tests.cli.conftest import Run, run
from tests.terminal.playing import LARGE, SMALL

DECKS = gonfalon.game("generals").decks()
assert DECKS is not None
WEI = DECKS.find("vanguard-of-wei")

__all__ = ["run"]


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def builder_of(deck: Deck | None = None) -> Builder:
    assert DECKS is not None
    return Builder("generals", "Generals", DECKS, deck or Deck("", {}))


def keys(builder: Builder, *pressed: str, size: tuple[int, int] = SMALL) -> str:
    """What the screen shows after these keys; a word in quotes is typed letter by letter."""

    async def press() -> str:
        async with DeckApp(builder).run_test(size=size) as pilot:
            for key in pressed:
                await pilot.press(*letters(key))
                await pilot.pause()
            return words(pilot)

    return asyncio.run(press())


def letters(key: str) -> list[str]:
    """The keys of a text in quotes, or the key itself."""
    if not key.startswith("'"):
        return [key]
    return ["space" if letter == " " else letter for letter in key.strip("'")]


def words(pilot: Pilot[None]) -> str:
    """All that is on the screen, after it was seen to fit."""
    screen = next(one for one in reversed(pilot.app.screen_stack) if isinstance(one, DeckScreen | Reading))
    if isinstance(screen, Reading):
        return "\n".join(screen.lines)
    frame = screen.canvas.frame
    assert frame is not None
    assert len(frame.lines) == frame.height
    assert {length(line) for line in frame.lines} == {frame.width}
    return f"{screen.status}\n" + "\n".join("".join(piece.text for piece in line).rstrip() for line in frame.lines)


# ---- building ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "160x50"])
def test_a_card_is_looked_for_and_laid_into_the_deck(size: tuple[int, int]) -> None:
    builder = builder_of()
    shown = keys(builder, "slash", "'lu bu'", "enter", "plus", "enter", "minus", size=size)
    assert builder.deck.counts == {builder.by_id[builder.at[CARDS]].id: 1}
    assert "1 of 95 cards" in shown
    assert "◇ Lu Bu" in shown
    assert "●○○" in shown
    assert "Might 8, Wits 1" in shown  # what is printed on it, as the shared picture of this card has it


def test_all_keys_are_told_on_a_small_screen() -> None:
    """And those of a search alone while words are typed."""
    told = " ".join(keys(builder_of()).splitlines()[-2:])
    assert all(f" {key} {what}" in told for key, what in (*KEYS, *MORE_KEYS))
    told = " ".join(keys(builder_of(), "slash").splitlines()[-2:])
    assert "Esc all cards" in told
    assert "save" not in told


def test_the_rules_speak_as_the_deck_changes() -> None:
    """Ruling 59: at most three copies of a name; 40 to 60 cards; one Commandment."""
    builder = builder_of(WEI)
    assert "52 cards, legal" in keys(builder)
    shown = keys(builder, "4")
    assert builder.deck.counts[builder.at[CARDS]] == 4
    assert "53 cards, 1 fault" in shown
    assert "at most 3" in shown
    assert "legal" in keys(builder, "u")
    assert keys(builder_of(), "question_mark").count("(ruling 59)") == 2  # too few cards, and no Commandment


def test_what_is_done_while_a_text_is_read_closes_it_and_is_done() -> None:
    builder = builder_of(WEI)
    first = builder.at[CARDS]
    before = builder.deck.counts.get(first, 0)
    keys(builder, "question_mark", "plus")
    assert builder.deck.counts[first] == before + 1
    keys(builder, "m", "tab")
    assert builder.column == DECK
    keys(builder, "question_mark", "question_mark", "minus")
    assert builder.deck.counts.get(first, 0) == before


def test_filters_leave_what_they_name() -> None:
    builder = builder_of()
    keys(builder, "f", "g")
    cards = builder.shown()
    assert {card.faction_name for card in cards} == {"Wei"}
    assert len({card.group for card in cards}) == 1
    keys(builder, "F", "G", "c")
    assert {card.cost for card in builder.shown()} == {0}
    keys(builder, "escape")
    assert len(builder.shown()) == 95


def test_cards_are_taken_out_in_the_column_of_the_deck() -> None:
    builder = builder_of(WEI)
    keys(builder, "tab", "end", "minus", "minus", "minus")
    assert builder.column == DECK
    assert sum(builder.deck.counts.values()) == sum(WEI.counts.values()) - 3


def test_the_mouse_looks_first_and_takes_then() -> None:
    builder = builder_of()

    async def click() -> None:
        async with DeckApp(builder).run_test(size=SMALL) as pilot:
            await pilot.pause()
            spots = [spot for spot in deck_frame(builder, *SMALL).spots if spot.key.region == CARDS]
            for _ in range(2):
                await pilot.click(offset=(spots[2].x + 8, spots[2].y))
            assert builder.deck.counts == {spots[2].card: 1}
            spot = next(one for one in deck_frame(builder, *SMALL).spots if one.key.what == "factions")
            await pilot.click(offset=(spot.x, spot.y))
            assert builder.sieve.factions

    asyncio.run(click())


def test_a_first_hand_is_drawn_from_the_deck() -> None:
    assert DECKS is not None
    hand = keys(builder_of(WEI), "t").splitlines()
    assert len(hand) == DECKS.opening
    names = {card.name for card in DECKS.cards() if card.id in WEI.counts}
    assert {line.split("  ")[-1] for line in hand} <= names


# ---- keeping -----------------------------------------------------------------------------------------


def test_a_deck_is_kept_renamed_opened_and_deleted() -> None:
    assert DECKS is not None
    builder = builder_of(WEI)
    keys(builder, "down", "1", "s", "ctrl+u", "'The Long Road'", "enter")
    [one] = deck_shelf.shelf("generals", DECKS)
    assert (one.path.name, one.deck.name, one.deck.counts) == (
        "the-long-road.deck",
        "The Long Road",
        builder.deck.counts,
    )
    assert builder.saved
    keys(builder, "r", "ctrl+u", "'Short'", "enter")
    assert [kept.path.name for kept in deck_shelf.shelf("generals", DECKS)] == ["short.deck"]
    other = builder_of()
    keys(other, "o", "'short'", "enter")
    assert (other.deck.counts, other.kept, other.saved) == (builder.deck.counts, builder.kept, True)
    keys(other, "d", "n")
    assert deck_shelf.shelf("generals", DECKS)
    keys(other, "d", "y")
    assert deck_shelf.shelf("generals", DECKS) == []
    assert not other.saved


def test_a_deck_that_cannot_be_played_with_yet_is_said_to_be_so() -> None:
    """On the screen in one line, and on the way out without a command that would not work."""
    assert DECKS is not None
    builder = builder_of()
    shown = keys(builder, "4", "s", "'Bad/..'", "enter")
    assert "Saved as bad; it cannot be played with yet (? tells why)." in shown.partition("\n")[2]
    [one] = deck_shelf.shelf("generals", DECKS)
    said = kept_sentence("generals", DECKS, one)
    assert said == f"Kept as {one.path}. It cannot be played with yet: `gonfalon deck check bad` tells why."


def test_a_kept_deck_is_played_with_as_it_is_said(run: Run) -> None:
    assert DECKS is not None
    keys(builder_of(WEI), "s", "ctrl+u", "'Mine'", "enter")
    [one] = deck_shelf.shelf("generals", DECKS)
    said = kept_sentence("generals", DECKS, one).split("`")[1]
    assert said.startswith("gonfalon play generals --option decks=mine,")
    assert run(*said.split()[1:], "--plain", typed="quit\n")[0] == 0


def test_no_deck_is_lost_without_a_question() -> None:
    assert DECKS is not None
    first = builder_of(WEI)
    keys(first, "s", "ctrl+u", "'Mine'", "enter")
    second = builder_of()
    keys(second, "plus", "s", "'mine'", "enter", "n")
    assert deck_shelf.shelf("generals", DECKS)[0].deck.counts == WEI.counts
    assert "not saved" in keys(second, "q", "escape")
    keys(second, "s", "'mine'", "enter", "y")
    assert deck_shelf.shelf("generals", DECKS)[0].deck.counts == second.deck.counts
    assert second.saved


def test_what_was_taken_back_after_it_was_saved_is_not_saved() -> None:
    """And it is again once the same cards lie in it."""
    builder = builder_of(WEI)
    assert "not saved" in keys(builder, "1", "s", "ctrl+u", "'Mine'", "enter", "2", "s", "u", "q", "escape")
    assert not builder.saved
    assert "not saved" not in keys(builder, "2")
    assert builder.saved


def test_a_name_that_is_taken_back_leaves_the_file_with_the_new_one() -> None:
    """Saved again, the deck asks for its name, and lies in a file of its own."""
    assert DECKS is not None
    builder = builder_of(WEI)
    keys(builder, "1", "s", "ctrl+u", "'Long'", "enter", "r", "ctrl+u", "'Short'", "enter", "u")
    assert (builder.deck.name, builder.saved) == ("Long", False)
    assert [one.path for one in deck_shelf.shelf("generals", DECKS)] == [builder.kept]
    keys(builder, "s", "enter")
    assert builder.saved
    assert [one.path.stem for one in deck_shelf.shelf("generals", DECKS)] == ["long", "short"]


def test_a_name_that_cannot_be_given_leaves_all_as_it_was() -> None:
    assert DECKS is not None
    builder = builder_of(WEI)
    keys(builder, "1", "s", "ctrl+u", "'Mine'", "enter")
    before = (builder.deck, builder.kept)
    shown = keys(builder, "r", "ctrl+u", "'Red Cliffs'", "enter")
    assert "A ready-made deck is called Red Cliffs" in shown
    assert (builder.deck, builder.kept, builder.saved) == (*before, True)


def test_the_deck_from_before_another_was_opened_is_that_of_its_own_file() -> None:
    assert DECKS is not None
    deck_shelf.save("generals", DECKS, Deck("Other", WEI.counts))
    builder = builder_of(WEI)
    keys(builder, "1", "s", "ctrl+u", "'Mine'", "enter", "o", "'other'", "enter")
    assert (builder.deck.name, builder.saved) == ("Other", True)
    keys(builder, "u")
    assert (builder.deck.name, builder.saved) == ("Mine", True)
    keys(builder, "r", "ctrl+u", "'Yours'", "enter")
    assert [one.path.stem for one in deck_shelf.shelf("generals", DECKS)] == ["other", "yours"]
    keys(builder, "d", "y", "o", "'other'", "enter", "plus", "u")
    assert builder.saved
    keys(builder, "u")
    assert (builder.deck.name, builder.kept, builder.saved) == ("Yours", None, False)


def test_a_deck_that_another_was_put_in_the_place_of_is_not_saved() -> None:
    assert DECKS is not None
    builder = builder_of(WEI)
    keys(builder, "1", "s", "ctrl+u", "'Mine'", "enter", "o", "'empty'", "enter", "plus", "s", "'Mine'", "enter", "y")
    assert builder.saved
    keys(builder, "u", "u", "u")
    assert (builder.deck.name, builder.kept, builder.saved) == ("Mine", None, False)


def test_a_changed_ready_made_deck_is_offered_a_name_that_it_may_have() -> None:
    builder = builder_of(WEI)
    keys(builder, "plus", "s", "enter")
    assert builder.deck.name == f"My {WEI.name}"
    assert builder.saved


def test_names_of_ready_made_decks_are_theirs() -> None:
    builder = builder_of(WEI)
    shown = keys(builder, "plus", "s", "ctrl+u", "'Red Cliffs'", "enter")
    assert "A ready-made deck is called Red Cliffs" in shown
    assert not deck_shelf.folder("generals").exists()
    assert builder.deck.name == WEI.name


def test_a_deck_goes_out_and_comes_in_as_code_and_text(monkeypatch: pytest.MonkeyPatch) -> None:
    assert DECKS is not None
    told = keys(builder_of(WEI), "e")
    assert DECKS.code(WEI) in told
    builder = builder_of()
    keys(builder, "i", "'red-cliffs'", "enter")
    assert builder.deck.counts == DECKS.find("red-cliffs").counts
    screen = DeckScreen(pasted := builder_of())
    monkeypatch.setattr(screen, "draw", lambda: None)
    screen.brought(DECKS.code(WEI))
    assert pasted.deck.counts == WEI.counts
    screen.brought(DECKS.text(WEI))
    assert (pasted.deck.name, pasted.deck.counts) == (WEI.name, WEI.counts)
    screen.brought("no such deck at all")
    assert "There is no deck" in screen.status
    assert pasted.deck.counts == WEI.counts


def pasted(builder: Builder, key: str, text: str) -> str:
    """What the screen shows once a text was pasted into what a key asks, as a terminal hands it on."""

    async def paste() -> str:
        app = DeckApp(builder)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press(key)
            await pilot.pause()
            for event in XTermParser().feed(f"\x1b[200~{text}\x1b[201~"):
                app.post_message(event)
            await pilot.pause()
            await pilot.pause()
            return "asked" if isinstance(app.screen, Ask) else words(pilot)

    return asyncio.run(paste())


def test_a_decks_text_is_pasted_whole() -> None:
    """Terminals send what ends a line as if Enter had been pressed."""
    assert DECKS is not None
    builder = builder_of()
    pasted(builder, "i", DECKS.text(WEI).replace("\n", "\r"))
    assert (builder.deck.name, builder.deck.counts) == (WEI.name, WEI.counts)


@pytest.mark.parametrize("key", ["s", "r"])
def test_several_lines_that_are_pasted_into_a_question_for_one_answer_nothing(key: str) -> None:
    """Neither that question nor, as keys, what is asked after it."""
    builder = builder_of(WEI)
    assert pasted(builder, key, "Long road\rq\rl\r") == "asked"
    assert builder.deck == WEI
    assert not deck_shelf.folder("generals").exists()


# ---- where play finds it -----------------------------------------------------------------------------


def kept(name: str, counts: dict[str, int]) -> None:
    assert DECKS is not None
    deck_shelf.save("generals", DECKS, Deck(name, counts))


def test_the_menu_offers_decks_that_can_be_played_with() -> None:
    kept("The Long Road", WEI.counts)
    kept("A draft", {"W01": 3})
    menu = Menu(["generals"], [])
    row = next(row for row in menu.rows if row.name == "decks:0")
    assert row.words[0] == "The Long Road (yours)"
    assert not any("draft" in word for word in row.words)
    row.at = 0
    menu.at = menu.count() - len(menu.buttons())
    chosen = menu.choose()
    assert chosen is not None
    game = gonfalon.game("generals", **chosen.options)
    assert game.start() is not None


def test_the_menu_leads_to_the_builder() -> None:
    menu = Menu(["generals", "feint"], [])
    assert ("build", "Build a deck") in menu.buttons()

    async def press() -> object:
        app = MenuApp(menu)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("up", "enter")
        return app.return_value

    chosen = asyncio.run(press())
    assert chosen is not None
    assert (getattr(chosen, "game", ""), getattr(chosen, "builds", False)) == ("generals", True)
    assert not any(name == "build" for name, _ in Menu(["feint"], []).buttons())


def test_a_kept_deck_is_brought_to_a_servers_table() -> None:
    assert DECKS is not None
    kept("The Long Road", WEI.counts)
    rules = gonfalon.game("generals")
    deck, unread = DECKS.parse(brought(rules, "the-long-road"))
    assert (deck.name, deck.counts, unread) == ("The Long Road", WEI.counts, [])
    assert brought(rules, "red-cliffs") == "red-cliffs"
    assert brought(gonfalon.game("feint"), "the-long-road") == "the-long-road"
    assert (brought(rules, ""), brought(None, "the-long-road")) == ("", "the-long-road")


def test_whoever_mistypes_the_name_of_a_kept_deck_is_told_it(run: Run) -> None:
    """On the command line and in the builder; a name that a ready-made deck has is no mistake."""
    kept("The Long Road", WEI.counts)
    kept("Red Cliff", WEI.counts)
    told = "There is no deck 'the-long-rod'; did you mean the-long-road?"
    assert told in run("deck", "show", "the-long-rod")[2]
    assert told in run("play", "generals", "--plain", "--option", "decks=the-long-rod,red-cliffs")[2]
    assert told in keys(builder_of(), "i", "'the-long-rod'", "enter")
    assert run("deck", "show", "red-cliffs")[0] == 0
    assert "did you mean alliance?" in run("deck", "show", "alliances")[2]


def test_the_command_line_knows_a_kept_deck_by_its_name(run: Run) -> None:
    kept("The Long Road", WEI.counts)
    code, out, err = run("deck", "check", "the-long-road", "--game", "generals")
    assert (code, err) == (0, "")
    assert out.startswith("The Long Road: legal")
    assert "the-long-road: The Long Road" in run("deck", "list", "--game", "generals")[1]
    played = (
        "play",
        "generals",
        "--bots",
        "random,random",
        "--seed",
        "1",
        "--option",
        "decks=The Long Road,red-cliffs",
    )
    assert run(*played)[0] == 0
    code, out, err = run("deck", "build")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "terminal with a screen" in err
