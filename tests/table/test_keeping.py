"""Old tables: finished games stay readable forever, running ones continue with their original cards, and unused tables
are removed by the policy. The store is tested on both databases."""

from __future__ import annotations

import json
import lzma
import pickle
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

import anyio
import pytest
import sqlalchemy as sa

from gonfalon import games
from gonfalon.bots import Choice, make
from gonfalon.bots.players.driver import Driver
from gonfalon.core.basics.errors import OptionError
from gonfalon.core.files import card_files
from gonfalon.core.files.record import Record, load
from gonfalon.core.files.state_codec import StateCodec
from gonfalon.core.rules.game import Game
from gonfalon.core.rules.rules import current_options, starts_game
from gonfalon.core.rules.state import OPEN, SPECTATOR, Step
from gonfalon.games.feint import box as feint
from gonfalon.table import Beside, LinkHolder, Person, Robot, Store, Table, Tables
from gonfalon.table.bots.workers import InThread
from gonfalon.table.errors import Finished, NoTable, NoWay, OtherRules
from gonfalon.table.links import WATCH, WATCHER, hash_token
from gonfalon.table.live.archive import make_archive as made
from gonfalon.table.live.archive import open_archive, read_head
from gonfalon.table.live.retention import DAY, Policy
from gonfalon.web.history.replay import find_step
from tests.table.duel import Duel, Play, Position
from tests.table.opening import find, first, moot, nonce, over_of, play_on, until

SIX = "six cards are played"
pytestmark = pytest.mark.anyio


class Newer(Duel):
    """The Duel with a new rules version and the same rules."""

    version = "2"


class Other(Duel):
    """The Duel with rules in which no old action is legal."""

    version = "3"

    def parse(self, text: str) -> int:
        return super().parse(text) if text.startswith("seed") else 7


class ShortPlay(Play):
    """`Play` for a game that ends after four cards, as it does since version 2."""

    def choose(self, s: Position, action: int) -> None:
        super().choose(s, action)
        assert isinstance(s.rules, Short)
        played = len(s.played[0]) + len(s.played[1])
        if played == 4 and SIX not in s.rules.habits:
            s.stack.clear()
        elif played < 6:
            s.stack[-1] = ShortPlay(1 - self.seat)


class Short(Duel):
    """The Duel after a change of its rules. It still plays the earlier ones."""

    version = "2"
    earlier: ClassVar[dict[str, tuple[str, ...]]] = {"1": (SIX,)}
    steps: ClassVar[tuple[type[Step[Any]], ...]] = (*Duel.steps, ShortPlay)

    @starts_game
    def start(self, log: bool = False) -> Position:
        state = super().start(log)
        state.stack[0] = ShortPlay(0)
        return state


def short(name: str, **options: Any) -> Game:
    return Short(**options) if name == "duel" else find(name, **options)


def newer(name: str, **options: Any) -> Game:
    return Newer(**options) if name == "duel" else find(name, **options)


def other(name: str, **options: Any) -> Game:
    return Other(**options) if name == "duel" else find(name, **options)


def gone(name: str, **options: Any) -> Game:
    raise OptionError(f"There is no game {name!r}.")


@asynccontextmanager
async def hall_of(database: str, rules: Any = find, **more: Any) -> AsyncIterator[Tables]:
    """Open live tables that are tidied only by explicit calls."""
    store = Store(database)
    try:
        async with Tables(store, **{"pace": 0, "pause": (0, 0), "grace": 0.2, "find": rules, **more}).open() as tables:
            yield tables
    finally:
        store.close()


async def finish_duel(tables: Tables, *seating: Any) -> tuple[Table, dict[int, str]]:
    """Return a finished duel with its archive."""
    table, tokens = await tables.open_table(Duel(), seating or (Person("May"), Robot("random")))
    await play_on(table, *(row.seat for row in table.row.seats if row.bot is None))
    await until(lambda: tables.store.kept(table.key) is not None)
    return table, tokens


def change(tables: Tables, key: str, **values: Any) -> None:
    """Alter the row of a table and drop it from the server's memory."""
    words = ", ".join(f"{name} = :{name}" for name in values)
    with tables.store.engine.begin() as connection:
        connection.execute(sa.text(f"UPDATE tables SET {words} WHERE key = :key"), {"key": key, **values})
    tables.forget(key)


def age(tables: Tables, key: str, days: float) -> None:
    """Backdate the opening of a table and its play by this number of days."""
    then = time.time() - days * DAY
    with tables.store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE tables SET opened = :at WHERE key = :key"), {"at": then, "key": key})
        connection.execute(sa.text('UPDATE entries SET at = :at WHERE "table" = :key'), {"at": then, "key": key})


# ---- games that are over -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [other, gone], ids=["other", "gone"])
async def test_a_finished_game_is_shown_as_it_was_under_other_rules(database: str, rules: Any) -> None:
    async with hall_of(database) as tables:
        table, tokens = await finish_duel(tables)
        shown = {viewer: table.build_view(viewer) for viewer in (0, 1, SPECTATOR)}
        record, thoughts = await table.moves.record(), await table.bots.thoughts()
        key = table.key
    async with hall_of(database, rules) as tables:
        with pytest.raises(OtherRules):
            await tables.table(key)
        old_table = await tables.stored.old_table(key)
        assert old_table.find_holder(tokens[0]) == LinkHolder(0)
        assert old_table.find_holder(WATCH) == WATCHER
        with pytest.raises(NoWay):
            old_table.find_holder("guess")
        for viewer, before in shown.items():
            after = old_table.build_view(viewer)
            assert after | {"version": before["version"]} == json.loads(json.dumps(before)) | {"can_take_back": False}
        assert old_table.kept.head["record"] == record.dumps()
        assert [told["decision"] for told in old_table.kept.head["thoughts"]] == sorted(thoughts)
        assert old_table.note == "This game was played under version 1 of its rules."
    async with hall_of(database) as tables:
        assert (await tables.table(key)).position.over


async def test_the_device_of_two_keeps_its_seats(database: str) -> None:
    async with hall_of(database) as tables:
        table, tokens = await tables.open_table(Duel(), [Person("May"), Beside("Bo")])
        await table.seats.resign(LinkHolder(0))
        await until(lambda: tables.store.kept(table.key) is not None)
    async with hall_of(database, newer) as tables:
        old_table = await tables.stored.old_table(table.key)
        assert old_table.find_holder(tokens[0]).holds == (0, 1)
        assert over_of(old_table, 1)["text"] == "May resigned."
        assert old_table.build_view(1)["log"][-1]["text"] == "May resigned."


async def test_an_archive_that_failed_is_made_when_the_house_is_put_in_order(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hall_of(database) as tables:
        archive = InThread.archive

        def broken(*_: Any) -> bytes:
            raise MemoryError

        monkeypatch.setattr(InThread, "archive", broken)
        table, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
        await table.seats.resign(LinkHolder(0))
        await tables.housekeeper.clean_up()
        assert tables.store.kept(table.key) is None
        monkeypatch.setattr(InThread, "archive", archive)
        await tables.housekeeper.clean_up()
        assert tables.store.kept(table.key) is not None
        assert tables.store.unkept() == []


# ---- games that go on ----------------------------------------------------------------------------------------------


async def test_a_running_game_of_other_rules_ends_with_a_clear_word_and_is_kept(database: str) -> None:
    async with hall_of(database) as tables:
        table, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
        await first(table, 0)
        entries = tables.store.entries(table.key)
    word = (
        "This game was started under version 1 of the rules of Duel; this server has version 2. Only an older version "
        "of Gonfalon can open it."
    )
    async with hall_of(database, newer) as tables:
        for look in (tables.table, tables.stored.old_table):
            with pytest.raises(OtherRules) as told:
                await look(table.key)
            assert str(told.value) == word
        await tables.housekeeper.clean_up()
        assert tables.store.entries(table.key) == entries
    async with hall_of(database, gone) as tables:
        with pytest.raises(OtherRules, match="cannot be set up any more: There is no game 'duel'"):
            await tables.table(table.key)
    async with hall_of(database) as tables:  # an older program by mistake does no harm
        again = await tables.table(table.key)
        await first(again, 1)


async def test_a_running_game_goes_on_with_the_cards_it_began_with(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One number of Feint's cards was corrected after the game began."""
    async with hall_of(database, games.game, grace=60.0) as tables:
        game = games.game("feint")
        table, _ = await tables.open_table(game, [Person("May"), Robot("random")])
        own, _ = await tables.open_table(
            games.game("feint", cards=feint.read_standard_box()), [Person("May"), Robot("random")]
        )
        await until(lambda: table.position.is_asked(0))
    raw = feint.read_standard_box()
    raw["faction"][0]["cards"][0]["strength"] += 1
    monkeypatch.setattr(card_files, "parse_standard", lambda file: ("", json.dumps(raw)))
    assert games.game("feint").data_hash != game.data_hash
    async with hall_of(database, games.game, grace=60.0) as tables:
        for key in (table.key, own.key):
            again = await tables.table(key)
            assert again.game.data_hash == game.data_hash
            await play_on(again, 0)
            assert load((await again.moves.record()).dumps(), games.game).replay().over
        assert (await tables.table(table.key)).row.data == game.data_hash
        old = tables.store.table(table.key)
        assert tables.stored.make_game(old).data_hash == game.data_hash
        # The next game is played with the cards of now.
        key, _ = await tables.rematch(await tables.table(table.key), LinkHolder(0), "token of May", "n" * 22)
        assert (await tables.table(key)).game.data_hash != game.data_hash


async def test_a_running_game_goes_on_by_the_rules_it_began_with(database: str) -> None:
    """Version 1 plays six cards, version 2 four."""
    async with hall_of(database) as tables:
        table, tokens = await tables.open_table(Duel(), [Person("May"), Robot("random")], hints=True)
        await play(table, 1)
        await until(lambda: cards_played(table) == 2)
    async with hall_of(database, short, bot_runner=Elsewhere(short)) as tables:
        table = await tables.table(table.key)
        assert (table.game.version, table.game.rules_version) == ("2", "1")
        await play(table, 2)
        await until(lambda: table.position.over)
        assert cards_played(table) == 6
        record = await table.moves.record()
        body = json.loads(record.dumps())
        assert body["rules"] == "1"
        for text in (record.dumps(), json.dumps(body | {"options": current_options(body["options"])})):
            assert load(text, short).replay().dump() == table.position.state.dump()
        await until(lambda: tables.store.kept(table.key) is not None)
        key, _ = await tables.rematch(table, table.seats.find_holder(tokens[0]), tokens[0], nonce("next"))
        rematch = await tables.table(key)
        assert (rematch.game.rules_version, rematch.row.rules) == ("2", "2")
        await play(rematch, 2, seat=1)
        await until(lambda: rematch.position.over)
        assert cards_played(rematch) == 4


def cards_played(table: Table) -> int:
    """Return the number of cards played."""
    state = table.position.state
    assert isinstance(state, Position)
    return sum(map(len, state.played))


async def play(table: Table, cards: int, seat: int = 0) -> None:
    """Let May exchange nothing, if asked, and play this number of cards."""
    table.presence.enter([seat])
    with anyio.fail_after(60):
        while cards and not table.position.over:
            if table.position.is_asked(seat):
                cards -= not table.position.together
                await table.moves.act(LinkHolder(seat), table.position.version(seat), table.view(seat).legal(seat)[-1:])
            await anyio.sleep(0.002)


class Elsewhere(InThread):
    """Bots think about the data another process gets: the view in JSON and the options of the game."""

    def __init__(self, rules: Any) -> None:
        super().__init__(make)
        self.rules = rules

    def think(self, codec: StateCodec, *rest: Any, **more: Any) -> Choice | None:
        there = StateCodec(self.rules(codec.game.name, **codec.game.shown_options()))
        level, view, *others = rest
        return super().think(
            there, level, there.decode_view(json.loads(json.dumps(codec.encode_view(view)))), *others, **more
        )


def test_rules_that_are_not_played_any_more_are_named() -> None:
    assert Short(rules_version="1").options["rules_version"] == "1"
    assert "rules_version" not in Short(rules_version="2").options
    assert pickle.loads(pickle.dumps(Short(rules_version="1"))).habits == {SIX}
    with pytest.raises(OptionError, match="Duel is played under version 2 of its rules here, not under 0"):
        Short(rules_version="0")


async def test_new_games_do_not_use_old_rules(database: str) -> None:
    async with hall_of(database, short) as tables:
        with pytest.raises(OptionError, match="A new game uses the current rules"):
            tables.new_game("duel", {"rules_version": "1"})


async def test_the_cards_of_a_game_are_stored_once(database: str) -> None:
    async with hall_of(database, games.game) as tables:
        for _ in range(3):
            await tables.open_table(games.game("feint"), [Person("May"), Person("Bo")])
        with tables.store.engine.begin() as connection:
            rows = connection.execute(sa.text("SELECT game, hash, text FROM card_data")).all()
        assert [(row.game, row.hash) for row in rows] == [("feint", games.game("feint").data_hash)]
        assert set(json.loads(rows[0].text)) == {"cards"}


# ---- the policy ----------------------------------------------------------------------------------------------------


async def test_an_idle_game_ends_without_a_result(database: str) -> None:
    async with hall_of(database, policy=Policy(30, 90), grace=60.0) as tables:
        idle, _ = await moot(tables, Person("May"), Person("Bo"), Person("Cy"))
        busy, _ = await moot(tables, Person("May"), Person("Bo"), Person("Cy"))
        here, _ = await moot(tables, Person("May"), Person("Bo"), Person("Cy"))
        for table, days in ((idle, 91), (busy, 89), (here, 91)):
            await first(table, 0)
            age(tables, table.key, days)
        here.presence.enter([0])
        tables.forget(idle.key)  # as after a restart, or when others have been looked at since
        await tables.housekeeper.clean_up()
        idle = await tables.table(idle.key)
        assert [table.position.over for table in (idle, busy, here)] == [True, False, False]
        word = "The game ended without a result after 90 days without a move."
        assert over_of(idle, 0)["text"] == over_of(idle, SPECTATOR)["text"] == word
        record = await idle.moves.record()
        assert record.ended == {"seat": -1, "how": "abandoned", "days": 90}
        assert load(record.dumps(), find).ended == record.ended
        with pytest.raises(Finished):
            await first(idle, 1)
        await until(lambda: tables.store.kept(idle.key) is not None)
        key = idle.key
    async with hall_of(database) as tables:
        assert over_of(await tables.table(key), 1)["text"] == word
        await tables.rematch(await tables.table(key), LinkHolder(1), "token", "n" * 22)


async def test_an_unused_table_is_removed(database: str) -> None:
    async with hall_of(database, policy=Policy(30, 90), grace=0.0) as tables:
        old, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
        young, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
        played, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
        await first(played, 0)
        for table, days in ((old, 31), (young, 29), (played, 31)):
            age(tables, table.key, days)
        await tables.housekeeper.clean_up()
        with pytest.raises(NoTable):
            await tables.table(old.key)
        for table in (young, played):
            await tables.table(table.key)
        age(tables, young.key, 31)
        young.presence.enter([0])
        await tables.housekeeper.clean_up()
        await tables.table(young.key)


async def test_a_table_is_exported_before_it_is_cleared_away(
    database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The export holds everything except access to seats. The table stays until the export succeeds."""
    folder = tmp_path / "exports"
    async with hall_of(database, policy=Policy(30, 90, folder), grace=0.0) as tables:
        table, tokens = await tables.open_table(Duel(), [Person("Mäy"), Person("Bo")])
        chance = [entry.text for entry in tables.store.entries(table.key)]
        age(tables, table.key, 31)
        await tables.housekeeper.clean_up()
        await tables.table(table.key)
        assert [record.getMessage() for record in caplog.records] == [
            f"table {table.key[:4]}: it was not exported, and stays: No such file or directory"
        ]
        folder.mkdir()
        await tables.housekeeper.clean_up()
        with pytest.raises(NoTable):
            await tables.table(table.key)
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    text = file.read_text("utf-8")
    told = json.loads(text)
    assert (told["table"], told["game"], told["opened"]) == (
        table.key,
        "duel",
        pytest.approx(time.time() - 31 * DAY, abs=60),
    )
    assert [(seat["seat"], seat["name"]) for seat in told["seats"]] == [(0, "Mäy"), (1, "Bo")]
    assert [entry["text"] for entry in told["entries"]] == chance
    for token in tokens.values():
        assert token not in text
        assert hash_token(token) not in text


async def test_never_means_never(database: str) -> None:
    async with hall_of(database, policy=Policy(0, 0), grace=0.0) as tables:
        unplayed, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
        idle, _ = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
        await first(idle, 0)
        for table in (unplayed, idle):
            age(tables, table.key, 10_000)
        await tables.housekeeper.clean_up()
        assert not (await tables.table(idle.key)).position.over
        await tables.table(unplayed.key)


async def test_a_removed_rematch_is_opened_again(database: str) -> None:
    async with hall_of(database, grace=0.0) as tables:
        table, tokens = await tables.open_table(Duel(), [Person("May"), Person("Bo")])
        await table.seats.resign(LinkHolder(0))
        before, _ = await tables.rematch(table, LinkHolder(0), tokens[0], "m" * 22)
        tables.store.clear(before)
        tables.forget(before)
        after, _ = await tables.rematch(table, LinkHolder(1), tokens[1], "b" * 22)
        assert after != before
        assert (await tables.rematch(table, LinkHolder(0), tokens[0], "m" * 22))[0] == after


# ---- archives -----------------------------------------------------------------------------------------------------


def record_bots(game: Game, levels: tuple[str, ...], seed: int) -> Record:
    record = Record(game, [f"Player {seat}" for seat in range(game.seats)])
    driver = Driver(record, [make(level, game) for level in levels], seed=seed)
    driver.advance()
    record.close(driver.state)
    return record


@pytest.mark.parametrize("name", ["moot", "jinkei", pytest.param("feint", marks=pytest.mark.extended)])
def test_an_archive_holds_the_contents_of_a_replay(name: str) -> None:
    game = find(name)
    record = record_bots(game, ("random",) * game.seats, 3)
    packed = made(record, {})
    assert len(packed) < 60_000
    kept = open_archive(packed)
    # The head is read without the boards, also from archives that are one stream.
    first = lzma.LZMADecompressor()
    first.decompress(packed)
    assert read_head(packed[: len(packed) - len(first.unused_data)]) == kept.head
    assert read_head(lzma.compress(lzma.decompress(packed))) == kept.head
    for viewer in (*range(game.seats), SPECTATOR, OPEN):
        marks = kept.head["viewers"][str(viewer)]["marks"]
        for upto in [*marks[:: max(1, len(marks) // 12)], None]:
            step, live = kept.step(viewer, upto), find_step(record, viewer, upto, {})
            assert step.text
            for part in ("viewer", "board", "log", "heard", "by_chance", "place", "marks", "names", "over", "thoughts"):
                assert getattr(step, part) == json.loads(json.dumps(getattr(live, part))), part


async def test_a_damaged_archive_is_reported(database: str) -> None:
    from gonfalon.table.errors import Broken

    async with hall_of(database) as tables:
        table, _ = await finish_duel(tables)
        with tables.store.engine.begin() as connection:
            connection.execute(sa.text("UPDATE kept SET body = :body"), {"body": b"nothing"})
    async with hall_of(database, newer) as tables:
        with pytest.raises(Broken, match="damaged"):
            await tables.stored.old_table(table.key)
