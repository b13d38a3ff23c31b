"""Grammars, and what genes derive to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from mge import _mge


class Grammar:
    """A grammar in Backus-Naur form.

    Parameters
    ----------
    text : str
        The rules.
    name : str, default="grammar"
        What messages and models call it.

    Examples
    --------
    >>> import mge
    >>> grammar = mge.Grammar.find("mge")
    >>> grammar.name
    'mge'
    >>> sentence = grammar.map_gene([9, 0, 0, 3, 0, 0, 0, 5, 1, 0, 0, 7] * 4)
    >>> "sig" in sentence
    True
    """

    def __init__(self, text: str, name: str = "grammar") -> None:
        self.text = text
        self.name = name
        self.warnings: list[str] = _mge.check_grammar(name, text, 10, 3)["warnings"]

    @classmethod
    def find(cls, name: str | os.PathLike[str]) -> Grammar:
        """A shipped grammar by its name, or the grammar in a file."""
        found, text = _mge.find_grammar(os.fspath(name))
        return cls(text, found)

    def rules(self, n_features: int = 10, n_outputs: int = 3) -> dict[str, int]:
        """The symbols for data of this shape, each with the number of its alternatives."""
        found = _mge.check_grammar(self.name, self.text, n_features, n_outputs)
        return {rule["name"]: rule["alternatives"] for rule in found["rules"]}

    def map_gene(
        self,
        codons: Sequence[int],
        *,
        n_features: int = 10,
        n_outputs: int = 3,
        start: str | None = None,
        wraps: int = 0,
        references: int = 0,
        steps: bool = False,
    ) -> Any:
        """What codons derive to; see :func:`mge.map_gene`."""
        sentence, trace = _mge.map_gene(
            self.name,
            self.text,
            [int(codon) for codon in codons],
            features=n_features,
            outputs=n_outputs,
            start=start,
            wraps=wraps,
            references=references,
        )
        return (sentence, trace) if steps else sentence

    def __repr__(self) -> str:
        return f"Grammar(name={self.name!r})\n{self.text}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grammar) and (self.name, self.text) == (other.name, other.text)

    def __hash__(self) -> int:
        return hash((self.name, self.text))


def grammars() -> dict[str, str]:
    """The shipped grammars: names and what each is for.

    >>> import mge
    >>> sorted(mge.grammars())[:2]
    ['activations', 'authors']
    """
    return {one["name"]: one["title"] for one in _mge.grammars()}


def map_gene(grammar: Grammar | str | os.PathLike[str], codons: Sequence[int], **options: Any) -> Any:
    """The sentence that codons derive to.

    Parameters
    ----------
    grammar : Grammar, str or path
        The grammar, the name of a shipped one, or a file.
    codons : sequence of int
        Numbers from 0 to 65535.
    **options
        ``n_features``, ``n_outputs``: the shape of the data. ``start``: the symbol to start from.
        ``wraps``: how often codons are read again. ``references``: earlier neurons that may be read.
        ``steps=True`` returns the derivation as text, too.

    Returns
    -------
    sentence : str

    Examples
    --------
    >>> import mge
    >>> mge.map_gene("mge", [9, 0])
    Traceback (most recent call last):
    ...
    mge._errors.SearchError: the gene does not map: ...
    """
    found = grammar if isinstance(grammar, Grammar) else Grammar.find(grammar)
    return found.map_gene(codons, **options)
