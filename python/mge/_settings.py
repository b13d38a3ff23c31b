"""From parameters of an estimator to the settings of a fit, by their names in TOML files."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from mge import _mge
from mge._errors import SettingsError

# The parameters of an estimator, and where their settings are.
_PLACES: dict[str, tuple[str, ...]] = {
    "method": ("method",),
    "variant": ("variant",),
    "max_ops": ("hybrid", "max_ops"),
    "max_bytes": ("hybrid", "max_bytes"),
    "max_features": ("hybrid", "max_features"),
    "max_neurons": ("hybrid", "max_neurons"),
    "pick": ("hybrid", "pick"),
    "objective": ("hybrid", "objective"),
    "feature_cost": ("hybrid", "feature_cost"),
    "generations": ("stop", "generations"),
    "time_limit": ("stop", "seconds"),
    "patience": ("stop", "patience"),
    "scale": ("scale",),
    "grammar": ("grammar",),
}


def of_parameters(parameters: Mapping[str, Any], others: Mapping[str, Any] | None) -> dict[str, Any]:
    """The settings that parameters and ``settings`` ask for, as nested dicts."""
    settings: dict[str, Any] = {}
    for name, place in _PLACES.items():
        value = parameters.get(name)
        if value is not None:
            if name == "grammar" and isinstance(value, os.PathLike):
                value = os.fspath(value)
            put(settings, place, plain(value, name))
    for place, value in _flat(others or {}, ()):
        if place == ("seed",):
            raise SettingsError("settings has `seed`; expected the parameter random_state")
        given = [parameter for parameter, own in _PLACES.items() if own == place]
        if given and parameters.get(given[0]) is not None:
            raise SettingsError(
                f"settings has `{'.'.join(place)}`, which is the parameter {given[0]} too; expected "
                "one of them"
            )
        put(settings, place, plain(value, ".".join(place)))
    return settings


def _flat(
    settings: Mapping[str, Any], above: tuple[str, ...]
) -> list[tuple[tuple[str, ...], Any]]:
    """Every entry with its whole name. ``{"stop.generations": 3}`` is ``{"stop": {...}}``."""
    if not isinstance(settings, Mapping):
        raise TypeError(f"settings is a {type(settings).__name__}, expected a dict")
    entries: list[tuple[tuple[str, ...], Any]] = []
    for name, value in settings.items():
        place = (*above, *str(name).split("."))
        if isinstance(value, Mapping):
            entries.extend(_flat(value, place))
        else:
            entries.append((place, value))
    return entries


def put(settings: dict[str, Any], place: tuple[str, ...], value: Any) -> None:
    """Sets one entry of nested dicts."""
    for name in place[:-1]:
        settings = settings.setdefault(name, {})
        if not isinstance(settings, dict):
            raise SettingsError(f"settings has `{name}` as a value and as a table")
    settings[place[-1]] = value


def plain(value: Any, name: str) -> Any:
    """A value as JSON has it."""
    if isinstance(value, (str, bool, int, float)) or value is None:
        return value
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return value.item()
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple, set)):
        return [plain(item, name) for item in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{name} is a {type(value).__name__}, expected a number, a text or a list")


def as_json(settings: Mapping[str, Any]) -> str:
    """The settings as the extension reads them. Unknown ones are an error."""
    try:
        text = json.dumps(settings, allow_nan=False)
    except ValueError as error:
        raise SettingsError(f"a setting is infinite or NaN: {error}") from error
    _mge.check_settings(text)
    return text


def flat_tables(settings: Mapping[str, Any], tables: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """The entries of some tables, by their names there."""
    found: dict[str, dict[str, Any]] = {table: {} for table in tables}
    for place, value in _flat(settings, ()):
        if place[0] not in found or len(place) < 2:
            expected = " and ".join(tables)
            raise SettingsError(f"settings has `{'.'.join(place)}`, expected entries of {expected}")
        put(found[place[0]], place[1:], plain(value, ".".join(place)))
    return found
