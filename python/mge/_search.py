"""The loop of method ``mge`` with a fitness function and operators of one's own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mge import _mge
from mge._grammar import Grammar

Phenotype = _mge.Phenotype
Genotype = list[list[int]]


@dataclass(frozen=True)
class Generation:
    """What a generation found."""

    number: int
    evaluations: int
    best_loss: float
    diversity: float
    losses: NDArray[np.float64]
    best: Phenotype | None


class Search:
    """Evolves networks for a fitness function of your own, one generation at a time.

    Selection, mapping and operators are those of method ``mge``. It is an iterator: each step makes a
    generation, and nothing runs between steps.

    Parameters
    ----------
    fitness : callable
        Receives a list of networks, the valid ones of a new population, and returns one loss for
        each; lower is better. A call takes the GIL, and some 10 microseconds for each network to
        make it: a fitness in numpy costs far more than the search.
    n_features, n_outputs : int
        The shape of the networks.
    grammar : str, path or Grammar, default="mge"
        The grammar of neurons.
    variant : {"mge", "alpha", "beta", "eta", "mu"}, default="mge"
        The form of modularity.
    generations : int, optional
        After how many the iteration ends. Default: never.
    random_state : int, default=0
        The seed.
    mutate : callable, optional
        Replaces mutation: ``mutate(genes, seed)`` returns the new genes. Genes are lists of codons.
    crossover : callable, optional
        Replaces crossover: ``crossover(genes, other, seed)`` returns two lists of genes.
    settings : dict, optional
        Settings of the tables ``evolution`` and ``mge``, such as ``{"evolution.population": 50}``.

    Examples
    --------
    Networks whose output is near the product of two features:

    >>> import numpy as np
    >>> import mge
    >>> X = np.random.default_rng(0).normal(size=(50, 2)).astype(np.float32)
    >>> target = X[:, 0] * X[:, 1]
    >>> def fitness(networks):
    ...     return [((network.outputs(X)[:, 0] - target) ** 2).mean() for network in networks]
    >>> search = mge.Search(fitness, n_features=2, n_outputs=1, generations=5)
    >>> losses = [generation.best_loss for generation in search]
    >>> len(losses), losses[-1] <= losses[0]
    (5, True)
    """

    def __init__(
        self,
        fitness: Callable[[list[Phenotype]], Any],
        n_features: int,
        n_outputs: int,
        *,
        grammar: Any = None,
        variant: str = "mge",
        generations: int | None = None,
        random_state: int = 0,
        mutate: Callable[[Genotype, int], Genotype] | None = None,
        crossover: Callable[[Genotype, Genotype, int], tuple[Genotype, Genotype]] | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        from mge._settings import flat_tables

        if grammar is None:
            grammar = "mge" if variant in ("mge", "alpha", "beta") else "monolithic"
        found = grammar if isinstance(grammar, Grammar) else Grammar.find(grammar)
        tables = flat_tables(settings or {}, ("evolution", "mge"))
        self.generations = generations
        self.number = 0
        self._evolution = _mge.Evolution(
            features=n_features,
            outputs=n_outputs,
            fitness=fitness,
            mutate=mutate,
            crossover=crossover,
            grammar=(found.name, found.text),
            variant=variant,
            evolution=json.dumps(tables["evolution"]),
            params=json.dumps(tables["mge"]),
            seed=random_state,
        )

    def __iter__(self) -> Iterator[Generation]:
        return self

    def __next__(self) -> Generation:
        if self.generations is not None and self.number >= self.generations:
            raise StopIteration
        return self.step()

    def step(self) -> Generation:
        """Makes one generation."""
        found = self._evolution.step()
        record = found["record"]
        self.number = int(record["generation"])
        losses = np.array(found["losses"])
        return Generation(
            self.number,
            int(record["evaluations"]),
            float(losses.min(initial=np.inf)),
            float(found["diversity"]),
            losses,
            self._evolution.best(),
        )

    def run(self) -> Self:
        """Makes all generations that are left."""
        if self.generations is None:
            raise ValueError("the search has no number of generations, so it would never end")
        for _ in self:
            pass
        return self

    @property
    def best(self) -> Phenotype | None:
        """The best network so far."""
        return self._evolution.best()

    @property
    def best_genotype(self) -> Genotype | None:
        """The genotype of the best network: lists of codons."""
        return self._evolution.best_genotype()

    def map(self, genes: Genotype) -> Phenotype | None:
        """The network of a genotype, or None if it maps to nothing."""
        return self._evolution.map(genes)
