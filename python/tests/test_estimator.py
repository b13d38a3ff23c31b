"""Parameters, attributes, and life among other estimators."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mge


def test_limits_hold(cancer):
    X, y = cancer
    model = mge.MGEClassifier(
        max_ops=40, max_features=3, max_neurons=2, max_bytes=40, generations=2, random_state=1
    ).fit(X, y)
    size = model.network_.size
    assert model.n_operations_ == size["operations"] <= 40
    assert len(model.features_used_) <= 3
    assert size["neurons"] <= 2
    assert model.n_bytes_ == size["bytes"] <= 40
    assert model.n_iter_ == 2
    assert model.seed_ == 1


def test_the_front_is_a_frame_of_validation_figures(cancer, small):
    X, y = cancer
    front = small.fit(X, y).front_
    assert list(front.columns) == [
        "operations", "bytes", "features", "neurons", "cost", "validation_loss", "standard_error",
        "validation_accuracy", "picked",
    ]
    assert front["operations"].is_monotonic_increasing
    assert front["picked"].sum() == 1
    assert front.loc[front["picked"], "operations"].item() == small.n_operations_
    assert list(small.history_["generation"]) == [1, 2]
    assert small.baselines_.empty


def test_test_rows_reach_the_metrics_alone(cancer, small):
    X, y = cancer
    plain = small.fit(X[:400], y[:400])
    network, front = plain._model.network(), plain._front_json
    with_rows = clone(small).fit(X[:400], y[:400], eval_set=[(X[400:], y[400:])])
    assert with_rows._model.network() == network
    assert with_rows._front_json == front
    assert with_rows._model.metrics()["test"]["rows"] == len(X) - 400
    assert {"majority-class", "logistic-regression"} & set(with_rows.baselines_["name"]) or len(
        with_rows.baselines_
    )
    expected = with_rows.score(X[400:], y[400:])
    assert with_rows._model.metrics()["test"]["accuracy"] == pytest.approx(expected)


def test_the_parameter_pick_and_the_method_pick(cancer):
    model = mge.MGEClassifier(pick="smallest-within-1se", generations=2, random_state=1)
    assert model.get_params()["pick"] == "smallest-within-1se"
    assert "pick='smallest-within-1se'" in repr(model)
    assert clone(model).get_params()["pick"] == "smallest-within-1se"
    model.set_params(pick="knee").fit(*cancer)
    best = model.pick(rule="lowest-loss")
    assert best.n_operations_ >= model.n_operations_
    assert model.get_params()["pick"] == "knee"
    tiny = best.pick(max_ops=12)
    assert tiny.n_operations_ <= 12 < best.n_operations_
    assert tiny.predict(cancer[0]).shape == (len(cancer[0]),)
    with pytest.raises(mge.SearchError, match="keeps the limits; the smallest has"):
        model.pick(max_ops=6)
    with pytest.raises(mge.SettingsError, match="unknown|expected"):
        model.pick(rule="best")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"settings": {"hybrid": {"noize": 1}}}, "unknown setting `noize`.*did you mean `noise`"),
        ({"settings": {"sede": 1}}, "unknown setting `sede`.*did you mean `seed`"),
        ({"settings": {"stop.generation": 1}}, "did you mean `generations`"),
        ({"method": "hybird"}, "did you mean `hybrid`"),
        ({"method": "mge", "max_ops": 30}, "max_ops is not a setting of method mge"),
        ({"variant": "alpha"}, "variant .*of method mge"),
        ({"pick": "best"}, "unknown rule `best`"),
        ({"max_ops": 3}, "max_ops is 3"),
        ({"generations": -1}, "generations|u64"),
        ({"scale": "log"}, "zscore"),
        ({"class_weight": "even"}, "expected None, 'balanced' or a dict"),
        ({"random_state": -1}, "expected a number from 0 on"),
        ({"settings": {"seed": 3}}, "expected the parameter random_state"),
        ({"max_ops": 30, "settings": {"hybrid.max_ops": 20}}, "the parameter max_ops too"),
        ({"time_limit": float("nan")}, "NaN"),
    ],
)
def test_wrong_parameters_are_told(iris, parameters, message):
    with pytest.raises(mge.SettingsError, match=message):
        mge.MGEClassifier(**{"generations": 1, **parameters}).fit(*iris)


def test_settings_have_their_toml_names(iris):
    nested = mge.MGEClassifier(
        random_state=1, settings={"stop": {"generations": 2}, "hybrid": {"noise": 0.1}}
    ).fit(*iris)
    dotted = mge.MGEClassifier(
        random_state=1, settings={"stop.generations": 2, "hybrid.noise": 0.1}
    ).fit(*iris)
    assert nested._model_json == dotted._model_json
    assert nested.n_iter_ == 2
    assert nested._model.settings()["method"]["noise"] == 0.1


def test_seeds(iris):
    def seed(random_state):
        return mge.MGEClassifier(generations=1, random_state=random_state).fit(*iris).seed_

    assert seed(7) == 7
    assert seed(np.int64(7)) == 7
    assert seed(np.random.RandomState(3)) == seed(np.random.RandomState(3))
    assert seed(np.random.default_rng(3)) == seed(np.random.default_rng(3))
    np.random.seed(5)
    first = seed(None)
    np.random.seed(5)
    assert seed(None) == first != seed(None)


def test_n_jobs_follows_joblib(iris, small):
    import joblib

    expected = small.fit(*iris)._model_json
    assert small._run_record["threads"] == 1
    with joblib.parallel_config(backend="threading", n_jobs=2):
        small.fit(*iris)
    assert small._run_record["threads"] == 2
    assert small._model_json == expected
    assert small.set_params(n_jobs=2).fit(*iris)._model_json == expected


def test_class_weights(small):
    random = np.random.default_rng(0)
    X = np.concatenate([random.normal(0, 1, (300, 1)), random.normal(1.5, 1, (30, 1))])
    y = np.repeat([0, 1], [300, 30])

    def recall(model):
        return (model.fit(X, y).predict(X)[y == 1] == 1).mean()

    plain = recall(small)
    assert recall(clone(small).set_params(class_weight="balanced")) > plain + 0.2
    assert recall(clone(small).set_params(class_weight={0: 1, 1: 10})) > plain + 0.2


def test_sample_weights(cancer, small):
    X, y = cancer
    assert small.fit(X, y, sample_weight=np.full(len(X), 3.0))._model_json == (
        clone(small).fit(X, y)._model_json
    )
    # Rows without weight are not there, and the others are.
    weights = np.where(np.arange(len(X)) < 300, 2.0, 0.0)
    weighted = clone(small).fit(X, y, sample_weight=weights)
    assert weighted._model.metrics()["train"]["rows"] == 300
    # Real weights are rounded, with about four copies of a row.
    weights = np.random.default_rng(0).random(len(X))
    real = clone(small).fit(X, y, sample_weight=weights)
    assert abs(real._model.metrics()["train"]["rows"] - 4 * len(X)) < 2
    for wrong in (np.full(len(X), -1.0), np.full(len(X), np.nan), np.zeros(len(X))):
        with pytest.raises(ValueError):
            small.fit(X, y, sample_weight=wrong)


def test_warm_start(cancer):
    X, y = cancer
    model = mge.MGEClassifier(generations=2, random_state=1, warm_start=True).fit(X, y)
    first = model.front_["validation_loss"].min()
    model.fit(X, y)
    assert len(model._model.settings()["method"]["start"]) > 0
    assert model.front_["validation_loss"].min() <= first * 1.2


def test_among_other_estimators(cancer, small):
    X, y = cancer
    X = X.iloc[:, :6]
    pipeline = make_pipeline(StandardScaler(), small).fit(X, y)
    assert pipeline.score(X, y) > 0.85
    pipeline.set_output(transform="pandas").fit(X, y)
    assert cross_val_score(small, X, y, cv=3).mean() > 0.85
    search = GridSearchCV(small, {"max_ops": [12, 40]}, cv=2).fit(X, y)
    assert search.best_params_["max_ops"] in (12, 40)
    importance = permutation_importance(small.fit(X, y), X, y, n_repeats=2, random_state=0)
    used = set(small.features_used_)
    for name, mean in zip(X.columns, importance.importances_mean, strict=True):
        assert name in used or mean == 0
    calibrated = CalibratedClassifierCV(small, cv=2).fit(X, y)
    assert calibrated.predict_proba(X).shape == (len(X), 2)


def test_grid_search_in_processes(cancer, small):
    X, y = cancer
    search = GridSearchCV(small, {"max_ops": [12, 40]}, cv=2, n_jobs=2).fit(X.iloc[:, :4], y)
    assert search.best_score_ > 0.8


def test_metadata_routing(cancer, small):
    import sklearn

    X, y = cancer
    X = X.iloc[:, :4]
    weights = np.where(y == 0, 2.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        model = small.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        scores = cross_val_score(model, X, y, cv=2, params={"sample_weight": weights})
        assert scores.mean() > 0.8
        routing = model.get_metadata_routing()
        assert routing.fit.requests["sample_weight"] is True


def test_import_is_light():
    import subprocess
    import sys

    code = (
        "import mge, sys; heavy = {'sklearn', 'pandas', 'matplotlib', 'scipy', 'narwhals'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
    assert "MGEClassifier" in dir(mge)
    with pytest.raises(AttributeError, match="no attribute 'MGEClasifier'"):
        mge.MGEClasifier  # noqa: B018
