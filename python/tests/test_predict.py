"""Predictions of many rows: fast ways give the numbers of slow ways."""

import numpy as np
import pytest

import mge


@pytest.fixture(scope="module")
def fitted():
    random = np.random.default_rng(3)
    X = random.normal(size=(400, 5))
    X[random.random(X.shape) < 0.05] = np.nan
    y = np.nan_to_num(X[:, 0]) * np.nan_to_num(X[:, 1]) + np.nan_to_num(X[:, 2]) > 0
    model = mge.MGEClassifier(generations=3, random_state=1, settings={"data.missing_indicator": True})
    return model.fit(X, y), X


def test_arrays_and_copies_give_equal_bits(fitted):
    """Floats are read in place. A column of objects is copied, and the others with it."""
    model, X = fitted
    in_place = model.predict_proba(X)
    np.testing.assert_array_equal(in_place, model.predict_proba(X.astype(object)))
    np.testing.assert_array_equal(in_place, model.predict_proba(np.asfortranarray(X)))
    np.testing.assert_array_equal(
        model.decision_function(X), model.decision_function(X.astype(object))
    )


def test_blocks_and_threads_change_nothing(fitted):
    model, X = fitted
    many = np.tile(X, (7, 1))[:2600]
    expected = np.concatenate([model.predict_proba(X[[row % 400]]) for row in range(2600)])
    np.testing.assert_array_equal(model.predict_proba(many), expected)
    labels = model.predict(many)
    for jobs in (2, 3, 16):
        model.set_params(n_jobs=jobs)
        np.testing.assert_array_equal(model.predict_proba(many), expected)
        np.testing.assert_array_equal(model.predict(many), labels)
    model.set_params(n_jobs=None)


def test_labels_are_those_of_the_probabilities(fitted):
    model, X = fitted
    many = np.tile(X, (40, 1)) + np.random.default_rng(0).normal(size=(16000, 5)) * 0.3
    best = model.classes_[model.predict_proba(many).argmax(axis=1)]
    np.testing.assert_array_equal(model.predict(many), best)


def test_values_far_outside(fitted):
    model, X = fitted
    far = np.tile(X[:8], (3, 1)) * np.repeat([1e3, 1e12, 1e30], 8)[:, None]
    p = model.predict_proba(far)
    assert np.isfinite(p).all()
    np.testing.assert_array_equal(p, model.predict_proba(far.astype(object)))
    np.testing.assert_array_equal(model.predict(far), model.classes_[p.argmax(axis=1)])


def test_numbers_that_are_too_large(fitted):
    model, X = fitted
    large = X.copy()
    large[3] = 1e39
    with pytest.raises(mge.DataError, match="row 4"):
        model.predict(large)
