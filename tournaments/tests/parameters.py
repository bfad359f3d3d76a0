"""Whether a parameter for the first seat, or for draws, makes ratings better: python3 parameters.py DIR/results/games.csv ...

Each tenth of the pairs of games is predicted from the other nine. The models are that of the ratings (a draw is half a win for each,
one draw of each entrant with a phantom); the same with a worth of the first seat; with draws as R. Davidson has them, "On Extending the
Bradley-Terry Model to Accommodate Ties" (1970); and with both. It prints the mean squared error of the points of a pair, of which a
rating is to say as much as can be said, and of those of a single game. Folds are drawn with the seed 1.
"""

import csv
import math
import random
import sys

FOLDS = 10
STEPS = 400


def probabilities(difference, ties):
    first, second = math.exp(difference / 2), math.exp(-difference / 2)
    whole = first + second + ties
    return first / whole, ties / whole, second / whole


def fit(entrants, counts, with_seat, with_ties):
    """Strengths, the worth of the first seat and the weight of draws, by gradients with steps that grow while they help."""
    values = [0.0] * (entrants + 2)
    if with_ties:
        values[-1] = -2.0

    def ties(of):
        return math.exp(of[-1]) if with_ties else 0.0

    def likelihood(of):
        total, slope = 0.0, [0.0] * len(of)
        for one in range(entrants):
            total += 0.5 * (math.log(1 / (1 + math.exp(-of[one]))) + math.log(1 / (1 + math.exp(of[one]))))
            slope[one] += 0.5 - 1 / (1 + math.exp(-of[one]))
        for (first, second), (won, drawn, lost) in counts.items():
            win, tie, loss = probabilities(of[first] - of[second] + of[-2], ties(of))
            if with_ties:
                total += won * math.log(win) + drawn * math.log(tie) + lost * math.log(loss)
            else:
                total += (won + drawn / 2) * math.log(win) + (lost + drawn / 2) * math.log(loss)
            games = won + drawn + lost
            change = (won - lost) / 2 - games * (win - loss) / 2
            slope[first] += change
            slope[second] -= change
            slope[-2] += change if with_seat else 0.0
            slope[-1] += drawn - games * tie if with_ties else 0.0
        return total, slope

    step, (now, slope) = 0.01, likelihood(values)
    for _ in range(STEPS):
        tried = [value + step * change for value, change in zip(values, slope)]
        then, other = likelihood(tried)
        if then >= now:
            values, now, slope, step = tried, then, other, step * 1.3
        else:
            step /= 3
    return values, ties(values)


def main(path):
    names, pairs = {}, {}
    with open(path, encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            if line["marks"] or not line["reason"]:
                continue
            both = [names.setdefault(name, len(names)) for name in line["seats"].split(" ")]
            points = 0.5 if not line["winner"] else float(names[line["winner"]] == both[0])
            pairs.setdefault((line["pairing"], line["pair"]), []).append((*both, points))
    whole = [games for games in pairs.values() if len(games) == 2]
    random.Random(1).shuffle(whole)
    drawn = sum(points == 0.5 for games in whole for *_, points in games)
    print(f"{path}: {len(names)} entrants, {len(whole)} pairs, {drawn} of {2 * len(whole)} games drawn")
    for name, with_seat, with_ties in [("as it is", 0, 0), ("first seat", 1, 0), ("draws", 0, 1), ("both", 1, 1)]:
        of_pairs = of_games = worth = 0.0
        for fold in range(FOLDS):
            counts = {}
            for games in (games for number, games in enumerate(whole) if number % FOLDS != fold):
                for first, second, points in games:
                    counts.setdefault((first, second), [0, 0, 0])[2 - int(2 * points)] += 1
            values, ties = fit(len(names), counts, with_seat, with_ties)
            worth += values[-2] * 400 / math.log(10) / FOLDS
            for games in whole[fold::FOLDS]:
                errors = []
                for first, second, points in games:
                    win, tie, _ = probabilities(values[first] - values[second] + values[-2], ties)
                    errors.append(points - win - tie / 2)
                # As the first game's first: the other game is seen from the other side.
                of_pairs += (errors[0] - errors[1]) ** 2
                of_games += errors[0] ** 2 + errors[1] ** 2
        print(f"  {name:10}  squared error of a pair {of_pairs / len(whole):.4f}, of a game {of_games / 2 / len(whole):.4f}"
              + (f", the first seat is worth {worth:+.0f} Elo" if with_seat else ""))


for one in sys.argv[1:]:
    main(one)
