"""Games of a round robin as the tests read them: python played.py FOLDER > played/NAME.txt

Reads results/games.csv of a tournament's folder. A line has two entrants and of each of their pairs what came of its two games for the
one who is named first (w, d, l; a dot for a game that does not count), who has the first seat in the first of them.
"""

import csv
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
pairings = {}
for game in csv.DictReader((folder / "results" / "games.csv").open()):
    seats = game["seats"].split(" ")
    both = tuple(sorted(seats))
    pair = pairings.setdefault(both, {}).setdefault((int(game["pairing"]), int(game["pair"])), ["."] * 2)
    if game["reason"] and not game["marks"]:
        pair[seats.index(both[0])] = {both[0]: "w", both[1]: "l", "": "d"}[game["winner"]]
for (one, other), pairs in sorted(pairings.items()):
    print(f"{one} {other}: {' '.join(''.join(pairs[key]) for key in sorted(pairs))}")
