"""What the tests share."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

import mge


@pytest.fixture
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture
def cancer():
    return load_breast_cancer(return_X_y=True, as_frame=True)


@pytest.fixture
def small():
    """A classifier that is fast to fit."""
    return mge.MGEClassifier(generations=2, random_state=7, settings={"hybrid": {"cv_repeats": 1}})


@pytest.fixture
def mixed():
    """A frame with numbers, texts, categories, booleans and missing cells; and labels."""
    pd = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    rows = 160
    colour = random.choice(["red", "green", "blue"], rows)
    size = random.normal(size=rows).round(3)
    code = random.integers(1, 4, rows)
    is_new = random.random(rows) < 0.5
    y = np.where((colour == "red") ^ (size > 0.3), "good", "bad")
    frame = pd.DataFrame(
        {
            "size": np.where(random.random(rows) < 0.1, np.nan, size),
            "colour": pd.Series(colour).where(random.random(rows) > 0.1),
            "code": pd.Categorical(code),
            "is_new": is_new,
            "count": pd.array(np.where(code == 2, None, code), dtype="Int64"),
        }
    )
    return frame, pd.Series(y, name="quality")
