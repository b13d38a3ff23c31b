"""Who listens to a search: callbacks of the user, callbacks of scikit-learn, and a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

_F = TypeVar("_F", bound=Callable[..., Any])

try:
    import sklearn.callback as _protocol
except ImportError:  # scikit-learn before 1.9
    _protocol = None

HAS_CALLBACKS = _protocol is not None
# The mixin that lets an estimator have callbacks, where there is one.
CallbackSupport: Any = _protocol.CallbackSupportMixin if _protocol else type("NoCallbacks", (), {})


def with_callbacks(method: _F) -> _F:
    """A method ``fit`` that ends the callbacks of scikit-learn, where it has any."""
    return cast(_F, _protocol.with_callbacks(method)) if _protocol else method



Event = dict[str, Any]
Callback = Callable[[Event], object]


class Listener:
    """Passes the events of a fit to all who listen. Any of them may stop the search."""

    def __init__(
        self, estimator: Any, callbacks: Sequence[Callback] | None, verbose: int | bool, X: Any, y: Any
    ) -> None:
        given = list(_checked(callbacks))
        # What the extension writes itself; see `mge.TensorBoard`.
        folders = [getattr(one, "tensorboard_folder", None) for one in given]
        self.tensorboard: str | None = next((one for one in folders if one is not None), None)
        self.callbacks = [
            one for one, folder in zip(given, folders, strict=True) if folder is None
        ]
        self.bar = _Bar() if verbose else None
        self.tasks = None
        if HAS_CALLBACKS and getattr(estimator, "_skl_callbacks", None):
            self.tasks = _Tasks(estimator, X, y)

    @property
    def listens(self) -> bool:
        """Whether anybody does."""
        return bool(self.callbacks or self.bar or self.tasks)

    def __call__(self, event: Event) -> bool:
        """Passes an event on. True stops the search."""
        stops = False
        if self.bar is not None:
            self.bar(event)
        if self.tasks is not None:
            stops = self.tasks(event)
        for callback in self.callbacks:
            stops = callback(event) is True or stops
        return stops

    def close(self) -> None:
        """Leaves nothing open, however the search ended."""
        if self.bar is not None:
            self.bar.close()
        if self.tasks is not None:
            self.tasks.close()


def _checked(callbacks: Sequence[Callback] | None) -> Sequence[Callback]:
    if callbacks is None:
        return []
    if callable(callbacks):
        return [callbacks]
    for callback in callbacks:
        if not callable(callback):
            raise TypeError(
                f"callbacks has a {type(callback).__name__}, expected functions that take an event"
            )
    return callbacks


class _Bar:
    """A progress bar of tqdm, or lines on standard error where tqdm is not installed."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.next_line = 0.0

    def __call__(self, event: Event) -> None:
        kind = event["event"]
        if kind == "planned":
            self.open(event["generations"])
        elif kind == "generation":
            self.show(event)

    def open(self, generations: int | None) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        self.close()
        self.bar = tqdm(total=generations, desc="generation", unit="gen", leave=True)

    def show(self, event: Event) -> None:
        loss = f"{event['best_loss']:.4f}"
        if self.bar is not None:
            self.bar.update(event["generation"] - self.bar.n)
            self.bar.set_postfix(loss=loss, refresh=False)
        elif event["seconds"] >= self.next_line:
            self.next_line = event["seconds"] + 1.0
            print(f"generation {event['generation']}  loss {loss}", file=sys.stderr)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


class _Tasks:
    """The search as scikit-learn's callbacks see it: a task ``fit`` with a task for each generation."""

    def __init__(self, estimator: Any, X: Any, y: Any) -> None:
        self.estimator, self.data = estimator, {"X": X, "y": y}
        self.root: Any = None
        self.current: Any = None

    def __call__(self, event: Event) -> bool:
        kind = event["event"]
        if kind == "planned" and self.root is None:
            root = self.estimator._init_callback_context(max_subtasks=event["generations"])
            self.root = root
            root.call_on_fit_task_begin(estimator=self.estimator, **self.data)
        elif kind == "started":
            self.begin()
        elif kind == "generation" and self.current is not None:
            stops = self.end(event)
            if not stops:
                self.begin()
            return stops
        return False

    def begin(self) -> None:
        """The next generation begins, unless it was the last one."""
        limit = self.root.max_subtasks
        if limit is not None and len(self.root._children_map) >= limit:
            return
        self.current = self.root.subcontext(task_name="generation")
        self.current.call_on_fit_task_begin(estimator=self.estimator, **self.data)

    def end(self, event: Event) -> bool:
        """The generation ends. Whether a callback stops the search."""
        current, self.current = self.current, None
        return bool(
            current.call_on_fit_task_end(estimator=self.estimator, metadata=dict(event), **self.data)
        )

    def close(self) -> None:
        if self.root is not None:
            self.root.call_on_fit_task_end(estimator=self.estimator, **self.data)
            self.root = None
