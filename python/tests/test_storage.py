"""Fitted estimators in files, in other processes, and after a fork."""

import io
import multiprocessing
import pickle
import subprocess
import sys

import numpy as np
import pytest

import mge


def same(model, other, X):
    np.testing.assert_array_equal(model.predict_proba(X), other.predict_proba(X))
    assert other.front_.equals(model.front_)
    assert other.pick(max_ops=20).n_operations_ <= 20
    assert other.get_params() == model.get_params()


@pytest.fixture
def fitted(mixed, small):
    X, y = mixed
    return small.fit(X, y), X


def test_pickle(fitted):
    model, X = fitted
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        same(model, pickle.loads(pickle.dumps(model, protocol)), X)


def test_pickle_between_processes(fitted, tmp_path):
    model, X = fitted
    (tmp_path / "model.pkl").write_bytes(pickle.dumps((model, X)))
    code = (
        "import pickle, sys; model, X = pickle.load(open(sys.argv[1], 'rb')); "
        "print(','.join(model.predict(X)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "model.pkl"],
        capture_output=True, text=True, check=True,
    )
    assert found.stdout.strip().split(",") == list(model.predict(X))


def test_cloudpickle(fitted):
    cloudpickle = pytest.importorskip("cloudpickle")
    model, X = fitted
    same(model, pickle.loads(cloudpickle.dumps(model)), X)


def test_joblib(fitted, tmp_path):
    import joblib

    model, X = fitted
    joblib.dump(model, tmp_path / "model.joblib", compress=3)
    same(model, joblib.load(tmp_path / "model.joblib"), X)


def test_skops(fitted):
    skops = pytest.importorskip("skops.io")
    model, X = fitted
    content = skops.dumps(model)
    unknown = skops.get_untrusted_types(data=content)
    assert all(name.startswith("mge.") for name in unknown)
    same(model, skops.loads(content, trusted=unknown), X)


def test_the_state_is_plain(fitted):
    model, _ = fitted

    class Plain(pickle.Unpickler):
        def find_class(self, module, name):
            assert module.split(".")[0] in ("numpy", "mge", "copyreg", "builtins", "_codecs"), module
            assert not module.startswith("mge._mge")
            return super().find_class(module, name)

    Plain(io.BytesIO(pickle.dumps(model))).load()


def test_a_fork_after_a_fit(fitted):
    """Threads do not survive a fork, so none may be waited for after it."""
    model, X = fitted
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("this system has no fork")
    context = multiprocessing.get_context("fork")
    expected = list(model.predict(X))

    def child(queue):
        again = mge.MGEClassifier(generations=1, random_state=1, n_jobs=2)
        again.fit(X, model.predict(X))
        queue.put((list(model.predict(X)), again.n_iter_))

    queue = context.Queue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    try:
        assert queue.get(timeout=120) == (expected, 1)
    finally:
        process.join(timeout=30)
    assert process.exitcode == 0


def test_loky_after_a_fit(fitted):
    import joblib

    model, X = fitted
    answers = joblib.Parallel(n_jobs=2, backend="loky")(
        joblib.delayed(model.predict)(X) for _ in range(2)
    )
    for answer in answers:
        np.testing.assert_array_equal(answer, model.predict(X))


def test_no_thread_is_left(small, cancer):
    import os

    def threads():
        return len(os.listdir("/proc/self/task"))

    if not os.path.isdir("/proc/self/task"):
        pytest.skip("this system does not list threads")
    small.set_params(n_jobs=2).fit(*cancer)
    before = threads()
    small.fit(*cancer)
    small.predict(cancer[0])
    assert threads() <= before


def test_fits_in_threads(cancer, small):
    """The GIL is released, so fits in threads do not wait for each other."""
    from concurrent.futures import ThreadPoolExecutor

    expected = small.fit(*cancer)._model_json
    with ThreadPoolExecutor(2) as pool:
        fits = [pool.submit(lambda: mge.MGEClassifier(**small.get_params()).fit(*cancer)) for _ in "ab"]
        assert all(fit.result()._model_json == expected for fit in fits)
