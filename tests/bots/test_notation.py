"""The players a benchmark accepts: all kinds answer from a view, and an invalid one gives one sentence."""

from __future__ import annotations

import pickle
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from gonfalon import games
from gonfalon.bots import Choice, Fault, make
from gonfalon.bots.outside.loading import find_maker
from gonfalon.bots.outside.program import Limits
from gonfalon.bots.outside.remote import RemoteBot
from gonfalon.check.laws.secrecy.secrecy import redeal_unseen
from gonfalon.check.observe import find_difference
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.basics.rng import Rng
from gonfalon.core.knowledge.worlds import worlds
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.state import CHANCE, State
from tests.bots.conftest import Program


def asked(name: str, seed: int = 1) -> tuple[Game, State]:
    """Return a game and a view of a seat with a choice."""
    game, state = play_to_choice(name, seed)
    return game, state.mask(state.turn)


def play_to_choice(name: str, seed: int = 1) -> tuple[Game, State]:
    """Return a game and a position in which a seat has a choice."""
    game = games.game(name)
    state, rng = game.start(log=True), Rng(seed)
    made = 0
    while state.turn == CHANCE or len(state.actions) < 2 or made < 5:
        made += state.turn != CHANCE
        state.apply(state.turn, state.chance(rng) if state.turn == CHANCE else state.sample(rng))
    return game, state


def test_the_player_of_a_network_passes_from_process_to_process() -> None:
    game, view = asked("feint")
    player = make(str(Path(games.find_game_class("feint").folder) / "bots" / "network.npz"), game)
    again = pickle.loads(pickle.dumps(player))
    assert type(again) is type(player)
    assert again.choose(view, None, Rng(4)) == player.choose(view, None, Rng(4))


def test_a_bot_of_a_module() -> None:
    game, view = asked("feint")
    chosen = make("tests.bots.programs:Last", game).choose(view, None, Rng(1))
    assert chosen.action == view.legal(view.viewer)[-1]


@pytest.mark.parametrize("name", ["feint", "generals"])
def test_a_program_gets_its_seats_view(name: str, program: str) -> None:
    game, view = asked(name)
    chosen = make(program, game).choose(view, None, Rng(1))
    legal = view.legal(view.viewer)
    assert chosen.action == legal[-1]
    (question,) = Program.heard
    assert [one["id"] for one in question["actions"]] == [game.notation(action) for action in legal]
    assert question["seat"] == view.viewer
    assert question["game"] == name
    assert question["log"]
    # Whatever lies where the seat cannot see, and was brought to the table, it is asked in the same words.
    dealt = redeal_unseen(game, worlds(view).sample(Rng(9)), view.viewer, Rng(9))
    assert dealt is not None
    other, twin = dealt
    make(program, other).choose(twin.mask(view.viewer), None, Rng(1))
    assert Program.heard[1] == question


@pytest.mark.parametrize("text", ["http", "tests.bots.programs:Last", "club"])
def test_players_do_not_get_the_deck_lists_of_others(text: str, program: str) -> None:
    """The deck lists are options of the game, so a player must not receive the complete options."""
    game = games.game("generals", decks=("vanguard-of-wei", "brothers-in-arms"))
    state, rng = game.start(log=True), Rng(1)
    while state.turn == CHANCE or len(state.actions) < 2:
        state.apply(state.turn, state.chance(rng) if state.turn == CHANCE else state.sample(rng))
    redealt = redeal_unseen(game, state, state.turn, rng)
    assert redealt is not None
    other, twin = redealt
    assert other.options["decks"] != game.options["decks"]
    one, two = (make(program if text == "http" else text, one) for one in (game, other))
    assert not find_difference(one.game, two.game)
    if text == "http":
        for bot, position in ((one, state), (two, twin)):
            bot.choose(position.mask(state.turn), None, Rng(1))
        assert Program.heard[0] == Program.heard[1]


def ask_program(address: str) -> Choice:
    """Return the choice of a program, which must be legal in any case."""
    game, view = asked("feint")
    chosen = make(address, game).choose(view, None, Rng(1))
    assert chosen.action in view.legal(view.viewer)
    return chosen


@pytest.mark.parametrize(
    ("answer", "fault", "complaint"),
    [
        (b"[]", Fault.UNREADABLE, "must answer with a JSON"),
        (b"[" * 60000, Fault.UNREADABLE, "must answer with a JSON"),
        (b'{"action": "\\ud800\\n"}', Fault.UNREADABLE, "ud800"),
        (b'{"action": "seed:7"}', Fault.ILLEGAL, "not legal"),
        (b'{"action": "seed:\xc2\xb2"}', Fault.UNREADABLE, "no action"),
        (b'{"action": "' + b"9" * 5000 + b'"}', Fault.UNREADABLE, "no action"),
        (b'{"action": "' + b"9" * 70000 + b'"}', Fault.TOO_LONG, "too long"),
    ],
)
def test_a_program_with_invalid_answers(answer: bytes, fault: Fault, complaint: str, program: str) -> None:
    Program.answer = answer
    chosen = ask_program(program)
    assert chosen.fault is fault
    assert complaint in f"{chosen.why} {chosen.detail}"


def test_a_program_that_is_not_there() -> None:
    assert ask_program("http://127.0.0.1:9/").fault is Fault.CRASHED


@pytest.mark.parametrize(
    ("answer", "fault", "complaint"),
    [
        (b"HTTP/1.1 500 Sorry\r\nContent-Length: 2\r\n\r\n{}", Fault.CRASHED, "status 500"),
        (b"Good morning", Fault.CRASHED, "crashed"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", Fault.UNREADABLE, "must answer with a JSON"),
    ],
)
def test_a_program_that_answers_no_http(answer: bytes, fault: Fault, complaint: str) -> None:
    with line(answer) as address:
        chosen = ask_program(address)
    assert chosen.fault is fault
    assert complaint in f"{chosen.why} {chosen.detail}"


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n{"])
def test_a_program_that_hangs(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """It hangs at once or in the middle of an answer, even if it sends a letter now and then."""
    monkeypatch.setattr(RemoteBot, "limits", Limits(seconds=0.5))
    with line(answer, b" ") as address:
        chosen = ask_program(address)
    assert chosen.fault is Fault.SLOW
    assert "no answer within 0.5 seconds" in chosen.detail


def test_without_openspiel_one_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "gonfalon.bridges.openspiel.player", raising=False)
    with pytest.raises(OptionError, match=r"needs the extra research: pip install"):
        find_maker("openspiel:uniform_random")


@contextmanager
def line(answer: bytes, drop: bytes = b"") -> Iterator[str]:
    """Return a program that answers with these bytes, then closes the connection or sends bytes forever."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError), server.accept()[0] as connection:
                while b"}" not in connection.recv(65536):
                    pass
                connection.sendall(answer)
                while drop:
                    connection.sendall(drop)
                    time.sleep(0.1)

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


def test_a_bot_of_openspiel() -> None:
    pytest.importorskip("pyspiel")
    game, view = asked("factionwars")
    bot = make("openspiel:tests.bots.programs:of_spiel", game)
    chosen = {bot.choose(view, None, Rng(seed)).action for seed in range(8)}
    assert chosen <= set(view.legal(view.viewer))
    assert len(chosen) > 1


def test_a_network_of_a_file() -> None:
    game, view = asked("generals")
    path = Path(games.find_game_class("generals").folder) / "bots" / "network.npz"
    bot = make(str(path), game)
    assert bot.choose(view, None, Rng(1)).action in view.legal(view.viewer)
    with pytest.raises(OptionError, match="was not trained on"):
        make(str(path), games.game("jinkei"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("nowhere.npz", r"There is no file nowhere\.npz"),
        ("no_such_module:Bot", "Cannot load no_such_module:Bot"),
        ("tests.bots.programs:NoBot", r"makes no gonfalon\.bots\.Bot"),
        ("tests.bots.programs:nothing", "Cannot load"),
        ("tests.bots.programs:NOTES", "is not a class or a function"),
        ("nowhere.py:Bot", r"Cannot load nowhere\.py:Bot"),
        ("openspiel:nothing", "OpenSpiel has no bot 'nothing'"),
        ("nobody", "There is no level 'nobody'. A bot is one of the levels random"),
        ("mine.Dreamer", r"^There is no level 'mine\.Dreamer'\. Did you mean mine:Dreamer\?$"),
        ("clubb", "There is no level 'clubb'. Did you mean club"),
        ("exploiter/tests.bots.programs:Last", "There is no level 'tests.bots.programs'"),
        ("club:0", "must end with a number of iterations"),
        ("http://127.0.0.1:99999/", "is not the address"),
        ("http://127.0.0.1:8000/\n", "is not the address"),
    ],
)
def test_an_invalid_player_gives_one_sentence(text: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        make(text, games.game("feint"))
