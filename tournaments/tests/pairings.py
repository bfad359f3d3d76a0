"""What other programs say of the rounds of Swiss tournaments: a line of JSON for each tournament, from `cargo xtask pairings`.

`networkx` must choose the same matching of the same candidates. `caissify-pairings`, which follows the Dutch system of FIDE, pairs
the same positions: ours may have no rematch and no second bye, and no larger sum of differences of points. Of large fields it says
what the limit to the nearest candidates costs.
"""

import collections
import json
import sys
import warnings

import networkx
from caissify_pairings import generate_pairings

warnings.simplefilter("ignore")


def matching(vertices, edges):
    graph = networkx.Graph()
    graph.add_nodes_from(range(vertices))
    for (one, other), weight in edges:
        graph.add_edge(one, other, weight=int(weight))
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted(sorted(pair) for pair in found)


def main(path):
    tournaments = rounds = same = ours_sum = theirs_sum = better = worse = theirs_again = 0
    large = near_sum = all_sum = 0
    refused = collections.Counter()
    for line in open(path, encoding="utf-8"):
        tournament = json.loads(line)
        count = tournament["entrants"]
        tournaments += 1
        points, colours, floats, byes = [0] * count, [[] for _ in range(count)], [[] for _ in range(count)], [0] * count
        met = set()
        for number, one in enumerate(tournament["rounds"], 1):
            rounds += 1
            if one["of_all"] is not None:
                large, near_sum, all_sum = large + 1, near_sum + one["of_all"][0], all_sum + one["of_all"][1]
            same += matching(count + count % 2, one["edges"]) == sorted(one["chosen"])
            players = [
                {
                    "id": entrant + 1, "name": str(entrant), "score": points[entrant] / 2, "rating": 2000 - entrant,
                    "starting_number": entrant + 1, "color_hist": list(colours[entrant]),
                    "float_history": list(floats[entrant]), "bye_count": byes[entrant],
                }
                for entrant in range(count)
            ]
            ours = sum(abs(points[a] - points[b]) for (a, b), _ in one["pairings"])
            try:
                dutch = generate_pairings(
                    system="dutch", players=players, previous_pairings=met, round_number=number,
                    total_rounds=len(tournament["rounds"]),
                )
            except Exception as error:
                refused[type(error).__name__] += 1
            else:
                two = [(pair["white_id"], pair["black_id"]) for pair in dutch]
                theirs_again += sum((min(a, b), max(a, b)) in met for a, b in two if a and b)
                theirs = sum(abs(points[a - 1] - points[b - 1]) for a, b in two if a and b)
                ours_sum, theirs_sum = ours_sum + ours, theirs_sum + theirs
                better, worse = better + (ours < theirs), worse + (ours > theirs)
            before = list(points)
            for (a, b), (gained, lost) in one["pairings"]:
                key = (min(a, b) + 1, max(a, b) + 1)
                assert key not in met, f"a rematch in round {number}: {key}"
                met.add(key)
                for own, other, half_points, colour in ((a, b, gained, "white"), (b, a, lost, "black")):
                    points[own] += half_points
                    colours[own].append(colour)
                    floats[own].append(
                        "down" if before[own] > before[other] else "up" if before[own] < before[other] else "none")
            if one["bye"] is not None:
                entrant = one["bye"]
                points[entrant] += 2
                byes[entrant] += 1
                colours[entrant].append(None)
                floats[entrant].append("down")
                assert byes[entrant] == 1, f"a second bye in round {number}"
    print(f"{tournaments} tournaments, {rounds} rounds, no rematch, at most one bye each; networkx chooses the same in {same}")
    print(f"sum of differences, in half points: ours {ours_sum}, the Dutch system's {theirs_sum} "
          f"(ours smaller in {better} rounds, larger in {worse}, equal in {rounds - better - worse - refused.total()})")
    print(f"the Dutch program does not pair {refused.total()} positions {dict(refused)}, and has {theirs_again} rematches")
    print(f"{large} rounds of 60 to 120 entrants: among the nearest {near_sum} half points, among all {all_sum}")
    assert same == rounds and ours_sum <= theirs_sum


main(sys.argv[1])
