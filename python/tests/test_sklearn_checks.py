"""The checks that scikit-learn has for every estimator."""

import warnings

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import mge

STOCHASTIC = (
    "a weight of 2 is two copies of a row that stay in one fold, and rows that occur twice do not: "
    "the search compares networks on other folds"
)


def expected_failed_checks(estimator):
    return {"check_sample_weight_equivalence_on_dense_data": STOCHASTIC}


@parametrize_with_checks(
    [mge.MGEClassifier(generations=3), mge.MGERegressor(generations=3)],
    expected_failed_checks=expected_failed_checks,
)
def test_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        # Some checks have rows in which a column is constant, or a class is rare.
        warnings.simplefilter("ignore", mge.MGEWarning)
        check(estimator)
