#!/usr/bin/env python3
"""Writes the values that crates/mge-baseline is held to, computed by scikit-learn.

    python3 -m venv venv && venv/bin/pip install scikit-learn
    venv/bin/python scripts/sklearn-golden.py > crates/mge-baseline/tests/golden/sklearn.json

Logistic regressions on small random tables of two and of three classes: with an L2 penalty, and
with an L1 penalty that leaves few weights. scikit-learn weighs the sum of the losses by C; ours
divide by the rows, so a penalty is 1 / (C * rows).
"""

import json

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression

random = np.random.default_rng(20261116)


def table(rows, features, classes):
    x = random.normal(size=(rows, features)).round(3).astype(np.float32)
    scores = x[:, :3].astype(float) @ random.normal(size=(3, classes)) * 1.5
    scores += random.gumbel(size=(rows, classes))
    return x, scores.argmax(axis=1)


def case(classes, l1_ratio, c):
    x, y = table(60, 6, classes)
    model = LogisticRegression(
        C=c, l1_ratio=l1_ratio, solver="saga", tol=1e-9, max_iter=200_000, random_state=1
    )
    p = model.fit(x.astype(float), y).predict_proba(x.astype(float))
    strength = 1.0 / (c * len(y))
    return {
        "classes": classes,
        "l1": strength * l1_ratio,
        "l2": strength * (1 - l1_ratio),
        "columns": [[round(float(v), 3) for v in column] for column in x.T],
        "labels": y.tolist(),
        "probabilities": [[round(float(v), 6) for v in row] for row in p],
        "weights_left": int((np.abs(model.coef_) > 1e-8).sum()),
    }


cases = [case(2, 0, 1.0), case(3, 0, 1.0), case(2, 1, 0.15), case(3, 1, 0.2)]
print(json.dumps({"sklearn": sklearn.__version__, "cases": cases}))
