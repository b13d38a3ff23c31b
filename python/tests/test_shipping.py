"""Networks as code."""

import shutil
import subprocess
import sys

import numpy as np
import pytest

import mge


@pytest.fixture(scope="module")
def fitted():
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    model = mge.MGEClassifier(max_ops=60, generations=2, random_state=7).fit(X, y)
    return model, X


def test_every_target_is_written(fitted, tmp_path):
    model, _ = fitted
    for target in ("c", "rust", "onnx", "python", "js", "arduino"):
        files = model.export(target, tmp_path / target, name="iris")
        assert files and all((tmp_path / target) in map_path.parents for map_path in map(type(tmp_path), files))


def test_python_code_gives_the_same_answers(fitted, tmp_path):
    model, X = fitted
    model.export("python", tmp_path, name="iris")
    code = "import iris, json, sys; print(json.dumps([iris.__name__, dir(iris)]))"
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert "iris" in shown


def test_integers_come_from_rows_of_the_fit(fitted, tmp_path):
    model, _ = fitted
    files = model.export("c", tmp_path, name="iris", number="int8", max_accuracy_drop=0.1)
    assert "int8" in "".join(open(file).read() for file in files)
    loaded = tmp_path / "model.json"
    model.save(loaded)
    with pytest.raises(mge.ModelError, match="integers|calibration|rows"):
        mge.load(loaded).export("c", tmp_path / "other", number="int8")
    small = model.pick(max_ops=30)
    assert small.export("c", tmp_path / "small", number="int16", max_accuracy_drop=0.2)


def test_nothing_is_replaced_unless_asked(fitted, tmp_path):
    model, _ = fitted
    model.export("c", tmp_path, name="iris")
    other = model.pick(max_ops=30)
    with pytest.raises(mge.ModelError, match="iris"):
        other.export("c", tmp_path, name="iris")
    assert other.export("c", tmp_path, name="iris", overwrite=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "cobol"}, "unknown target `cobol`"),
        ({"target": "c", "number": "int4"}, "unknown number `int4`"),
        ({"target": "c", "layout": "list"}, "unknown layout `list`"),
        ({"target": "onnx", "number": "int8"}, "onnx"),
    ],
)
def test_what_cannot_be_written(fitted, tmp_path, arguments, message):
    model, _ = fitted
    with pytest.raises(ValueError, match=message):
        model.export(arguments.pop("target"), tmp_path, **arguments)


def test_onnx_gives_the_same_answers(fitted, tmp_path):
    onnxruntime = pytest.importorskip("onnxruntime")
    model, X = fitted
    (file,) = model.export("onnx", tmp_path, name="iris", inputs="all")
    session = onnxruntime.InferenceSession(file)
    name = session.get_inputs()[0].name
    label, p = session.run(None, {name: X.astype(np.float32)})
    np.testing.assert_allclose(p, model.predict_proba(X), atol=1e-6)
    assert (label == model.predict(X)).all()


def test_the_cost_on_a_device(fitted):
    model, _ = fitted
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mge.MGEWarning)
        cost = model.device_cost("atmega328p", emulate=False)
    assert set(cost["number"]) == {"f32", "int8", "int16"}
    assert (cost.loc[cost["layout"] == "table", "tables"] > 0).all()
    if shutil.which("avr-gcc"):
        assert (cost["flash"] > 0).all()
    with pytest.raises(mge.SettingsError, match="unknown device"):
        model.device_cost("atmega")
