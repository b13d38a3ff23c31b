"""Grammars, genes, the loop with functions of one's own, and experiments."""

import subprocess
import sys

import numpy as np
import pytest

import mge


def test_grammars_are_listed_and_read():
    names = mge.grammars()
    assert {"mge", "monolithic", "ge", "sge", "dsge"} <= set(names)
    for name in names:
        grammar = mge.Grammar.find(name)
        assert grammar.text and grammar.rules(4, 2)
    assert mge.Grammar.find("mge") == mge.Grammar(mge.Grammar.find("mge").text, "mge")


def test_a_gene_maps_as_on_the_command_line():
    codons = [9, 0, 0, 3, 0, 0, 0, 5, 1, 0, 0, 7] * 3
    gene = " ".join(map(str, codons))
    command = [sys.executable, "-m", "mge", "map", "--grammar", "mge", "--gene", gene]
    expected = subprocess.run(
        [*command, "--features", "30"], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert mge.map_gene("mge", codons, n_features=30) == expected
    sentence, steps = mge.map_gene("mge", codons, n_features=30, steps=True)
    assert sentence == expected and len(steps.splitlines()) > 3


def test_genes_and_grammars_that_are_wrong():
    with pytest.raises(mge.SearchError, match="the gene does not map"):
        mge.map_gene("mge", [9])
    with pytest.raises(mge.SettingsError, match="has no <neuronn>"):
        mge.map_gene("mge", [9] * 40, start="neuronn")
    with pytest.raises(mge.SettingsError, match="cannot read the grammar"):
        mge.Grammar.find("no-such-grammar")
    with pytest.raises(mge.SettingsError, match="used but never defined|not defined"):
        mge.Grammar("<a> ::= <b>")


def test_an_own_grammar_in_an_estimator(iris):
    text = mge.Grammar.find("sparse").text.replace("sig", "tanh")
    model = mge.MGEClassifier(
        "mge", grammar=mge.Grammar(text, "mine"), generations=3, random_state=1
    ).fit(*iris)
    assert {neuron["activation"] for neuron in model.network_.neurons} <= {"tanh"}
    assert model._model.settings()["method"]["rules"]["grammar"]["name"] == "mine"
    with pytest.raises(mge.SettingsError, match="takes no grammar"):
        mge.MGEClassifier(grammar=mge.Grammar(text)).fit(*iris)
    shipped = mge.MGEClassifier("mge", grammar="sparse", generations=3, random_state=1).fit(*iris)
    assert shipped._model.settings()["method"]["rules"]["grammar"]["name"] == "sparse"


def product():
    X = np.random.default_rng(0).normal(size=(60, 2)).astype(np.float32)
    target = X[:, 0] * X[:, 1]

    def fitness(networks):
        return [((network.outputs(X)[:, 0] - target) ** 2).mean() for network in networks]

    return fitness


def search(**options):
    settings = {"evolution.population": 40}
    return mge.Search(product(), 2, 1, random_state=3, settings=settings, **options)


def test_a_fitness_of_ones_own():
    found = list(search(generations=8))
    assert [one.number for one in found] == list(range(1, 9))
    assert found[-1].best_loss < found[0].best_loss
    assert found[-1].evaluations == 8 * 40
    losses = [one.best_loss for one in found]
    assert losses == sorted(losses, reverse=True)
    assert product()([found[-1].best])[0] == pytest.approx(found[-1].best_loss)
    assert [one.best_loss for one in search(generations=8)] == losses


def test_the_best_genotype_maps_to_the_best_network():
    one = search(generations=3).run()
    network = one.map(one.best_genotype)
    assert network.to_json() == one.best.to_json()
    again = mge.Phenotype.from_json(network.to_json())
    X = np.ones((3, 2), dtype=np.float32)
    np.testing.assert_array_equal(again.outputs(X), network.outputs(X))
    with pytest.raises(mge.DataError, match="3 features, expected 2"):
        network.outputs(np.ones((1, 3), dtype=np.float32))


def test_operators_of_ones_own():
    calls = {"mutate": 0, "crossover": 0}

    def mutate(genes, seed):
        calls["mutate"] += 1
        random = np.random.default_rng(seed)
        genes[random.integers(len(genes))][0] = int(random.integers(256))
        return genes

    def crossover(genes, other, seed):
        calls["crossover"] += 1
        return genes[:1] + other[1:], other[:1] + genes[1:]

    first = [one.best_loss for one in search(generations=4, mutate=mutate, crossover=crossover)]
    assert calls["mutate"] >= 3 * 30 and calls["crossover"] > 10
    again = [one.best_loss for one in search(generations=4, mutate=mutate, crossover=crossover)]
    assert first == again


def test_errors_of_own_functions_are_raised():
    def fails(networks):
        raise ZeroDivisionError("of the fitness")

    with pytest.raises(ZeroDivisionError, match="of the fitness"):
        next(mge.Search(fails, 2, 1))
    with pytest.raises(mge.SearchError, match="1 losses for"):
        next(mge.Search(lambda networks: [1.0], 2, 1))
    with pytest.raises(mge.SettingsError, match="expected entries of evolution and mge"):
        mge.Search(product(), 2, 1, settings={"hybrid.noise": 1})
    with pytest.raises(mge.SettingsError, match="populatoin"):
        mge.Search(product(), 2, 1, settings={"evolution.populatoin": 1})
    with pytest.raises(ValueError, match="never end"):
        mge.Search(product(), 2, 1).run()


def test_an_experiment(tmp_path):
    if not hasattr(mge._mge, "run_plan"):
        pytest.skip("this build has no experiments")
    plan = """
        data = ["wine"]
        methods = ["mge", "neat"]
        protocol = "2x70/30"
        [settings]
        stop.generations = 2
        evolution.population = 20
    """
    found = mge.run_plan(plan, tmp_path / "store", n_jobs=2)
    assert (found.planned, found.done, found.failed) == (4, 4, 0)
    assert len(found.runs) == 4 and len(found.summary) == 2
    again = mge.run_plan(plan, tmp_path / "store", n_jobs=2)
    assert again.done == 0 and again.runs.equals(found.runs)
    with pytest.raises(mge.SettingsError):
        mge.run_plan("data = 3\n", tmp_path / "store")
