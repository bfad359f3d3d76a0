"""Ratings of drawn tournaments by choix, and their errors by numpy, as vectors for the tests: python make.py > ratings.json

Errors follow the text at the head of `src/rating.rs`: a sandwich around what the pairs scatter, each pairing's shrunk to that of all.

choix maximises the likelihood of the same model. Each game is given to it twice, a draw as a win of either side, and each entrant
draws once with a phantom, whose strength is then taken as 0. Quantiles are scipy's.
Made with choix 0.4.1, numpy 2.4.6, scipy 1.17.1.
"""

import json

import choix
import numpy
from scipy.stats import norm

ELO = 400 / numpy.log(10)
OF_ALL, OF_MODEL = 8, 4


def outer(entrants, one, other):
    difference = numpy.zeros(entrants)
    difference[one], difference[other] = 1, -1
    return numpy.outer(difference, difference)


def case(rng, entrants, pairs_each, deviation):
    truth = rng.normal(0, deviation / ELO, entrants)
    pairs = []
    for one in range(entrants):
        for other in range(one + 1, entrants):
            chance = 1 / (1 + numpy.exp(truth[other] - truth[one]))
            for _ in range(pairs_each):
                games = [2 if rng.random() < chance else 0 for _ in range(2)]
                if rng.random() < 0.2:
                    games[0] = 1
                pairs.append([one, other, games])
    data = []
    for one, other, games in pairs:
        for half_points in games:
            data += [(one, other)] * half_points + [(other, one)] * (2 - half_points)
    for one in range(entrants):
        data += [(one, entrants), (entrants, one)]
    strengths = choix.opt_pairwise(entrants + 1, data, alpha=0, method="Newton-CG", tol=1e-12)
    strengths = strengths[:entrants] - strengths[entrants]
    expected = lambda one, other: 1 / (1 + numpy.exp(other - one))
    phantom = numpy.diag([expected(s, 0) * (1 - expected(s, 0)) for s in strengths])
    hessian, scatter = phantom.copy(), {}
    for one, other, games in pairs:
        chance = expected(strengths[one], strengths[other])
        spread = len(games) * chance * (1 - chance)
        hessian += spread * outer(entrants, one, other)
        known = scatter.setdefault((one, other), [0, 0, 0])
        known[0] += 1
        known[1] += (sum(games) / 2 - len(games) * chance) ** 2
        known[2] += spread
    model = numpy.linalg.inv(hessian)
    left = {both: spread * (1 - spread * (model * outer(entrants, *both)).sum() / count)
            for both, (count, _, spread) in scatter.items()}
    of_all = (sum(seen for _, seen, _ in scatter.values()) + OF_MODEL) / (sum(left.values()) + OF_MODEL)
    inner = phantom.copy()
    for both, (_, seen, spread) in scatter.items():
        inner += spread * (seen + OF_ALL * of_all) / (left[both] + OF_ALL) * outer(entrants, *both)
    covariance = model @ inner @ model
    differences = []
    for one in range(entrants - 1):
        contrast = numpy.zeros(entrants)
        contrast[one], contrast[one + 1] = 1, -1
        error = numpy.sqrt(contrast @ covariance @ contrast)
        estimate = strengths[one] - strengths[one + 1]
        differences.append([round(10 * ELO * estimate, 2), round(10 * ELO * norm.isf(0.025) * error, 2),
                            round(10_000 * norm.cdf(estimate / error), 1)])
    return {"entrants": entrants, "pairs": [[one, other, sum(games)] for one, other, games in pairs],
            "differences": differences}


def main():
    rng = numpy.random.default_rng(19)
    cases = [case(rng, *kind) for kind in [(2, 9, 100), (3, 6, 150), (5, 8, 200), (8, 12, 250), (12, 3, 150)]]
    print("[" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases) + "]")


main()
