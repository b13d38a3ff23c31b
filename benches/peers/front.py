#!/usr/bin/env python3
"""What a user gets without this project, at the same cost: accuracy under a budget of operations.

    python3 -m venv .venv && .venv/bin/pip install numpy scikit-learn
    .venv/bin/python benches/peers/front.py wdbc --seeds 10 --budgets 45,110

The splits are those of `cargo run --release -p mge-hybrid --example front`: the same rows for the
same seed. Operations are counted in the same way, 2 * (weights + biases) + 4 * (hidden + output
neurons); a boosted tree costs a comparison for each level and an addition. Settings of a rival
are chosen by five-fold cross-validation on the training rows, on large tables by a tenth of them that is
held back; test rows choose nothing.
"""
import argparse
import copy
import csv
import gzip
import os
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

warnings.filterwarnings("ignore")
ROOT = Path(__file__).resolve().parents[2]
MASK = (1 << 64) - 1
LARGE = {"digits": 0.9, "letter": 0.9}
LARGE_ROWS = 4000


class Stream:
    """The random streams of crate mge-random, so that splits are the same."""

    def __init__(self, seed, purpose, generation, index):
        key = mix(seed ^ 0x6D67655F73656564)
        for part in (purpose, generation, index):
            key = mix(key ^ mix((part + 0x9E3779B97F4A7C15) & MASK))
        self.state = []
        for _ in range(4):
            key = (key + 0x9E3779B97F4A7C15) & MASK
            self.state.append(mix(key))

    def bits(self):
        s = self.state
        total = (s[0] + s[3]) & MASK
        result = (rotated(total, 23) + s[0]) & MASK
        shifted = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)
        return result

    def below(self, bound):
        product = self.bits() * bound
        if product & MASK < bound:
            threshold = ((1 << 64) - bound) % bound
            while product & MASK < threshold:
                product = self.bits() * bound
        return product >> 64


def mix(bits):
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return bits ^ (bits >> 31)


def rotated(bits, by):
    return ((bits << by) | (bits >> (64 - by))) & MASK


def split(rows, share, seed):
    stream = Stream(seed, 1, 0, 0)
    order = list(range(rows))
    for last in range(rows - 1, 0, -1):
        pick = stream.below(last + 1)
        order[last], order[pick] = order[pick], order[last]
    train = int(rows * share + 1e-9)
    return np.sort(order[:train]), np.sort(order[train:])


# The worked example of crate mge-data's own tests.
assert list(split(10, 0.7, 42)[1]) == [1, 6, 9], "the streams differ"


def table(name):
    """A set of the project, one in MGE_DATA_DIR, or the path of a CSV file of numbers and labels."""
    inside = ROOT / "crates" / "mge-data" / "data" / f"{name}.csv.gz"
    if inside.exists():
        with gzip.open(inside, "rt", newline="") as file:
            rows = list(csv.reader(file))
    else:
        path = Path(name)
        if not path.exists():
            path = Path(os.environ.get("MGE_DATA_DIR", ".")) / f"{name}.csv"
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
    header, rows = rows[0], rows[1:]
    target = header.index("class") if "class" in header else len(header) - 1
    names = sorted({row[target] for row in rows})
    y = np.array([names.index(row[target]) for row in rows])
    x = np.array([[float(v) for k, v in enumerate(row) if k != target] for row in rows])
    return x, y


def idx(name):
    """A file of MNIST as it is published, gzipped or not."""
    folder = Path(os.environ.get("MGE_DATA_DIR", "."))
    for path in (folder / name, folder / f"{name}.gz", folder / "mnist" / name, folder / "mnist" / f"{name}.gz"):
        if path.exists():
            raw = (gzip.open if path.suffix == ".gz" else open)(path, "rb").read()
            shape = [int.from_bytes(raw[4 + 4 * k:8 + 4 * k], "big") for k in range(raw[3])]
            return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)
    raise SystemExit(f"no {name} in {folder}; MGE_DATA_DIR names the folder of MNIST")


def mnist():
    """All rows, the 60,000 that train first."""
    x = np.concatenate([idx("train-images-idx3-ubyte"), idx("t10k-images-idx3-ubyte")])
    y = np.concatenate([idx("train-labels-idx1-ubyte"), idx("t10k-labels-idx1-ubyte")])
    return x.reshape(len(x), -1).astype(np.float32), y.astype(int)


def linear_operations(model):
    used = np.abs(model.coef_) > 1e-6
    return 2 * (used.sum() + model.intercept_.size) + 4 * model.coef_.shape[0]


# A maker takes rows, labels, a seed and budgets, and gives a model and its operations for each budget.

def logistic(penalty, c):
    def fit(x, y, _seed, budgets):
        solver = "liblinear" if len(set(y)) == 2 else "saga"
        tries = 3000 if len(y) < 1000 else 300
        model = LogisticRegression(penalty=penalty, C=c, solver=solver, max_iter=tries).fit(x, y)
        return [(model.predict, linear_operations(model))] * len(budgets)
    return fit


def boosted_operations(depth, trees, classes):
    return trees * (1 if classes == 2 else classes) * (depth + 1)


def boosted(depth, trees, rate):
    def fit(x, y, seed, budgets):
        if len(y) < LARGE_ROWS:
            model = GradientBoostingClassifier(
                max_depth=depth, n_estimators=trees, learning_rate=rate, random_state=seed)
        else:
            model = HistGradientBoostingClassifier(
                max_depth=depth, max_iter=trees, learning_rate=rate, early_stopping=False, random_state=seed)
        model.fit(x, y)
        return [(model.predict, boosted_operations(depth, trees, len(set(y))))] * len(budgets)
    return fit


class Perceptron:
    """One hidden layer of tanh, or none, trained by Adam on mini-batches; connections can be cut."""

    def __init__(self, x, y, hidden, seed):
        self.x, self.y = np.ascontiguousarray(x, np.float32), y
        self.rng = np.random.default_rng(seed)
        classes = len(set(y))
        self.outputs = 1 if classes == 2 else classes
        self.aim = (y[:, None] if self.outputs == 1 else np.eye(classes)[y]).astype(np.float32)
        sizes = [x.shape[1], hidden, self.outputs] if hidden else [x.shape[1], self.outputs]
        self.w = [self.rng.normal(0, a ** -0.5, (a, b)).astype(np.float32) for a, b in zip(sizes, sizes[1:])]
        self.bias = [np.zeros(b, np.float32) for b in sizes[1:]]
        self.alive = [np.ones_like(part, bool) for part in self.w]

    def copy(self):
        other = copy.copy(self)
        for name in ("w", "bias", "alive"):
            setattr(other, name, [part.copy() for part in getattr(self, name)])
        return other

    def forwards(self, rows):
        """What each layer reads, and the probabilities at the end."""
        reads = [rows]
        for w, bias in zip(self.w[:-1], self.bias):
            reads.append(np.tanh(reads[-1] @ w + bias))
        z = reads[-1] @ self.w[-1] + self.bias[-1]
        if self.outputs == 1:
            return reads, 1 / (1 + np.exp(-np.clip(z, -30, 30)))
        e = np.exp(z - z.max(1, keepdims=True))
        return reads, e / e.sum(1, keepdims=True)

    def predict(self, rows):
        p = self.forwards(rows.astype(np.float32))[1]
        return (p[:, 0] > 0.5).astype(int) if self.outputs == 1 else p.argmax(1)

    def operations(self):
        neurons = self.outputs + (self.alive[0].any(0).sum() if len(self.w) == 2 else 0)
        return int(2 * (sum(part.sum() for part in self.alive) + neurons) + 4 * neurons)

    def train(self, steps, l1, l2, rate=0.01):
        """`l1` and `l2` are prices of the weights of inputs with deviation one."""
        # Inputs that nothing reads are left out of the sums.
        read = np.flatnonzero(self.alive[0].any(1))
        whole, self.w[0] = self.w[0], self.w[0][read]
        alive = [self.alive[0][read], *self.alive[1:]]
        x, size = self.x[:, read], min(256, len(self.y))
        spread = [x.std(0)[:, None], *(1 for _ in self.w[1:])]
        parts = self.w + self.bias
        first, second = ([np.zeros_like(part) for part in parts] for _ in range(2))
        step = 0
        while step < steps:
            order = self.rng.permutation(len(self.y))
            for start in range(0, len(order) - size + 1, size):
                step += 1
                rows = order[start:start + size]
                reads, p = self.forwards(x[rows])
                delta, grads, shifts = (p - self.aim[rows]) / size, [], []
                for layer in reversed(range(len(self.w))):
                    price = spread[layer] * (l1 * np.sign(self.w[layer]) + l2 * spread[layer] * self.w[layer])
                    grads.insert(0, reads[layer].T @ delta + price)
                    shifts.insert(0, delta.sum(0))
                    if layer:
                        delta = (delta @ self.w[layer].T) * (1 - reads[layer] ** 2)
                now = rate * 0.5 * (1 + np.cos(np.pi * step / steps))
                for k, gradient in enumerate(grads + shifts):
                    first[k] += 0.1 * (gradient - first[k])
                    second[k] += 0.001 * (gradient * gradient - second[k])
                    move = first[k] / (1 - 0.9 ** step) / (np.sqrt(second[k] / (1 - 0.999 ** step)) + 1e-8)
                    parts[k] -= now * move
                    if k < len(alive):
                        parts[k] *= alive[k]
                if step == steps:
                    break
        whole[read] = self.w[0]
        self.w[0] = whole

    def cut(self, count):
        """The connections that move what they feed least: their weights times the deviation of what they read."""
        reads = self.forwards(self.x[:4000])[0]
        sizes = [np.abs(w) * values.std(0)[:, None] for w, values in zip(self.w, reads)]
        least = np.sort(np.concatenate([size[alive] for size, alive in zip(sizes, self.alive)]))[count - 1]
        self.alive = [alive & (size > least) for size, alive in zip(sizes, self.alive)]
        if len(self.w) == 2:
            idle = ~(self.alive[0].any(0) & self.alive[1].any(1))
            self.alive[0][:, idle] = False
            self.alive[1][idle] = False
        self.w = [w * alive for w, alive in zip(self.w, self.alive)]


def pruned(hidden, l1, l2):
    """A perceptron that is cut in steps, under L1 down to 2.5 times a budget and without it from there."""
    def fit(x, y, seed, budgets):
        model, found = Perceptron(x, y, hidden, seed), {}
        dense, after, last = (4000, 500, 6000) if len(y) >= LARGE_ROWS else (1000, 100, 1000)

        def cut_down(model, budget, l1):
            while (surplus := model.operations() - budget) > 0 and (links := sum(a.sum() for a in model.alive)):
                # In steps of 15 %, and in the end no more than the budget asks for.
                model.cut(max(1, min(int(0.15 * links), int(np.ceil(surplus / 2)))))
                model.train(after, l1, l2)

        model.train(dense, l1, l2)
        for budget in sorted(set(budgets), reverse=True):
            cut_down(model, 2.5 * budget, l1)
            small = model.copy()
            cut_down(small, budget, 0)
            small.train(last, 0, l2)
            found[budget] = (small.predict, small.operations())
        return [found[budget] for budget in budgets]
    return fit


def rivals(most, rows, classes):
    """The makers of each rival, for budgets of at most so many operations."""
    small = rows < LARGE_ROWS
    strengths = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2) if small else [c / rows for c in (30, 100, 300, 1000, 3000)]
    rounds = (10, 20, 30, 60, 100) if small else (5, 10, 15, 20, 28, 37, 50, 75)
    return {
        "logistic regression": [logistic("l2", c) for c in ((0.01, 0.1, 1, 10) if small else (0.1,))],
        "L1 logistic regression": [logistic("l1", c) for c in strengths],
        "boosted trees": [boosted(depth, trees, rate) for depth in (1, 2) for trees in rounds
                          for rate in (0.1, 0.3)
                          if boosted_operations(depth, trees, classes) <= most],
        "pruned linear": [pruned(0, l1, l2) for l1, l2 in (
            ((1e-3, 1e-3), (1e-2, 1e-2)) if small else ((1e-4, 0), (1e-3, 0)))],
        "pruned perceptron": [pruned(hidden, l1, l2) for hidden, l1, l2 in (
            ((4, 1e-3, 1e-3), (8, 1e-3, 1e-3), (8, 1e-2, 1e-2), (16, 1e-2, 1e-2)) if small else
            ((14, 1e-3, 0), (14, 3e-3, 0), (20, 1e-3, 0), (30, 1e-3, 0)))],
    }


def chosen(makers, x, y, budgets, seed):
    """For each budget a model that stays inside, made anew on all rows by the maker that was best on rows it
    had not seen: five folds of a small table, a tenth of a large one."""
    folds = list(StratifiedKFold(5 if len(y) < LARGE_ROWS else 10, shuffle=True, random_state=seed).split(x, y))
    if len(y) >= LARGE_ROWS:
        folds = folds[:1]
    scores = np.zeros((len(makers), len(budgets)))
    for maker, row in zip(makers, scores):
        if len(makers) == 1:
            break
        for a, b in folds:
            for k, (predict, cost) in enumerate(maker(x[a], y[a], seed, budgets)):
                # Costs differ from fold to fold; what is inside on none is no candidate at all.
                row[k] += (predict(x[b]) == y[b]).mean() if cost <= budgets[k] else 0
    made, models = {}, []
    for k, budget in enumerate(budgets):
        models.append(None)
        for choice in np.argsort(-scores[:, k], kind="stable"):
            if choice not in made:
                made[choice] = makers[choice](x, y, seed, budgets)
            if made[choice][k][1] <= budget:
                models[-1] = made[choice][k]
                break
    return models


def scale(x, train, is_image):
    """Pixels from 0 to 1: those at the rim would be huge otherwise, and cost the rivals accuracy."""
    if is_image:
        return x / 255
    mean, spread = x[train].mean(0), x[train].std(0)
    return (x - mean) / np.where(spread > 0, spread, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budgets", default="50,100")
    parser.add_argument("--only", help="part of a rival's name")
    options = parser.parse_args()
    budgets = [int(budget) for budget in options.budgets.split(",")]
    x, y = mnist() if options.data == "mnist" else table(options.data)
    for name, makers in rivals(max(budgets), len(y), len(set(y))).items():
        if options.only and options.only not in name:
            continue
        found = [[] for _ in budgets]
        for seed in range(1, options.seeds + 1):
            if options.data == "mnist":
                train, test = np.arange(60_000), np.arange(60_000, 70_000)
            else:
                train, test = split(len(y), LARGE.get(options.data, 0.7), seed)
            scaled = scale(x, train, options.data == "mnist")
            for models, model in zip(found, chosen(makers, scaled[train], y[train], budgets, seed)):
                if model:
                    models.append(((model[0](scaled[test]) == y[test]).mean(), model[1]))
        for budget, models in zip(budgets, found):
            if not models:
                print(f"{options.data} {budget}: {name} does not fit the budget", flush=True)
                continue
            accuracy, cost = np.array(models).T
            print(f"{options.data} {budget}: {name} {accuracy.mean():.4f} "
                  f"+- {accuracy.std(ddof=1) if len(accuracy) > 1 else 0:.4f}, "
                  f"{cost.mean():.0f} operations, {len(models)} of {options.seeds} splits", flush=True)


if __name__ == "__main__":
    main()
