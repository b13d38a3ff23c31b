"""Ctrl-C, callbacks and progress."""

import os
import signal
import subprocess
import sys
import threading
import warnings

import pytest

import mge


def test_ctrl_c_leaves_the_best_network(cancer):
    X, y = cancer
    seen = []

    def press(event):
        if event["event"] == "generation":
            seen.append(event["generation"])
            if event["generation"] == 2:
                os.kill(os.getpid(), signal.SIGINT)

    model = mge.MGEClassifier(generations=500, random_state=1, callbacks=[press])
    with pytest.warns(mge.InterruptedWarning, match="best network so far"):
        model.fit(X, y)
    assert 2 <= model.n_iter_ <= 3
    assert seen[-1] == model.n_iter_
    assert model._model.search()["stop_reason"] == "interrupted"
    assert model.score(X, y) > 0.85


def test_ctrl_c_is_heard_within_a_generation(cancer):
    """Nobody calls back, and the search takes long."""
    X, y = cancer
    threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    model = mge.MGEClassifier("mge", generations=10**9, random_state=1)
    with pytest.warns(mge.InterruptedWarning):
        model.fit(X, y)
    assert model.n_iter_ >= 1


def test_ctrl_c_does_not_end_the_process(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import warnings, mge\n"
        "from sklearn.datasets import load_breast_cancer\n"
        "X, y = load_breast_cancer(return_X_y=True)\n"
        "def ready(event):\n"
        "    if event['event'] == 'generation':\n"
        "        print('ready', flush=True)\n"
        "model = mge.MGEClassifier(generations=10**6, random_state=1, callbacks=[ready])\n"
        "model.fit(X, y)\n"
        "print('score', model.score(X, y), flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-u", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline().strip() == "ready"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert "score 0.9" in out or "score 0.8" in out
    assert "InterruptedWarning" in err


def test_callbacks_get_events(cancer):
    events = []
    model = mge.MGEClassifier(generations=3, random_state=1, callbacks=[events.append])
    model.fit(*cancer)
    kinds = [event["event"] for event in events]
    assert kinds[0] == "planned" and kinds[1] == "started" and kinds[-1] == "finished"
    generations = [event for event in events if event["event"] == "generation"]
    assert [event["generation"] for event in generations] == [1, 2, 3]
    for event in generations:
        assert {"best_loss", "evaluations", "seconds", "operations", "train_accuracy"} <= set(event)
    # To watch changes nothing.
    assert model._model_json == mge.MGEClassifier(generations=3, random_state=1).fit(*cancer)._model_json


def test_a_callback_stops_the_search(cancer):
    def stop(event):
        return event["event"] == "generation" and event["generation"] == 2

    model = mge.MGEClassifier(generations=50, random_state=1, callbacks=[stop])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(*cancer)
    assert model.n_iter_ == 2


def test_an_error_of_a_callback_is_raised(cancer):
    def fail(event):
        if event["event"] == "generation":
            raise ZeroDivisionError("of the callback")

    model = mge.MGEClassifier(generations=50, random_state=1, callbacks=[fail])
    with pytest.raises(ZeroDivisionError, match="of the callback"):
        model.fit(*cancer)
    assert model.n_iter_ == 1


def test_callbacks_of_scikit_learn(cancer):
    callback = pytest.importorskip("sklearn.callback")

    class Count:
        def __init__(self):
            self.calls = []

        def setup(self, estimator, context):
            self.calls.append("setup")

        def teardown(self, estimator, context):
            self.calls.append("teardown")

        def on_fit_task_begin(self, estimator, context, *, metadata=None):
            self.calls.append(f"begin {context.task_name}")

        def on_fit_task_end(self, estimator, context, *, metadata=None):
            self.calls.append(f"end {context.task_name}")
            return context.task_name == "generation" and metadata["generation"] == 2

    assert isinstance(Count(), callback.FitCallback)
    count = Count()
    model = mge.MGEClassifier(generations=5, random_state=1).set_callbacks(count)
    model.fit(*cancer)
    assert model.n_iter_ == 2
    assert count.calls == [
        "setup", "begin fit",
        "begin generation", "end generation", "begin generation", "end generation",
        "end fit", "teardown",
    ]


def test_the_progress_bar_of_scikit_learn(cancer, capsys):
    callback = pytest.importorskip("sklearn.callback")
    pytest.importorskip("rich")
    model = mge.MGEClassifier(generations=2, random_state=1)
    model.set_callbacks(callback.ProgressBar()).fit(*cancer)
    assert model.n_iter_ == 2


def test_verbose_shows_progress(cancer, capsys):
    mge.MGEClassifier(generations=2, random_state=1, verbose=1).fit(*cancer)
    shown = capsys.readouterr().err
    assert "2/2" in shown and "loss" in shown


def test_quiet_is_quiet(cancer, capfd):
    mge.MGEClassifier(generations=1, random_state=1).fit(*cancer)
    shown = capfd.readouterr()
    assert shown.out == shown.err == ""
