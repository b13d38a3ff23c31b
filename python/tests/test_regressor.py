"""The regressor: numbers, several targets, and the model of the command line."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.model_selection import cross_val_score

import mge

pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True, as_frame=True)


def regressor(**parameters):
    return mge.MGERegressor(generations=2, random_state=7, **parameters)


def test_it_predicts(diabetes):
    X, y = diabetes
    model = regressor(max_ops=60).fit(X, y)
    assert model.score(X, y) > 0.4
    assert model.n_operations_ <= 60
    assert abs(model.predict(X).mean() - y.mean()) < 10
    smaller = model.pick(max_ops=20)
    assert smaller.n_operations_ <= 20
    np.testing.assert_array_equal(model.predict(X), model.predict(X.astype(object)))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert cross_val_score(regressor(), X, y, cv=2).mean() > 0.2


def test_it_is_the_model_of_the_command_line(diabetes, tmp_path):
    X, y = diabetes
    X.assign(target=y).to_csv(tmp_path / "diabetes.csv", index=False)
    command = [
        sys.executable, "-m", "mge", "fit", "diabetes.csv", "--target", "target", "--seed", "7",
        "--generations", "2", "--train-fraction", "1", "--out", "run", "--quiet", "--no-report",
        "--no-baselines",
    ]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    named = X.copy()
    named.attrs["name"] = "diabetes.csv"
    model = regressor().fit(named, y)
    model.save(tmp_path / "saved.json")
    expected = (tmp_path / "run" / "model.json").read_bytes()
    assert (tmp_path / "saved.json").read_bytes() == expected
    loaded = mge.load(tmp_path / "saved.json")
    assert isinstance(loaded, mge.MGERegressor)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


def test_several_targets(diabetes):
    X, y = diabetes
    both = pd.DataFrame({"one": y, "two": 1000 - 2 * y})
    model = regressor().fit(X, both)
    found = model.predict(X)
    assert found.shape == (len(X), 2)
    assert model.score(X, both) > 0.3
    assert model.explain(X[:3]).shape == (3, X.shape[1], 2)


def test_contributions_add_up(diabetes):
    X, y = diabetes
    model = regressor(max_ops=40).fit(X, y)
    found = model.explain(X[:5], background=X[100:150])
    base = model.predict(X[100:150]).mean()
    np.testing.assert_allclose(found.sum(axis=1) + base, model.predict(X[:5]), rtol=1e-9)


def test_what_cannot_be_learned(diabetes):
    X, y = diabetes
    with pytest.raises(ValueError):
        regressor().fit(X, np.ones(len(X)))
    with pytest.raises(ValueError, match="targets, expected 1"):
        regressor().fit(X, y, eval_set=(X, np.column_stack([y, y])))


def test_the_formula_is_in_units_of_the_target(diabetes):
    sympy = pytest.importorskip("sympy")
    X, y = diabetes
    model = regressor(max_ops=30).fit(X, y)
    assert model.formula().startswith("target = ")
    expression = model.formula(digits=12, form="sympy")["target"]
    row = {sympy.Symbol(name, real=True): value for name, value in X.iloc[3].items()}
    assert float(expression.subs(row)) == pytest.approx(model.predict(X.iloc[[3]])[0], rel=1e-4)
    assert r"\begin{aligned}" in model.formula(form="latex")
