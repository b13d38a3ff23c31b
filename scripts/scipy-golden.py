#!/usr/bin/env python3
"""Writes the values that crates/mge-stats is held to, computed by scipy.

    python3 -m venv venv && venv/bin/pip install scipy
    venv/bin/python scripts/scipy-golden.py > crates/mge-stats/tests/golden/scipy.json

Samples are random, tied, tiny and constant. Where scipy has no exact p-value for ties, its full
permutation test gives it. Where scipy answers nan (no difference at all), the case says null and
the Rust tests know what we answer.
"""

import json
import math
import warnings

import numpy as np
import scipy
from scipy import stats

warnings.simplefilter("ignore")
random = np.random.default_rng(20261115)
ALL = stats.PermutationMethod(n_resamples=np.inf)


def number(value):
    value = float(value)
    if math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def pairs():
    """Paired samples: random, tied, tiny, constant."""
    for n in (2, 3, 5, 8, 20, 30, 50):
        yield random.normal(0.9, 0.03, n), random.normal(0.88, 0.03, n)
    for n in (3, 6, 9, 12):
        yield random.integers(0, 5, n) / 4, random.integers(0, 5, n) / 4
    yield np.array([1.0]), np.array([2.0])
    yield np.full(5, 0.5), np.full(5, 0.25)
    yield np.full(5, 0.5), np.full(5, 0.5)
    # Quotients as accuracies are, thirty runs: many ties.
    yield random.integers(150, 170, 30) / 256, random.integers(145, 168, 30) / 256


def has_ties(values):
    return len(np.unique(values)) < len(values)


def signed_rank(x, y):
    d = x - y
    d = d[d != 0]
    case = {"x": x.tolist(), "y": y.tolist(), "statistic": None, "exact": None, "normal": None}
    if len(d) == 0:
        return case
    case["statistic"] = number(stats.rankdata(np.abs(d))[d > 0].sum())
    if not has_ties(np.abs(d)):
        case["exact"] = number(stats.wilcoxon(d, method="exact").pvalue)
    elif len(d) <= 12:
        case["exact"] = number(stats.wilcoxon(d, method=ALL).pvalue)
    case["normal"] = number(stats.wilcoxon(d, method="asymptotic", correction=True).pvalue)
    return case


def rank_sum(x, y):
    both = np.concatenate([x, y])
    case = {"x": x.tolist(), "y": y.tolist(), "exact": None}
    test = stats.mannwhitneyu(x, y, method="asymptotic", use_continuity=True)
    case["statistic"] = number(test.statistic)
    case["normal"] = number(test.pvalue)
    if not has_ties(both):
        case["exact"] = number(stats.mannwhitneyu(x, y, method="exact").pvalue)
    elif math.comb(len(both), len(x)) <= 200_000:
        case["exact"] = number(stats.mannwhitneyu(x, y, method=ALL).pvalue)
    wins = (x[:, None] > y[None, :]).sum() + 0.5 * (x[:, None] == y[None, :]).sum()
    case["a12"] = number(wins / (len(x) * len(y)))
    return case


def t_tests(x, y):
    mean = round(float(np.mean(y)), 3)
    mx, my = (np.mean(x), np.std(x, ddof=1), len(x)), (np.mean(y), np.std(y, ddof=1), len(y))
    student = stats.ttest_ind_from_stats(*mx, *my, equal_var=True)
    welch = stats.ttest_ind_from_stats(*mx, *my, equal_var=False)
    one = stats.ttest_1samp(x, mean)
    of_samples = [stats.ttest_ind(x, y, equal_var=equal) for equal in (True, False)]

    def result(test, same, shift=0.0):
        low, high = same.confidence_interval(0.95)
        return {
            "t": number(test.statistic),
            "p": number(test.pvalue),
            "freedom": number(same.df),
            "confidence": [number(low - shift), number(high - shift)],
        }

    return {
        "x": x.tolist(),
        "y": y.tolist(),
        "mean": mean,
        "student": result(student, of_samples[0]),
        "welch": result(welch, of_samples[1]),
        "one_sample": result(one, one, mean),
    }


def summary(x):
    confidence = None
    if len(x) > 1:
        half = stats.t.ppf(0.975, len(x) - 1) * np.std(x, ddof=1) / math.sqrt(len(x))
        confidence = [number(np.mean(x) - half), number(np.mean(x) + half)]
    return {
        "x": x.tolist(),
        "mean": number(np.mean(x)),
        "deviation": number(np.std(x, ddof=1)) if len(x) > 1 else 0.0,
        "min": number(np.min(x)),
        "lower_quartile": number(np.quantile(x, 0.25)),
        "median": number(np.median(x)),
        "upper_quartile": number(np.quantile(x, 0.75)),
        "max": number(np.max(x)),
        "confidence": confidence,
    }


def friedman(blocks):
    test = stats.friedmanchisquare(*blocks.T)
    n, k = blocks.shape
    f = (n - 1) * test.statistic / (n * (k - 1) - test.statistic)
    return {
        "blocks": blocks.tolist(),
        "chi_square": number(test.statistic),
        "p": number(test.pvalue),
        "f_p": number(stats.f.sf(f, k - 1, (k - 1) * (n - 1))),
    }


def critical_difference(methods, blocks, level):
    q = stats.studentized_range.ppf(1 - level, methods, np.inf) / math.sqrt(2)
    difference = q * math.sqrt(methods * (methods + 1) / (6 * blocks))
    return {"methods": methods, "blocks": blocks, "level": level, "difference": number(difference)}


def holm(p):
    """Scipy has no Holm; the definition, value by value."""
    order = sorted(p)
    adjusted = [max(min(1.0, (len(p) - i) * order[i]) for i in range(order.index(v) + 1)) for v in p]
    return {"p": list(p), "adjusted": adjusted}


def unequal(n, m):
    return random.normal(0.9, 0.03, n), random.normal(0.87, 0.08, m)


rank_pairs = list(pairs()) + [unequal(4, 7), unequal(10, 30), unequal(30, 30)]
rank_pairs += [(random.integers(0, 4, 4) / 4, random.integers(0, 4, 9) / 4)]
t_pairs = [unequal(2, 2), unequal(3, 5), unequal(30, 30), unequal(10, 30), unequal(200, 3)]
t_pairs += [(random.integers(0, 4, 6) / 4, random.integers(0, 4, 6) / 4)]
t_pairs += [(np.full(5, 0.5), np.full(4, 0.25)), (np.full(5, 0.5), np.full(5, 0.5))]
t_pairs += [(np.full(5, 0.5), np.array([0.25, 0.5, 0.25]))]
golden = {
    "scipy": scipy.__version__,
    "signed_rank": [signed_rank(x, y) for x, y in pairs()],
    "rank_sum": [rank_sum(x, y) for x, y in rank_pairs],
    "t": [t_tests(x, y) for x, y in t_pairs],
    "summary": [summary(x) for x in (np.array([0.5]), np.full(4, 0.25), *(p[0] for p in t_pairs))],
    "friedman": [
        friedman(random.normal(size=(7, 5))),
        friedman(random.normal(size=(10, 3)) + np.array([0, 0.5, 2])),
        friedman(random.integers(0, 3, (8, 4)) / 2),
    ],
    "critical_difference": [
        critical_difference(*case)
        for case in ((2, 10, 0.05), (3, 7, 0.05), (5, 7, 0.05), (5, 30, 0.1), (10, 10, 0.025))
    ],
    "holm": [holm([0.01, 0.04, 0.03, 0.005]), holm([0.2]), holm(random.uniform(0, 0.2, 12).tolist())],
}
print(json.dumps(golden, indent=1))
