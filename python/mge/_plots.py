"""Plots on matplotlib axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from mge import _mge


def axes(ax: Any) -> Any:
    """The given axes, or new ones."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib; install it, or mge-learn[plot]") from error
    return plt.subplots()[1] if ax is None else ax


def column(table: Any, name: str) -> Any:
    """A column of a small table of results, as an array."""
    return np.asarray(table[name])


def front(model: Any, baselines: bool, ax: Any) -> Any:
    """Validation accuracy against operations, one point for each network."""
    table = model.front_
    if table is None:
        raise ValueError("there is no front to plot; the method keeps none, or the model was loaded")
    ax = axes(ax)
    objective = model.objective or "operations"
    cost, accuracy = column(table, objective), column(table, "validation_accuracy")
    ax.plot(cost, accuracy, marker="o", markersize=4, label="front")
    picked = column(table, "picked")
    ax.plot(
        cost[picked], accuracy[picked], marker="o", markersize=11, fillstyle="none", linestyle="",
        color="C3", label="picked",
    )
    others = model.baselines_
    if baselines and len(column(others, "name")):
        for name, operations, own in zip(
            column(others, "name"),
            column(others, objective),
            column(others, "validation_accuracy"),
            strict=True,
        ):
            if own is None or np.isnan(own):
                continue
            ax.plot(max(operations, 1), own, marker="s", linestyle="", color="0.45")
            ax.annotate(name, (max(operations, 1), own), fontsize="small", color="0.35",
                        xytext=(4, 4), textcoords="offset points")
    ax.set_xscale("log")
    ax.set_xlabel(objective)
    ax.set_ylabel("validation accuracy")
    ax.grid(alpha=0.3)
    ax.legend()
    return ax


def history(model: Any, ax: Any) -> Any:
    """The best loss against generations."""
    ax = axes(ax)
    table = model.history_
    generation = column(table, "generation")
    ax.plot(generation, column(table, "best_loss"), label="best")
    ax.plot(generation, column(table, "mean_loss"), label="mean", alpha=0.5)
    ax.set_xlabel("generation")
    ax.set_ylabel("loss")
    ax.grid(alpha=0.3)
    ax.legend()
    return ax


def network(model: Any, ax: Any) -> Any:
    """The network: features on the left, neurons, outputs on the right. Red lines are negative."""
    ax = axes(ax)
    inner: _mge.Model = model._model
    net, features = inner.network(), inner.features()
    depth: list[int] = []
    for neuron in net["neurons"]:
        below = [depth[link["neuron"]] for link in neuron["links"] if "neuron" in link]
        depth.append(max(below, default=0) + 1)
    last = max(depth, default=0) + 1
    layers: dict[int, list[tuple[str, int]]] = {}
    used = [index for index, feature in enumerate(features) if feature["used"]]
    layers[0] = [("input", index) for index in used]
    for index, layer in enumerate(depth):
        layers.setdefault(layer, []).append(("neuron", index))
    layers[last] = [("output", index) for index in range(len(net["outputs"]))]
    points: dict[tuple[str, int], tuple[float, float]] = {}
    for layer, nodes in layers.items():
        for place, node in enumerate(nodes):
            points[node] = (float(layer), (len(nodes) - 1) / 2 - place)
    edges = []
    for kind, units in (("neuron", net["neurons"]), ("output", net["outputs"])):
        for index, unit in enumerate(units):
            for link in unit["links"]:
                source = ("neuron", link["neuron"]) if "neuron" in link else ("input", link["input"])
                edges.append((source, (kind, index), link["weight"]))
    largest = max((abs(weight) for *_, weight in edges), default=1.0) or 1.0
    for source, to, weight in edges:
        (x1, y1), (x2, y2) = points[source], points[to]
        strength = abs(weight) / largest
        ax.plot(
            [x1, x2], [y1, y2], color="C3" if weight < 0 else "C0",
            linewidth=0.5 + 3 * strength, alpha=0.35 + 0.6 * strength, zorder=1,
        )
    names = inner.classes[1:] if len(net["outputs"]) == 1 else inner.classes
    for (kind, index), (x, y) in points.items():
        if kind == "input":
            label, side = features[index]["name"], "right"
        elif kind == "output":
            label, side = names[index], "left"
        else:
            label, side = net["neurons"][index]["activation"], "center"
        ax.scatter([x], [y], s=130, color="white", edgecolor="0.3", zorder=2)
        shift = {"right": -0.08, "left": 0.08, "center": 0.0}[side]
        ax.text(x + shift, y - (0.22 if side == "center" else 0), label, ha=side,
                va="top" if side == "center" else "center", fontsize="small", zorder=3)
    ax.set_axis_off()
    ax.margins(0.25)
    return ax


def importance(model: Any, X: Any, y: Any, repeats: int, ax: Any) -> Any:
    """How much the score falls when a column is shuffled; of columns that the network reads."""
    from sklearn.inspection import permutation_importance

    ax = axes(ax)
    found = permutation_importance(model, X, y, n_repeats=repeats, random_state=model.seed_ % 2**32)
    names = np.asarray(
        model.feature_names_in_ if hasattr(model, "feature_names_in_") else model._column_names
    )
    used = np.isin(np.asarray(model._column_names), _used_names(model))
    order = [index for index in np.argsort(found.importances_mean) if used[index]]
    ax.barh(
        [str(names[index]) for index in order],
        found.importances_mean[order],
        xerr=found.importances_std[order],
        color="C0",
    )
    ax.set_xlabel("loss of score when the column is shuffled")
    return ax


def _used_names(model: Any) -> list[str]:
    return [column["name"] for column in model._model.columns() if column["used"]]


def calibration(model: Any, X: Any, y: Any, bins: int, ax: Any) -> Any:
    """How often a class occurs, against the probability that the model gives it."""
    from sklearn.calibration import calibration_curve

    ax = axes(ax)
    p = model.predict_proba(X)
    ax.plot([0, 1], [0, 1], color="0.7", linestyle="--", label="calibrated")
    classes = list(enumerate(model.classes_))
    for index, name in classes[1:] if len(classes) == 2 else classes:
        is_class = np.asarray(y) == name
        if is_class.any() and not is_class.all():
            occurs, predicted = calibration_curve(is_class, p[:, index], n_bins=bins)
            ax.plot(predicted, occurs, marker="o", markersize=4, label=str(name))
    ax.set_xlabel("probability")
    ax.set_ylabel("fraction of rows")
    ax.grid(alpha=0.3)
    ax.legend()
    return ax
