"""The same data, settings and seed give the same model as the command line, byte for byte."""

import json
import subprocess
import sys

import numpy as np
import pytest

import mge

pd = pytest.importorskip("pandas")


def command(*arguments, cwd, check=True):
    words = [sys.executable, "-m", "mge", *map(str, arguments)]
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=check)


def table(X, y, file):
    X.assign(**{y.name: y}).to_csv(file, index=False)


def fit_by_command(folder, *arguments):
    command(
        "fit", *arguments, "--out", "run", "--quiet", "--no-report", "--no-baselines", cwd=folder
    )
    return (folder / "run" / "model.json").read_bytes()


def saved(model, folder):
    model.save(folder / "saved.json")
    return (folder / "saved.json").read_bytes()


def test_all_rows(tmp_path, cancer):
    X, y = cancer
    X = X.iloc[::3, :8]
    y = y.iloc[::3]
    table(X, y, tmp_path / "cancer.csv")
    expected = fit_by_command(
        tmp_path, "cancer.csv", "--seed", 7, "--generations", 3, "--train-fraction", 1,
        "--max-ops", 40,
    )
    X.attrs["name"] = "cancer.csv"
    model = mge.MGEClassifier(max_ops=40, generations=3, random_state=7).fit(X, y)
    assert saved(model, tmp_path) == expected
    # The number of threads does not matter.
    model = mge.MGEClassifier(max_ops=40, generations=3, random_state=7, n_jobs=2).fit(X, y)
    assert saved(model, tmp_path) == expected


def test_a_split_by_fraction(tmp_path, iris):
    X, y = iris
    table(X, y, tmp_path / "iris.csv")
    expected = fit_by_command(
        tmp_path, "iris.csv", "--seed", 3, "--generations", 2, "--train-fraction", 0.7
    )
    X.attrs["name"] = "iris.csv"
    model = mge.MGEClassifier(
        generations=2, random_state=3, settings={"train_fraction": 0.7}
    ).fit(X, y)
    assert saved(model, tmp_path) == expected
    assert len(model.baselines_) > 0


def test_categories_missing_cells_and_test_rows(tmp_path, mixed):
    X, y = mixed
    table(X[:120], y[:120], tmp_path / "train.csv")
    table(X[120:], y[120:], tmp_path / "test.csv")
    expected = fit_by_command(
        tmp_path, "train.csv", "--test", "test.csv", "--seed", 5, "--generations", 2,
        "--as-category", "code", "--target", "quality",
    )
    train, test = X[:120].copy(), X[120:].copy()
    train.attrs["name"], test.attrs["name"] = "train.csv", "test.csv"
    model = mge.MGEClassifier(generations=2, random_state=5)
    model.fit(train, y[:120], eval_set=(test, y[120:]))
    assert saved(model, tmp_path) == expected


def test_weights_are_a_column(tmp_path, iris):
    X, y = iris
    weights = np.random.default_rng(1).integers(0, 3, len(X)).astype(float)
    frame = X.assign(sample_weight=weights.astype(int), target=y)
    frame.to_csv(tmp_path / "iris.csv", index=False)
    expected = fit_by_command(
        tmp_path, "iris.csv", "--seed", 3, "--generations", 2, "--train-fraction", 1,
        "--weight", "sample_weight",
    )
    X.attrs["name"] = "iris.csv"
    model = mge.MGEClassifier(generations=2, random_state=3).fit(X, y, sample_weight=weights)
    assert saved(model, tmp_path) == expected


@pytest.mark.parametrize("method", ["mge", "neat"])
def test_other_methods(tmp_path, iris, method):
    X, y = iris
    table(X, y, tmp_path / "iris.csv")
    expected = fit_by_command(
        tmp_path, "iris.csv", "--seed", 3, "--generations", 5, "--train-fraction", 1,
        "--method", method,
    )
    X.attrs["name"] = "iris.csv"
    model = mge.MGEClassifier(method, generations=5, random_state=3).fit(X, y)
    assert saved(model, tmp_path) == expected
    assert model.front_ is None
    with pytest.raises(mge.SearchError, match="no front to pick from"):
        model.pick(max_ops=30)


def test_a_picked_network(tmp_path, cancer):
    X, y = cancer
    X = X.iloc[::3, :8]
    y = y.iloc[::3]
    table(X, y, tmp_path / "cancer.csv")
    fit_by_command(tmp_path, "cancer.csv", "--seed", 7, "--generations", 3, "--train-fraction", 1)
    command("pick", "run", "--max-ops", 24, "--out", "small.json", cwd=tmp_path)
    X.attrs["name"] = "cancer.csv"
    model = mge.MGEClassifier(generations=3, random_state=7).fit(X, y)
    small = model.pick(max_ops=24)
    assert saved(small, tmp_path) == (tmp_path / "small.json").read_bytes()
    assert small.n_operations_ <= 24 <= model.n_operations_ + 24
    assert small.front_["picked"].sum() == 1


def test_predictions_are_those_of_the_command_line(tmp_path, mixed, small):
    X, y = mixed
    model = small.fit(X, y)
    model.save(tmp_path / "model.json")
    new = X.iloc[::-1]
    new.to_csv(tmp_path / "new.csv", index=False)
    printed = command("predict", "model.json", "new.csv", "--proba", cwd=tmp_path).stdout
    rows = [line.split(",") for line in printed.splitlines()]
    assert [row[0] for row in rows] == list(model.predict(new))
    found = np.array([[float(p) for p in row[1:]] for row in rows])
    np.testing.assert_array_equal(found, model.predict_proba(new))


def test_models_go_both_ways(tmp_path, mixed):
    X, y = mixed
    table(X, y, tmp_path / "mixed.csv")
    fit_by_command(tmp_path, "mixed.csv", "--seed", 5, "--generations", 2, "--target", "quality")
    model = mge.load(tmp_path / "run" / "model.json")
    assert list(model.classes_) == ["bad", "good"]
    assert model.score(X, y) > 0.8
    # Columns are found by name, and others are ignored.
    assert (model.predict(X.iloc[:, ::-1].assign(more=1)) == model.predict(X)).all()
    assert saved(model, tmp_path) == (tmp_path / "run" / "model.json").read_bytes()
    with pytest.raises(mge.DataError, match="size"):
        model.predict(X.drop(columns="size"))


def test_the_command_line_is_inside(tmp_path):
    help_text = command("--help", cwd=tmp_path)
    assert "Usage: mge" in help_text.stdout
    wrong = command("fti", cwd=tmp_path, check=False)
    assert wrong.returncode == 2 and "fti" in wrong.stderr
    missing = command("fit", "no-such-file.csv", cwd=tmp_path, check=False)
    assert missing.returncode == 1 and "no-such-file.csv" in missing.stderr
    version = command("--version", cwd=tmp_path)
    assert version.stdout.startswith(f"mge {mge.__version__}")


def test_the_front_of_the_command_line(tmp_path, iris):
    X, y = iris
    table(X, y, tmp_path / "iris.csv")
    fit_by_command(tmp_path, "iris.csv", "--seed", 3, "--generations", 2, "--train-fraction", 1)
    lines = json.loads((tmp_path / "run" / "front.json").read_text())["points"]
    X.attrs["name"] = "iris.csv"
    model = mge.MGEClassifier(generations=2, random_state=3).fit(X, y)
    assert list(model.front_["operations"]) == [line["operations"] for line in lines]
    assert not [name for name in model.front_.columns if "test" in name]
