"""What X and y may be."""

import numpy as np
import pytest

import mge


def test_layouts_of_arrays_give_one_model(iris, small):
    X, y = iris[0].to_numpy(), iris[1].to_numpy()
    read_only = X.copy()
    read_only.setflags(write=False)
    wide = np.repeat(X, 2, axis=1)
    expected = small.fit(X, y)
    for other in (np.asfortranarray(X), read_only, wide[:, ::2], X.tolist(), X.astype(object)):
        assert small.fit(other, y)._model_json == expected._model_json
        np.testing.assert_array_equal(small.predict_proba(other), small.predict_proba(X))


def test_single_precision_is_the_same_numbers(iris, small):
    X, y = iris[0].to_numpy(), iris[1].to_numpy()
    expected = small.fit(X, y)._model_json
    assert small.fit(X.astype(np.float32), y)._model_json == expected


def test_integers_of_all_sizes(small):
    random = np.random.default_rng(0)
    X = random.integers(0, 100, (80, 3))
    y = X[:, 0] + X[:, 1] > 100
    expected = small.fit(X, y)._model_json
    for kind in (np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32, np.uint64, np.float16):
        assert small.fit(X.astype(kind), y)._model_json == expected, kind
    assert small.classes_.dtype == bool
    assert small.predict(X).dtype == bool


def test_frames_of_all_libraries_give_one_model(mixed, small):
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    X, y = mixed
    small.fit(X, y)
    expected, answers = small._model_json, small.predict(X)
    frame = pl.from_pandas(X.assign(code=X["code"].astype(str).astype("category")))
    small.fit(frame, pl.Series("quality", y.tolist()))
    assert small._model_json == expected
    assert (small.predict(frame) == answers).all()
    arrow = frame.to_arrow()
    small.fit(arrow, pa.array(y.tolist()))
    assert (small.predict(arrow) == answers).all()

    class Stream:
        """Something with the Arrow protocol and nothing else."""

        def __arrow_c_stream__(self, requested_schema=None):
            return arrow.__arrow_c_stream__(requested_schema)

    assert (small.predict(Stream()) == answers).all()


def test_a_frame_keeps_its_types(mixed, small):
    X, y = mixed
    small.fit(X, y)
    kinds = {column["name"]: column["kind"] for column in small._model.columns()}
    assert kinds == {
        "size": "number",
        "colour": "category",
        "code": "category",
        "is_new": "boolean",
        "count": "number",
    }
    assert set(small.features_used_) <= set(X.columns)
    assert list(small.feature_names_in_) == list(X.columns)


def test_unseen_categories_are_told(mixed, small):
    X, y = mixed
    small.fit(X, y)
    new = X.assign(colour="violet")
    with pytest.warns(mge.DataWarning, match="violet"):
        small.predict(new)


def test_columns_must_be_those_of_the_fit(mixed, small):
    X, y = mixed
    small.fit(X, y)
    with pytest.raises(ValueError, match="feature names should match"):
        small.predict(X.iloc[:, ::-1])
    with pytest.raises(ValueError, match="features, but MGEClassifier is expecting 5"):
        small.predict(X.iloc[:, :3].to_numpy())


def test_text_where_numbers_were(small):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": np.arange(60.0), "b": np.arange(60) % 7})
    y = np.arange(60) > 30
    small.fit(X, y)
    with pytest.raises(mge.DataError, match="column `a`.*many"):
        small.predict(pd.DataFrame({"a": ["many"] * 3, "b": [1, 2, 3]}))


def test_labels_of_any_kind(small):
    pd = pytest.importorskip("pandas")
    X = np.arange(90.0).reshape(-1, 1)
    for labels in (
        [10, 9, 100],
        ["10", "9", "100"],
        [2.0, 1.0, -2.0],
        ["b", "a", "NA"],
    ):
        y = np.repeat(labels, 30)
        small.fit(X, y)
        np.testing.assert_array_equal(small.classes_, np.unique(y))
        assert (small.predict(X) == y).mean() > 0.8, labels
        best = small.classes_[small.predict_proba(X).argmax(axis=1)]
        assert (best == small.predict(X)).all()
        best = small.classes_[small.decision_function(X).argmax(axis=1)]
        assert (best == small.predict(X)).all()
    y = pd.Series(pd.Categorical(np.repeat(["low", "high", "mid"], 30)))
    assert set(small.fit(X, y).predict(X)) <= {"low", "high", "mid"}


def test_two_classes_in_either_order(small):
    X = np.arange(60.0).reshape(-1, 1)
    for labels in (["9", "10"], ["10", "9"], ["a", "b"]):
        y = np.repeat(labels, 30)
        small.fit(X, y)
        decision = small.decision_function(X)
        assert decision.shape == (60,)
        assert (small.classes_[(decision > 0).astype(int)] == small.predict(X)).mean() > 0.98
        assert (small.predict(X) == y).mean() > 0.9


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.zeros((0, 2)), [], "0 sample"),
        (np.zeros((4, 0)), [0, 1, 0, 1], "0 feature"),
        (np.zeros((4, 2)), [0, 0, 0, 0], "one class"),
        (np.zeros((4, 2)), [0, 1, 0], "inconsistent numbers"),
        ([[1.0], [np.inf], [2.0], [0.0]], [0, 1, 0, 1], "infinity"),
        ([[1.0], [1e39], [2.0], [0.0]], [0, 1, 0, 1], "row 2, column `column_1`"),
        (np.zeros((4, 2)), [0.1, 0.2, 0.3, 0.7], "Unknown label type"),
        (np.zeros((4, 2)), [0, 1, None, 1], "NaN|label|None"),
        ([1.0, 2.0], [0, 1], "2D array"),
    ],
)
def test_what_cannot_be_used_is_refused(small, X, y, message):
    with pytest.raises(ValueError, match=message):
        small.fit(X, y)


def test_sparse_matrices_are_refused(small):
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match="[Ss]parse"):
        small.fit(sparse.csr_matrix(np.eye(6)), [0, 1] * 3)


def test_objects_that_are_no_cells(small):
    X = np.array([[{"a": 1}], [2.0], [3.0], [4.0]], dtype=object)
    with pytest.raises(TypeError, match="argument must be a string or a number"):
        small.fit(X, [0, 1, 0, 1])


def test_only_missing_or_constant_columns(small):
    X = np.column_stack([np.full(40, np.nan), np.ones(40), np.arange(40.0)])
    small.fit(X, np.arange(40) > 20)
    assert list(small.features_used_) == [2]


def test_times_are_read(small):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(
        {
            "when": pd.date_range("2026-01-01", periods=60, freq="D"),
            "took": pd.to_timedelta(np.arange(60), unit="s"),
        }
    )
    small.fit(X, np.arange(60) > 30)
    assert list(small.features_used_) == ["took"]
