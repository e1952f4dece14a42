"""A program that plays random legal actions at a Gonfalon server: python bot.py SERVER TOKEN

It needs nothing but Python. One stream reports the questions of all its tables, and a new stream reports everything
that is open, so the program can be killed and started again at any time.
"""

import json
import random  # noqa: TID251 -- an example of its own
import sys
import time
import urllib.error
import urllib.request
from typing import Any

if len(sys.argv) != 3 or not sys.argv[1].startswith("http"):
    print(__doc__)
    sys.exit(0 if "--help" in sys.argv else 2)
SERVER, TOKEN = sys.argv[1].rstrip("/"), sys.argv[2]


def send(path: str, body: object = None) -> Any:
    """Open the stream, or post a body as JSON. After 20 silent seconds the connection counts as lost."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, {"Authorization": f"Bearer {TOKEN}"})
    try:
        return urllib.request.urlopen(request, timeout=20)
    except urllib.error.HTTPError as refusal:
        reason = json.load(refusal).get("detail", refusal)
        if body is None and refusal.code in (401, 403, 404):
            sys.exit(reason)
        print(reason, flush=True)  # the game has moved on; the stream asks again
        return []


def answer(event: Any) -> None:
    """Answer an event of the stream, if it asks something."""
    if event["type"] == "challenge":
        send(f"/api/bot/challenges/{event['table']}", {"accept": True})
    elif event["type"] == "turn":
        move = {"expected": event["version"], "actions": [random.choice(event["actions"])]}
        send(f"/api/tables/{event['table']}/actions", move)
    elif event["type"] == "account":
        print(f"Connected to {SERVER} as {event['account']['title']}.", flush=True)
    elif event["type"] == "ended":
        print(event["over"]["text"], flush=True)


while True:
    try:
        for line in send("/api/bot/stream"):
            if line.strip():  # an empty line shows that the stream is alive
                answer(json.loads(line))
    except (OSError, ValueError) as error:
        print(f"{error}, trying again", flush=True)
    time.sleep(1)
