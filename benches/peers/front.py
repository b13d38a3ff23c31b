#!/usr/bin/env python3
"""What a user gets without this project, at the same cost: accuracy under a budget of operations.

    python3 -m venv .venv && .venv/bin/pip install numpy scikit-learn
    .venv/bin/python benches/peers/front.py wdbc --seeds 10 --budgets 45,110

The splits are those of `cargo run --release -p mge-hybrid --example front`: the same rows for the
same seed. Operations are counted in the same way, 2 * (weights + biases) + 4 * (hidden + output
neurons); a boosted tree costs a comparison for each level and an addition. Settings of a rival
are chosen by five-fold cross-validation on the training rows; test rows choose nothing.
"""
import argparse
import csv
import gzip
import os
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

warnings.filterwarnings("ignore")
ROOT = Path(__file__).resolve().parents[2]
MASK = (1 << 64) - 1
LARGE = {"digits": 0.9, "letter": 0.9}


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


def logistic(penalty, c):
    def fit(x, y, _seed):
        solver = "liblinear" if len(set(y)) == 2 else "saga"
        tries = 400 if len(y) > 5000 else 3000
        model = LogisticRegression(penalty=penalty, C=c, solver=solver, max_iter=tries).fit(x, y)
        return model.predict, linear_operations(model)
    return fit


def boosted_operations(depth, trees, classes):
    return trees * (1 if classes == 2 else classes) * (depth + 1)


def boosted(depth, trees, rate):
    def fit(x, y, seed):
        model = GradientBoostingClassifier(
            max_depth=depth, n_estimators=trees, learning_rate=rate, random_state=seed).fit(x, y)
        return model.predict, boosted_operations(depth, trees, len(set(y)))
    return fit


def pruned(budget, hidden, decay):
    """A perceptron with one hidden layer, pruned by magnitude in steps, Adam on mini-batches."""
    def fit(x, y, seed):
        rng = np.random.default_rng(seed)
        classes = len(set(y))
        outputs = 1 if classes == 2 else classes
        aim = y[:, None].astype(float) if outputs == 1 else np.eye(classes)[y]
        w = [rng.normal(0, x.shape[1] ** -0.5, (x.shape[1], hidden)),
             np.zeros(hidden), rng.normal(0, hidden ** -0.5, (hidden, outputs)), np.zeros(outputs)]
        alive = [np.ones_like(part, bool) for part in w]

        def forwards(rows):
            h = np.tanh(rows @ w[0] + w[1])
            z = h @ w[2] + w[3]
            if outputs == 1:
                return h, 1 / (1 + np.exp(-np.clip(z, -30, 30)))
            e = np.exp(z - z.max(1, keepdims=True))
            return h, e / e.sum(1, keepdims=True)

        def cost():
            used = alive[0].any(0) & alive[2].any(1)
            links = alive[0][:, used].sum() + alive[2][used].sum() + used.sum() + outputs
            return 2 * links + 4 * (used.sum() + outputs)

        def train(steps, l1, rate=0.01):
            first = [np.zeros_like(part) for part in w]
            second = [np.zeros_like(part) for part in w]
            size = min(256, len(y))
            for step in range(1, steps + 1):
                rows = rng.choice(len(y), size, replace=False)
                h, p = forwards(x[rows])
                d = (p - aim[rows]) / size
                e = (d @ w[2].T) * (1 - h * h)
                grads = [x[rows].T @ e, e.sum(0), h.T @ d, d.sum(0)]
                now = rate * 0.5 * (1 + np.cos(np.pi * step / steps))
                for k in range(4):
                    g = grads[k]
                    if k % 2 == 0:
                        g = g + l1 * np.sign(w[k]) + decay * w[k]
                    first[k] = 0.9 * first[k] + 0.1 * g
                    second[k] = 0.999 * second[k] + 0.001 * g * g
                    move = first[k] / (1 - 0.9 ** step)
                    w[k] -= now * move / (np.sqrt(second[k] / (1 - 0.999 ** step)) + 1e-8)
                    w[k] *= alive[k]

        epochs = max(1, len(y) // 256)
        train(40 * epochs, 1e-3 if len(y) < 4000 else 1e-4)
        while cost() > budget:
            sizes = np.sort(np.concatenate(
                [np.abs(w[0][alive[0]]), np.abs(w[2][alive[2]])]))
            if not sizes.size:
                break
            # In steps of 15 %, and in the end no more than the budget asks for.
            surplus = max(1, min(int(0.15 * len(sizes)), int(np.ceil((cost() - budget) / 2))))
            least = sizes[min(len(sizes), surplus) - 1]
            for k in (0, 2):
                alive[k] &= np.abs(w[k]) > least
                w[k] *= alive[k]
            dead = ~(alive[0].any(0) & alive[2].any(1))
            alive[0][:, dead] = False
            alive[2][dead] = False
            train(8 * epochs, 0.0)
        train(30 * epochs, 0.0)
        predict = lambda rows: (forwards(rows)[1][:, 0] > 0.5).astype(int) if outputs == 1 \
            else forwards(rows)[1].argmax(1)
        return predict, cost()
    return fit


def rivals(budget, rows, classes):
    small = rows < 4000
    grid = {"logistic regression": [logistic("l2", c) for c in (0.01, 0.1, 1, 10)],
            "L1 logistic regression":
                [logistic("l1", c) for c in ((0.02, 0.05, 0.1, 0.2, 0.5, 1, 2) if small else (0.01, 0.1, 1))],
            "pruned perceptron": [pruned(budget, h, d) for h, d in
                                  (((4, 1e-3), (8, 1e-3), (8, 1e-2)) if small else ((24, 0),))]}
    if small or classes == 2:
        grid["boosted trees"] = [boosted(depth, trees, rate) for depth in (1, 2)
                                 for trees in (10, 20, 30, 60, 100) for rate in (0.1, 0.3)
                                 if boosted_operations(depth, trees, classes) <= budget]
    return grid


def chosen(makers, x, y, budget, seed):
    """The maker with the best cross-validated accuracy inside the budget, fitted on all rows."""
    fitted = [(maker, maker(x, y, seed)) for maker in makers]
    inside = [(maker, model) for maker, model in fitted if model[1] <= budget]
    if len(inside) < 2:
        return inside[0][1] if inside else None

    def right(maker):
        folds = StratifiedKFold(5, shuffle=True, random_state=seed).split(x, y)
        return np.mean([(maker(x[a], y[a], seed)[0](x[b]) == y[b]).mean() for a, b in folds])
    scores = [right(maker) for maker, _ in inside]
    return inside[int(np.argmax(scores))][1]


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
    x, y = mnist() if options.data == "mnist" else table(options.data)
    for budget in map(int, options.budgets.split(",")):
        for name, makers in rivals(budget, len(y), len(set(y))).items():
            if options.only and options.only not in name:
                continue
            found = []
            for seed in range(1, options.seeds + 1):
                if options.data == "mnist":
                    train, test = np.arange(60_000), np.arange(60_000, 70_000)
                else:
                    train, test = split(len(y), LARGE.get(options.data, 0.7), seed)
                scaled = scale(x, train, options.data == "mnist")
                model = chosen(makers, scaled[train], y[train], budget, seed)
                if model:
                    found.append(((model[0](scaled[test]) == y[test]).mean(), model[1]))
            if found:
                accuracy, cost = np.array(found).T
                print(f"{options.data} {budget}: {name} {accuracy.mean():.4f} "
                      f"+- {accuracy.std(ddof=1) if len(accuracy) > 1 else 0:.4f}, "
                      f"{cost.mean():.0f} operations, {len(found)} of {options.seeds} splits", flush=True)
            else:
                print(f"{options.data} {budget}: {name} does not fit the budget", flush=True)


if __name__ == "__main__":
    main()
