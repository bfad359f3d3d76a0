#!/usr/bin/env python3
"""Plays Conway's Conquerors through a site's HTTP API, with a token of the scope `play`: any four cells of its own home.

    ARENA_TOKEN=... python3 player.py http://127.0.0.1:8080 [CODE]

With a room's code it sits down there; without one it takes any opponent. The standard library is all that it needs.
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

TRIES = 6


class Api:
    def __init__(self, site, token):
        self.site, self.token = site.rstrip("/") + "/api/v1", token

    def ask(self, path, body=None):
        """Asks until there is an answer: every request here may be repeated, and what it does happens once."""
        head = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        for attempt in range(TRIES):
            try:
                request = urllib.request.Request(self.site + path, data, head)
                # Longer than the 25 seconds for which news is waited for.
                with urllib.request.urlopen(request, timeout=40) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refused:
                if refused.code not in (429, 502, 503, 504) or attempt == TRIES - 1:
                    raise SystemExit(refused.read().decode())
                time.sleep(float(refused.headers.get("Retry-After") or 2**attempt))
            except OSError as broken:
                if attempt == TRIES - 1:
                    raise SystemExit(str(broken))
                time.sleep(2**attempt)


def action(seat):
    """Four different cells of one's own home, in hex: version 1, kind 1, how many, then row and column of each."""
    first = 0 if seat == 0 else 20
    cells = set()
    while len(cells) < 4:
        cells.add((random.randrange(26), random.randrange(first, first + 8)))
    return bytes([1, 1, 4, *(number for cell in cells for number in cell)]).hex()


def turn(api, room, seat, ply, number):
    """Plays a turn; cells that live already are refused, and others are tried. The next number for a command."""
    for _ in range(30):
        number += 1
        said = {"type": "turn", "ply": ply, "client_seq": number, "action": action(seat)}
        reply = api.ask(room + "/commands", said)
        if reply["type"] == "applied" or reply["code"] in ("stale_ply", "game_over"):
            return number
        if reply["code"] == "too_many":
            time.sleep(2)
    raise SystemExit("no turn was taken: " + reply["message"])


def main(site, code=None):
    api = Api(site, os.environ["ARENA_TOKEN"])
    joined = api.ask("/lobby/joins", {"code": code}) if code else api.ask("/lobby/pairings", {"game": "conquerors"})
    room, after, seat, number = "/rooms/" + joined["room"], "", None, 0
    print("room", joined["room"], flush=True)
    while True:
        news = api.ask(room + "/events" + after)
        after = "?after=" + str(news["version"])
        for state in (message for message in news["messages"] if message["type"] == "state"):
            if state["outcome"]:
                print("won" if state["outcome"]["winner"] == seat else "not won", json.dumps(state["outcome"]))
                return
            if state["people"]["finished"]:
                raise SystemExit("the room was closed")
            if seat is None and state["people"]["started"]:
                # Seats may have been drawn: the first answer of a poll says which is one's own.
                seat = api.ask(room + "/events")["messages"][0]["you"][0]
            if seat in state["awaiting"]:
                number = turn(api, room, seat, state["ply"], number)


if __name__ == "__main__":
    main(*sys.argv[1:])
