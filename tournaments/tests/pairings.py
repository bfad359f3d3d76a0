"""What other programs say of the rounds of Swiss tournaments: a line of JSON for each tournament, from `cargo xtask pairings`.

`networkx` must choose the same matching of the same candidates. `caissify-pairings`, which follows the Dutch system of FIDE, pairs
the same positions: ours may have no rematch and no second bye, and no larger sum of differences of points. It would take more than a
minute for a large field, so that one is not asked of it: there it is said what the limit to the nearest candidates costs. Tournaments
are judged by as many processes as there are processors.
"""

import collections
import json
import multiprocessing
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


def differences(pairs, points):
    """The sum of the differences of points within pairs, in half points."""
    return sum(abs(points[a] - points[b]) for a, b in pairs)


def compared(tournament, number, one, points, colours, floats, byes, met):
    """What is counted in a round that both pair."""
    seen = collections.Counter()
    players = [
        {
            "id": entrant + 1, "name": str(entrant), "score": points[entrant] / 2, "rating": 2000 - entrant,
            "starting_number": entrant + 1, "color_hist": list(colours[entrant]),
            "float_history": list(floats[entrant]), "bye_count": byes[entrant],
        }
        for entrant in range(len(points))
    ]
    ours = differences((pair for pair, _ in one["pairings"]), points)
    try:
        dutch = generate_pairings(
            system="dutch", players=players, previous_pairings=met, round_number=number,
            total_rounds=len(tournament["rounds"]),
        )
    except Exception as error:
        seen[f"not paired: {type(error).__name__}"] += 1
    else:
        two = [(pair["white_id"], pair["black_id"]) for pair in dutch]
        theirs = differences(((a - 1, b - 1) for a, b in two if a and b), points)
        again = sum((min(a, b), max(a, b)) in met for a, b in two if a and b)
        seen.update({"both": 1, "ours": ours, "theirs": theirs, "again": again})
        # Where it pairs people again it may have a smaller sum.
        seen[("smaller" if ours < theirs else "larger" if ours > theirs else "equal") + " again" * (again > 0)] += 1
        alone = next((a - 1 if a else b - 1 for a, b in two if not (a and b)), None)
        if alone is not None and one["bye"] is not None:
            seen["byes"] += 1
            seen["lower bye"] += points[one["bye"]] < points[alone]
            seen["higher bye"] += points[one["bye"]] > points[alone]
            if ours > theirs:
                seen["larger, lower bye"] += points[one["bye"]] < points[alone]
    return seen


def judged(line):
    """What is counted in a tournament."""
    seen = collections.Counter(tournaments=1)
    tournament = json.loads(line)
    count = tournament["entrants"]
    points, colours, floats, byes = [0] * count, [[] for _ in range(count)], [[] for _ in range(count)], [0] * count
    met = set()
    for number, one in enumerate(tournament["rounds"], 1):
        seen["rounds"] += 1
        if one["of_all"] is not None:
            near, whole = one["of_all"]
            seen.update({"large": 1, "near": near, "whole": whole})
        seen["same"] += matching(count + count % 2, one["edges"]) == sorted(one["chosen"])
        if one["of_all"] is None:
            seen.update(compared(tournament, number, one, points, colours, floats, byes, met))
        before = list(points)
        for (a, b), (gained, lost) in one["pairings"]:
            key = (min(a, b) + 1, max(a, b) + 1)
            assert key not in met, f"a rematch in round {number}: {key}"
            met.add(key)
            for own, other, half_points, colour in ((a, b, gained, "white"), (b, a, lost, "black")):
                points[own] += half_points
                colours[own].append(colour)
                floats[own].append("down" if before[own] > before[other] else "up" if before[own] < before[other] else "none")
        if one["bye"] is not None:
            entrant = one["bye"]
            points[entrant] += 2
            byes[entrant] += 1
            colours[entrant].append(None)
            floats[entrant].append("down")
            assert byes[entrant] == 1, f"a second bye in round {number}"
    return seen


def main(path):
    seen = collections.Counter()
    with open(path, encoding="utf-8") as lines, multiprocessing.Pool() as pool:
        for one in pool.imap_unordered(judged, lines, chunksize=4):
            seen.update(one)
    print(f"{seen['tournaments']} tournaments, {seen['rounds']} rounds, no rematch, at most one bye each; "
          f"networkx chooses the same in {seen['same']}")
    print(f"sum of differences over {seen['both']} rounds, in half points: ours {seen['ours']}, the Dutch system's {seen['theirs']}")
    print(f"ours smaller in {seen['smaller']} rounds, equal in {seen['equal']}, larger in {seen['larger']}, "
          f"in {seen['larger, lower bye']} of which the bye has fewer points")
    print(f"where the Dutch program has {seen['again']} rematches: ours smaller in {seen['smaller again']}, equal in "
          f"{seen['equal again']}, larger in {seen['larger again']}")
    print(f"{seen['byes']} byes: with fewer points than the Dutch system's in {seen['lower bye']}, with more in {seen['higher bye']}")
    print("not paired by the Dutch program:", {name: number for name, number in seen.items() if name.startswith("not paired")})
    print(f"{seen['large']} rounds of 60 to 120 entrants: among the nearest {seen['near']} half points, among all {seen['whole']}")
    assert seen["same"] == seen["rounds"] and seen["ours"] <= seen["theirs"]


if __name__ == "__main__":
    main(sys.argv[1])
