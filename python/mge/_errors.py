"""The errors and warnings of the package."""

from __future__ import annotations



class MGEError(ValueError):
    """The base of all errors of this package."""


class DataError(MGEError):
    """Rows or columns that cannot be used."""


class SettingsError(MGEError):
    """A setting that does not exist, or a value that it does not take."""


class SearchError(MGEError):
    """A search that found no network, or none within the limits."""


class ModelError(MGEError):
    """A model that cannot be read, or not be used in this way."""


class MGEWarning(UserWarning):
    """The base of all warnings of this package."""


class DataWarning(MGEWarning):
    """Something in the data that a user should know."""


class SearchWarning(MGEWarning):
    """Something about the search that a user should know."""


class InterruptedWarning(SearchWarning):
    """The search was interrupted. The estimator holds the best network so far."""
