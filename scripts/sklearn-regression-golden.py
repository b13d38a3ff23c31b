#!/usr/bin/env python3
"""Writes the values that regression baselines of crates/mge-baseline are held to.

    python3 -m venv venv && venv/bin/pip install scikit-learn
    venv/bin/python scripts/sklearn-regression-golden.py \
        > crates/mge-baseline/tests/golden/sklearn-regression.json

Each model of scikit-learn predicts the rows of a small table that it was trained on, and rows that
it was not. Features are standardised first, as ours are; penalties are per row, so ridge regression
gets alpha * rows.
"""

import json

import numpy as np
import sklearn
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

random = np.random.default_rng(20261119)
ROWS, TRAIN, FEATURES = 80, 60, 6

x = random.normal(size=(ROWS, FEATURES)).round(3).astype(np.float32)
x[:, 4] = (7 * x[:, 4] + 30).round(3)
y = 3 * x[:, 0] - 2 * np.abs(x[:, 1]) + 0.2 * x[:, 4] + random.normal(size=ROWS) * 0.7 + 11
y = y.round(4)


def scaled(model):
    return make_pipeline(StandardScaler(), model)


models = {
    "least squares": LinearRegression(),
    "ridge 0.1": scaled(Ridge(alpha=0.1 * TRAIN)),
    "ridge 3": scaled(Ridge(alpha=3.0 * TRAIN)),
    "lasso 0.1": scaled(Lasso(alpha=0.1, tol=1e-12, max_iter=100_000)),
    "lasso 0.8": scaled(Lasso(alpha=0.8, tol=1e-12, max_iter=100_000)),
    "tree 4": DecisionTreeRegressor(max_leaf_nodes=5, max_depth=5, random_state=1),
    "tree 11": DecisionTreeRegressor(max_leaf_nodes=12, max_depth=5, random_state=1),
    "stumps 1": GradientBoostingRegressor(max_depth=1, n_estimators=1),
    "stumps 60": GradientBoostingRegressor(max_depth=1, n_estimators=60),
    "neighbours 1": KNeighborsRegressor(1),
    "neighbours 7": KNeighborsRegressor(7),
}
wide = x.astype(float)
predictions = {}
for name, model in models.items():
    model.fit(wide[:TRAIN], y[:TRAIN])
    predictions[name] = [round(float(v), 7) for v in model.predict(wide)]
print(json.dumps({
    "sklearn": sklearn.__version__,
    "train": TRAIN,
    "columns": [[round(float(v), 3) for v in column] for column in x.T],
    "values": y.tolist(),
    "predictions": predictions,
}))
