"""Pictures, plots, formulas and explanations."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import mge


@pytest.fixture(scope="module")
def data():
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def fitted(data):
    X, y = data
    return mge.MGEClassifier(generations=2, random_state=7).fit(X[:400], y[:400])


@pytest.fixture(scope="module")
def with_test(data):
    X, y = data
    model = mge.MGEClassifier(generations=2, random_state=7)
    return model.fit(X[:400], y[:400], eval_set=(X[400:], y[400:]))


def test_html(fitted):
    unfitted = mge.MGEClassifier()
    assert "<svg" not in unfitted._repr_html_() or "mge-fit" not in unfitted._repr_html_()
    page = fitted._repr_html_()
    assert "mge-fit" in page and "<svg" in page and "mge-picked" in page
    assert "sk-container" in page
    assert fitted._repr_mimebundle_()["text/html"] == page or "mge-fit" in page
    assert "test" not in page.split("mge-fit")[-1]


def test_the_network(fitted):
    network = fitted.network_
    assert network._repr_svg_().startswith("<svg")
    assert network.svg("dark") != network.svg("light")
    with pytest.raises(mge.SettingsError, match="light or dark"):
        network.svg("grey")
    assert len(network.neurons) == network.size["neurons"]
    assert sum(one["used"] for one in network.inputs) == network.size["features"]
    assert f"{network.size['operations']} operations" in repr(network)


def values_of(text, row, classes):
    """Evaluates a formula in text, as Python."""
    lines = dict(line.split(" = ", 1) for line in text.splitlines())
    names = {name: f"v{index}" for index, name in enumerate(row)}

    def number(expression):
        for name in sorted(names, key=len, reverse=True):
            expression = expression.replace(f"`{name}`", names[name]).replace(name, names[name])
        scope = {names[name]: value for name, value in row.items()}
        scope |= {
            "exp": np.exp, "tanh": np.tanh, "max": max, "sin": np.sin,
            "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
        }
        return eval(expression.replace("^", "**"), {"__builtins__": {}}, scope)

    if "z" in lines:
        return number(lines["z"])
    return [number(lines[f"z({name})"]) for name in classes]


def test_the_formula_is_the_network(fitted, data):
    X, _ = data
    text = fitted.formula(digits=9)
    for row in range(0, 60, 7):
        found = values_of(text, X.iloc[row].to_dict(), fitted.classes_)
        assert found == pytest.approx(fitted.decision_function(X.iloc[[row]])[0], rel=1e-5, abs=1e-5)
    assert fitted.formula_ == fitted.formula()
    assert len(fitted.formula(digits=2)) < len(text)
    assert "scaled(" in fitted.formula(units="scaled")
    assert r"\sigma" in fitted.formula(form="latex")
    for wrong in ({"units": "metric"}, {"digits": 0}, {"form": "word"}):
        with pytest.raises(ValueError, match="expected"):
            fitted.formula(**wrong)


def test_formulas_of_sympy(iris, small):
    sympy = pytest.importorskip("sympy")
    X, y = iris
    small.fit(X, y)
    found = small.formula(digits=12, form="sympy")
    row = X.iloc[70]
    values = {sympy.Symbol(name, real=True): value for name, value in row.items()}
    p = [float(expression.subs(values)) for expression in found.values()]
    np.testing.assert_allclose(p, small.predict_proba(X.iloc[[70]])[0], rtol=1e-5)


def test_formulas_name_categories(mixed, small):
    small.fit(*mixed)
    text = small.formula()
    assert "[colour = " in text or "colour" not in small.features_used_


def test_contributions_add_up(fitted, data):
    X, _ = data
    found = fitted.explain(X[:20], background=X[100:150])
    assert found.shape == (20, X.shape[1])
    base = fitted.decision_function(X[100:150]).mean()
    np.testing.assert_allclose(
        found.sum(axis=1) + base, fitted.decision_function(X[:20]), rtol=1e-9, atol=1e-9
    )
    used = np.isin(X.columns, fitted.features_used_)
    assert (found[:, ~used] == 0).all() and (found[:, used] != 0).any()


def test_contributions_of_a_linear_network(data):
    """With no hidden neuron the Shapley value of a column is its weight times its distance."""
    X, y = data
    model = mge.MGEClassifier(max_neurons=0, generations=2, random_state=7).fit(X, y)
    assert not model.network_.neurons
    features = model.network_.inputs
    expected = np.zeros((10, X.shape[1]))
    background = X.to_numpy()[:80]
    for link in model.network_.outputs[0]["links"]:
        feature = features[link["input"]]
        column = list(X.columns).index(feature["column"])
        slope = link["weight"] * feature["factor"]
        expected[:, column] += slope * (X.to_numpy()[:10, column] - background[:, column].mean())
    found = model.explain(X[:10], background=X[:80])
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    try:
        import shap
    except ImportError:
        return
    weights = np.zeros(X.shape[1])
    constant = model.network_.outputs[0].get("bias") or 0.0
    for link in model.network_.outputs[0]["links"]:
        feature = features[link["input"]]
        slope = link["weight"] * feature["factor"]
        weights[list(X.columns).index(feature["column"])] += slope
        constant -= slope * feature["offset"]
    linear = shap.LinearExplainer((weights, constant), background)
    np.testing.assert_allclose(found, linear.shap_values(X.to_numpy()[:10]), rtol=1e-4, atol=1e-4)


def test_contributions_for_each_class(iris, small):
    X, y = iris
    small.fit(X, y)
    found = small.explain(X[::30])
    assert found.shape == (5, 4, 3)
    base = small.decision_function(X[::30]).mean(axis=0)
    np.testing.assert_allclose(
        found.sum(axis=1) + base, small.decision_function(X[::30]), rtol=1e-9, atol=1e-9
    )


def test_contributions_with_categories(mixed, small):
    X, y = mixed
    small.fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = small.explain(X[:5])
    base = small.decision_function(X[:5]).mean()
    np.testing.assert_allclose(found.sum(axis=1) + base, small.decision_function(X[:5]), atol=1e-9)


def test_plots(fitted, with_test, data):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    X, y = data
    _, ax = plt.subplots()
    assert fitted.plot_front(ax=ax) is ax
    assert ax.get_xlabel() == "operations" and ax.get_ylabel() == "validation accuracy"
    names = [text.get_text() for text in with_test.plot_front(baselines=True).texts]
    assert any("logistic" in name for name in names)
    assert len(fitted.plot_history().lines) == 2
    drawn = fitted.plot_network()
    assert len(drawn.lines) >= sum(len(unit["links"]) for unit in fitted.network_.outputs)
    bars = fitted.plot_importance(X[400:], y[400:], n_repeats=2)
    assert len(bars.patches) == len(fitted.features_used_)
    assert fitted.plot_calibration(X[400:], y[400:]).get_ylabel() == "fraction of rows"
    plt.close("all")


def test_the_report(with_test, fitted, tmp_path):
    for model in (with_test, fitted, fitted.pick(max_ops=20)):
        model.report(tmp_path / "report.html", name="my fit")
        page = (tmp_path / "report.html").read_text()
        assert "my fit" in page and "<svg" in page
    model.save(tmp_path / "model.json")
    mge.load(tmp_path / "model.json").report(tmp_path / "report.html")


def test_a_logistic_regression_is_a_baseline(with_test, data):
    X, y = data
    table = with_test.baselines_.set_index("name")
    own = LogisticRegression(max_iter=5000).fit(X[:400], y[:400]).score(X[400:], y[400:])
    assert table.loc[[name for name in table.index if "logistic" in name], "test_accuracy"].max() > own - 0.1
