"""Hints on the page and in the API: on request, at tables opened with hints, and without scripts."""

from __future__ import annotations

import re
import time

from starlette.testclient import TestClient

from gonfalon.table.links import derive_invitation


def open_feint(client: TestClient, **fields: str) -> str:
    """Open a table of Feint whose opener decides first, because Wu has the initiative."""
    form = {"game": "feint", "opponent": "friend", "seat": "0", "factions.0": "wu", "factions.1": "keion"} | fields
    answer = client.post("/tables", data=form)
    assert answer.status_code == 303
    _, _, key, token, _ = answer.headers["location"].split("/")
    client.post(f"/t/{key}/{derive_invitation(token)}/sit", data={"nonce": "friend".ljust(22, "-")})
    return answer.headers["location"]


def version(page: str) -> str:
    found = re.search(r'name="expected" value="(\d+)"', page)
    assert found is not None
    return found[1]


def test_a_hint_appears_on_the_requesters_page(client: TestClient) -> None:
    seat = open_feint(client, hints="yes")
    page = client.get(seat).text
    assert 'id="hint"' in page
    assert 'id="hint-box"' not in page
    answer = client.post(seat + "hint", data={"expected": version(page)})
    assert (answer.status_code, answer.headers["location"]) == (303, seat)
    page = client.get(seat).text
    assert 'id="hint-box"' in page
    play = re.search(r'<button[^>]*id="play-hint" form="play" name="act" value="([^"]+)">Play it<', page)
    assert play is not None
    assert '<details class="reasons" id="why">' in page  # why, without scripts too
    watching = client.get(f"/t/{seat.split('/')[2]}/watch/").text
    assert not {"hint-box", "hintmark", "play-hint"}.intersection(re.findall(r"[\w-]+", watching))
    played = client.post(seat + "act", data={"expected": version(page), "act": play[1]})
    assert (played.status_code, played.headers["location"]) == (303, seat)


def test_programs_ask_for_hints_and_read_thoughts_at_the_end(client: TestClient) -> None:
    body = {"game": "feint", "seats": ["me", "bot:greedy"], "hints": True, "options": {"factions": ["wu", "keion"]}}
    made = client.post("/api/tables", json=body).json()
    key = made["table"]
    headers = {"authorization": f"Bearer {made['seats'][0]['token']}"}
    table = client.get(f"/api/tables/{key}", headers=headers).json()
    hint = client.post(f"/api/tables/{key}/hint", headers=headers).json()
    assert table["hints"]
    assert hint["action"] in [action["id"] for action in table["decision"]["actions"]]
    assert hint["why"]
    assert client.post(f"/api/tables/{key}/hint").status_code == 403
    early = client.get(f"/api/tables/{key}/thoughts", headers=headers)
    assert early.status_code == 403
    assert "after the game" in early.json()["detail"]
    client.post(f"/api/tables/{key}/resignation", headers=headers)
    thoughts = client.get(f"/api/tables/{key}/thoughts", headers=headers).json()["thoughts"]
    assert all(entry["seat"] == 1 and entry["why"] for entry in thoughts)


def test_the_replay_shows_a_bots_thoughts(client: TestClient) -> None:
    seat = open_feint(client, opponent="bot:greedy", **{"factions.0": "keion", "factions.1": "wu"})
    until = time.monotonic() + 120
    while 'id="hint"' not in client.get(seat).text and time.monotonic() < until:
        time.sleep(0.02)
    assert "What Greedy thought" not in client.get(seat).text
    client.post(seat + "concede")
    last = int(re.findall(r"Step \d+ of (\d+)", client.get(seat + "replay").text)[0])
    assert any("What Greedy thought" in client.get(f"{seat}replay?at={n}&as=all").text for n in range(last + 20))


def test_jinkei_gives_hints_for_each_kind_of_decision(client: TestClient) -> None:
    """Tables of Jinkei offer hints like those of the other games: for a type, a formation, cards to lay and battles."""
    form = {"game": "jinkei", "opponent": "bot:random", "seat": "0"}
    seat = client.post("/tables", data=form).headers["location"]
    hinted: set[str] = set()
    until = time.monotonic() + 120
    while len(hinted) < 4 and time.monotonic() < until:
        page = client.get(seat).text
        phase = re.search(r'class="jinkei phase-(\w+)', page)
        if phase is None or 'name="expected"' not in page or 'id="ask-hint"' not in page:
            continue
        client.post(seat + "hint", data={"expected": version(page)})
        page = client.get(seat).text
        play = re.search(r'<button[^>]*id="play-hint" form="play" name="act" value="([^"]+)">(\w+)', page)
        assert play is not None
        assert play[2] == {"type": "Take", "formation": "Use"}.get(phase[1], "Play")
        assert "hintmark" in page or phase[1] == "advance"
        hinted.add({"answer": "lead", "back": "front"}.get(phase[1], phase[1]))
        hinted.discard("advance")
        client.post(seat + "act", data={"expected": version(page), "act": play[1]})
    assert hinted == {"type", "formation", "front", "lead"}
