#!/usr/bin/env python3
"""What a user gets without this project, at the same cost: R2 under a budget of operations.

    python3 -m venv .venv && .venv/bin/pip install numpy scikit-learn gplearn pyoperon
    .venv/bin/python benches/peers/regression.py concrete --seeds 10 --budgets 20,50,120

DATA is a set inside the program, or a CSV file with the target in its last column. The splits are
those of `mge fit DATA --seed N`: the same rows for the same seed. Operations are counted in the same
way: 2 * (weights + biases) + 4 * (hidden + output neurons). A tree costs a comparison for each
level, a boosted stump a comparison and an addition, a boosted tree of depth 2 three operations. A
formula of gplearn or Operon costs one for each +, -, *, / and four for each other function, as a
neuron does.

Settings of a rival are chosen by five-fold cross-validation on the training rows; test rows choose
nothing. gplearn and Operon give formulas of many sizes from one run. A fifth of the training rows,
which the run does not see, chooses among those within the budget.
"""
import argparse
import csv
import gzip
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import Lasso, Ridge
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeRegressor

from front import Perceptron, ROOT, scale, split

warnings.filterwarnings("ignore")


def table(name, target=None):
    """Features and target; of several targets the last one, unless one is named."""
    inside = ROOT / "crates" / "mge-data" / "data" / f"{name}.csv.gz"
    opened = gzip.open(inside, "rt", newline="") if inside.exists() else open(name, newline="")
    with opened as file:
        rows = list(csv.reader(file))
    header, rows = rows[0], np.array(rows[1:], float)
    targets = {"slump": ["slump", "flow", "strength"]}.get(Path(name).stem, header[-1:])
    features = [k for k, column in enumerate(header) if column not in targets]
    return rows[:, features], rows[:, header.index(target or targets[-1])]


def linear_operations(model):
    return 2 * ((np.abs(model.coef_) > 1e-9).sum() + 1) + 4


# A maker takes rows, targets, a seed and budgets, and gives a model and its operations for each budget.

def linear(model):
    def fit(x, y, _seed, budgets):
        made = model().fit(x, y)
        return [(made.predict, linear_operations(made))] * len(budgets)
    return fit


def tree(leaves):
    def fit(x, y, seed, budgets):
        made = DecisionTreeRegressor(max_leaf_nodes=leaves, random_state=seed).fit(x, y)
        return [(made.predict, made.get_depth())] * len(budgets)
    return fit


def boosted(depth, trees, rate):
    def fit(x, y, seed, budgets):
        made = GradientBoostingRegressor(
            max_depth=depth, n_estimators=trees, learning_rate=rate, random_state=seed).fit(x, y)
        cost = trees * (depth + 1)
        if depth == 1:  # Stumps at the same place are one.
            places = {(t.tree_.feature[0], t.tree_.threshold[0]) for t in made.estimators_[:, 0]}
            cost = 2 * len(places)
        return [(made.predict, cost)] * len(budgets)
    return fit


class Regressor(Perceptron):
    """The perceptron of `front.py` with one linear output and squared error."""

    def __init__(self, x, y, hidden, seed):
        super().__init__(x, np.arange(len(y)) % 2, hidden, seed)
        self.aim = y[:, None].astype(np.float32)

    def forwards(self, rows):
        reads = [rows]
        for w, bias in zip(self.w[:-1], self.bias):
            reads.append(np.tanh(reads[-1] @ w + bias))
        return reads, reads[-1] @ self.w[-1] + self.bias[-1]

    def predict(self, rows):
        return self.forwards(rows.astype(np.float32))[1][:, 0]


def pruned(hidden, l1, l2):
    """A perceptron that is cut in steps, under L1 down to 2.5 times a budget and without it from there."""
    def fit(x, y, seed, budgets):
        model, found = Regressor(x, y, hidden, seed), {}

        def cut_down(model, budget, l1):
            while (surplus := model.operations() - budget) > 0 and (links := sum(a.sum() for a in model.alive)):
                model.cut(max(1, min(int(0.15 * links), int(np.ceil(surplus / 2)))))
                model.train(100, l1, l2)

        model.train(1500, l1, l2)
        for budget in sorted(set(budgets), reverse=True):
            cut_down(model, 2.5 * budget, l1)
            small = model.copy()
            cut_down(small, budget, 0)
            small.train(1500, 0, l2)
            found[budget] = (small.predict, small.operations())
        return [found[budget] for budget in budgets]
    return fit


def formula_operations(program):
    names = [getattr(node, "name", None) for node in program.program]
    return sum(1 if name in ("add", "sub", "mul", "div") else 4 for name in names if name)


def formulas(x, y, seed, budgets):
    """gplearn with its functions add, sub, mul, div, sqrt, log, sin, cos."""
    from gplearn.genetic import SymbolicRegressor

    order = np.random.default_rng(seed).permutation(len(y))
    seen, held = order[len(y) // 5:], order[:len(y) // 5]
    run = SymbolicRegressor(
        population_size=1000, generations=30, tournament_size=20, const_range=(-3, 3),
        function_set=("add", "sub", "mul", "div", "sqrt", "log", "sin", "cos"),
        parsimony_coefficient=0.0005, random_state=seed, verbose=0, metric="mse").fit(x[seen], y[seen])
    programs = [p for generation in run._programs[-10:] for p in generation if p is not None]
    sizes = np.array([formula_operations(p) for p in programs])
    fitness = np.array([p.raw_fitness_ for p in programs])
    found = []
    for budget in budgets:
        inside = np.flatnonzero(sizes <= budget)
        best = inside[np.argsort(fitness[inside], kind="stable")[:50]]
        error = lambda k: ((programs[k].execute(x[held]) - y[held]) ** 2).mean()
        chosen = min(best, key=error)
        found.append((programs[chosen].execute, sizes[chosen]))
    return found


def operon(x, y, seed, budgets):
    """Operon: symbolic regression with constants tuned by Levenberg and Marquardt; a front of error and length."""
    from pyoperon.sklearn import SymbolicRegressor

    order = np.random.default_rng(seed).permutation(len(y))
    seen, held = order[len(y) // 5:], order[:len(y) // 5]
    run = SymbolicRegressor(
        allowed_symbols="add,sub,mul,aq,sin,cos,exp,logabs,sqrtabs,constant,variable",
        objectives=["mse", "length"], population_size=1000, pool_size=1000, max_length=60,
        generations=10_000, max_evaluations=500_000, optimizer_iterations=5, n_threads=1,
        random_state=seed).fit(x[seen], y[seen])
    formulas = []
    for member in run.pareto_front_:
        text = run.get_model_string(member["tree"], 6)
        cost = sum(text.count(f" {sign} ") for sign in "+-*/")
        cost += 4 * sum(text.count(name) for name in ("sin(", "cos(", "exp(", "log(", "sqrt("))
        predict = lambda rows, tree=member["tree"]: run.evaluate_model(tree, np.ascontiguousarray(rows))
        formulas.append((predict, cost))
    found = []
    for budget in budgets:
        inside = [formula for formula in formulas if formula[1] <= budget]
        error = lambda formula: ((formula[0](x[held]) - y[held]) ** 2).mean()
        found.append(min(inside, key=error) if inside else (None, np.inf))
    return found


def rivals(most):
    """The makers of each rival, for budgets of at most so many operations."""
    strengths = 10.0 ** np.arange(-3.5, 0, 0.25)
    rounds = (5, 10, 20, 30, 45, 60, 100, 150, 250)
    return {
        "ridge regression": [linear(lambda a=a: Ridge(alpha=a)) for a in (0.01, 0.1, 1, 10, 100)],
        "L1 regression": [linear(lambda a=a: Lasso(alpha=a, max_iter=20_000)) for a in strengths],
        "small tree": [tree(leaves) for leaves in (2, 3, 5, 8, 12, 20, 32, 64)],
        "boosted stumps": [boosted(1, trees, rate) for trees in rounds for rate in (0.1, 0.3)],
        "boosted trees": [boosted(2, trees, rate) for trees in rounds for rate in (0.1, 0.3)
                          if 3 * trees <= most],
        "pruned perceptron": [pruned(*setting) for setting in (
            (4, 1e-3, 1e-4), (8, 1e-3, 1e-4), (16, 1e-3, 1e-4), (8, 1e-2, 1e-3))],
        "gplearn": [formulas],
        "Operon": [operon],
    }


def chosen(makers, x, y, budgets, seed):
    """For each budget a model that stays inside, made anew on all rows by the maker that was best on
    rows it had not seen."""
    errors = np.zeros((len(makers), len(budgets)))
    if len(makers) > 1:
        for a, b in KFold(5, shuffle=True, random_state=seed).split(x):
            for maker, row in zip(makers, errors):
                for k, (predict, cost) in enumerate(maker(x[a], y[a], seed, budgets)):
                    row[k] += ((predict(x[b]) - y[b]) ** 2).sum() if cost <= budgets[k] else np.inf
    made, models = {}, []
    for k, budget in enumerate(budgets):
        models.append(None)
        for choice in np.argsort(errors[:, k], kind="stable"):
            if not np.isfinite(errors[choice, k]):
                break
            if choice not in made:
                made[choice] = makers[choice](x, y, seed, budgets)
            if made[choice][k][1] <= budget:
                models[-1] = made[choice][k]
                break
    return models


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data")
    parser.add_argument("--target", help="one of several targets")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budgets", default="20,50,120")
    parser.add_argument("--only", help="part of a rival's name")
    options = parser.parse_args()
    budgets = [int(budget) for budget in options.budgets.split(",")]
    x, y = table(options.data, options.target)
    label = Path(options.data).stem
    for name, makers in rivals(max(budgets)).items():
        if options.only and options.only not in name:
            continue
        found = [[] for _ in budgets]
        for seed in range(1, options.seeds + 1):
            train, test = split(len(y), 0.7, seed)
            scaled, mean, deviation = scale(x, train, False), y[train].mean(), y[train].std()
            small = (y - mean) / deviation
            models = chosen(makers, scaled[train], small[train], budgets, seed)
            for models_of_budget, model in zip(found, models):
                if model:
                    error = ((model[0](scaled[test]) - small[test]) ** 2).sum()
                    r2 = 1 - error / ((small[test] - small[test].mean()) ** 2).sum()
                    models_of_budget.append((r2, model[1]))
        for budget, models in zip(budgets, found):
            if not models:
                print(f"{label} {budget}: {name} does not fit the budget", flush=True)
                continue
            r2, cost = np.array(models).T
            print(f"{label} {budget}: {name} {r2.mean():.4f} "
                  f"+- {r2.std(ddof=1) if len(r2) > 1 else 0:.4f}, "
                  f"{cost.mean():.0f} operations, {len(models)} of {options.seeds} splits", flush=True)


if __name__ == "__main__":
    main()
