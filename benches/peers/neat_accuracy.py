#!/usr/bin/env python3
"""NEAT here and in neat-python on WDBC: the same rows, budget and settings, several seeds, and
the mean test accuracy of both.

    cargo build --release -p mge-cli
    benches/peers/neat_accuracy.py [--seeds N] [--generations N] [--population N] [--only peer|ours]

Makes a virtual environment beside this file and installs neat-python into it from the Python
registry. Each seed has its own 70/30 split, written to two files that both sides get. Both sides
start from the same fully connected networks, minimise the cross-entropy over z-scored inputs and
take the best genome of the whole run.

What neat-python does otherwise and cannot be told: biases are attributes of nodes and not links,
every offspring has two parents, each weight is mutated by its own draw with a bell-shaped step,
counts of genes are always divided by the size of the genome, the least fitness is taken off before
species share it, and their sizes move half of the way only. Steps of weights have the same spread
on both sides, and so do new weights.
"""
import argparse
import csv
import gzip
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BINARY = ROOT / "target" / "release" / "mge"
VENV = HERE / ".venv"
PEER = "neat-python==2.0.0"
TRAIN_SHARE = 0.7

# Settings that both sides have, by the names of mge.
SHARED = {
    "initial_links": 1.0,
    "weight_range": 1.0,
    "weight_power": 0.5,
    "weight_limit": 8.0,
    "add_node": 0.03,
    "add_link": 0.05,
    "survival": 0.2,
    "excess": 1.0,
    "disjoint": 1.0,
    "weight_difference": 0.4,
    "threshold": 3.0,
    "stagnation": 15,
    "slope": 5.0,  # of neat-python's sigmoid
}
# mge mutates the weights of 80 % of the offspring, 90 % of them a little, 10 % anew.
MUTATE_WEIGHTS, PERTURBED = 0.8, 0.9
# An even step from -s to s is as wide as a bell-shaped one with deviation s / sqrt(3).
BELL = 1 / math.sqrt(3)


def write_split(folder, seed):
    """Two CSV files with a header: a random 70 % of WDBC, and the rest."""
    found = sorted((ROOT / "crates").glob("**/wdbc.csv.gz"))
    if not found:
        sys.exit("no wdbc.csv.gz under crates/; expected the data that ships with mge-data")
    with gzip.open(found[0], "rt", newline="") as file:
        header, *rows = csv.reader(file)
    random.Random(seed).shuffle(rows)
    train = int(TRAIN_SHARE * len(rows))
    for name, part in [("train.csv", rows[:train]), ("test.csv", rows[train:])]:
        with open(folder / name, "w", newline="") as file:
            csv.writer(file).writerows([header, *part])


def ours(folder, seed, population, generations):
    """Test accuracy of `mge fit --method neat`."""
    settings = {
        **SHARED,
        "population": population,
        "mutate_weights": MUTATE_WEIGHTS,
        "perturbed": PERTURBED,
    }
    lines = ["[neat]", *(f"{name} = {value}" for name, value in settings.items())]
    config = folder / "neat.toml"
    config.write_text("\n".join(lines) + "\n")
    command = [
        BINARY, "fit", folder / "train.csv", "--test", folder / "test.csv", "--method", "neat",
        "--config", config, "--generations", str(generations), "--seed", str(seed),
        "--threads", "1", "--quiet", "--json", "--out", folder / "run",
    ]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)["test_accuracy"]


def peer_settings(population):
    s = SHARED
    weights = {
        "init_type": "uniform",
        # A uniform start spans two deviations to either side of the mean.
        "init_mean": 0.0,
        "init_stdev": s["weight_range"] / 2,
        "max_value": s["weight_limit"],
        "min_value": -s["weight_limit"],
        "mutate_power": s["weight_power"] * BELL,
        "mutate_rate": MUTATE_WEIGHTS * PERTURBED,
        "replace_rate": MUTATE_WEIGHTS * (1 - PERTURBED),
    }
    genome = {
        "num_inputs": 30, "num_outputs": 1, "num_hidden": 0, "feed_forward": True,
        "initial_connection": "full_direct",
        "activation_default": "sigmoid", "activation_options": "sigmoid",
        "activation_mutate_rate": 0.0,
        "aggregation_default": "sum", "aggregation_options": "sum", "aggregation_mutate_rate": 0.0,
        **{f"weight_{name}": value for name, value in weights.items()},
        **{f"bias_{name}": value for name, value in weights.items()},
        "response_init_type": "gaussian", "response_init_mean": 1.0, "response_init_stdev": 0.0,
        "response_max_value": 1.0, "response_min_value": 1.0, "response_mutate_power": 0.0,
        "response_mutate_rate": 0.0, "response_replace_rate": 0.0,
        "enabled_default": True, "enabled_mutate_rate": 0.0, "enabled_rate_to_true_add": 0.0,
        "enabled_rate_to_false_add": 0.0,
        "conn_add_prob": s["add_link"], "conn_delete_prob": 0.0,
        "node_add_prob": s["add_node"], "node_delete_prob": 0.0,
        "single_structural_mutation": False, "structural_mutation_surer": "false",
        "compatibility_disjoint_coefficient": s["disjoint"],
        "compatibility_weight_coefficient": s["weight_difference"],
    }
    sections = {
        "NEAT": {
            "fitness_criterion": "max", "fitness_threshold": 1e9, "pop_size": population,
            "reset_on_extinction": False, "no_fitness_termination": True,
        },
        "DefaultGenome": genome,
        "DefaultSpeciesSet": {"compatibility_threshold": s["threshold"]},
        # One species is always kept, as ours keeps that of the best genome.
        "DefaultStagnation": {
            "species_fitness_func": "max", "max_stagnation": s["stagnation"], "species_elitism": 1,
        },
        "DefaultReproduction": {
            "elitism": 1, "survival_threshold": s["survival"], "min_species_size": 1,
        },
    }
    text = ""
    for name, entries in sections.items():
        text += f"[{name}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
    return text


def run_peer(folder, seed, population, generations):
    """Inside the virtual environment: evolves by neat-python and prints the test accuracy."""
    import neat
    import numpy

    def read(name):
        with open(folder / name, newline="") as file:
            table = list(csv.reader(file))[1:]
        rows = numpy.array([[float(cell) for cell in row[:-1]] for row in table])
        return rows, numpy.array([row[-1] == "M" for row in table])

    train, labels = read("train.csv")
    test, test_labels = read("test.csv")
    mean, spread = train.mean(axis=0), train.std(axis=0)
    train, test = (train - mean) / spread, (test - mean) / spread

    def probabilities(genome, config, rows):
        """The network that neat-python builds, over all rows at once."""
        network = neat.nn.FeedForwardNetwork.create(genome, config)
        values = {key: rows[:, column] for column, key in enumerate(network.input_nodes)}
        for node, _, _, bias, response, links in network.node_evals:
            total = numpy.full(len(rows), 0.0)
            for source, weight in links:
                total = total + values[source] * weight
            z = numpy.clip(5.0 * (bias + response * total), -60.0, 60.0)
            values[node] = 1.0 / (1.0 + numpy.exp(-z))
        return values[network.output_nodes[0]]

    def evaluate(genomes, config):
        for _, genome in genomes:
            p = probabilities(genome, config, train)
            p = numpy.where(labels, p, 1.0 - p).clip(1e-15, 1.0)
            # The same fitness as ours: the geometric mean probability of the true class.
            genome.fitness = float(numpy.exp(numpy.log(p).mean()))

    random.seed(seed)
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
        file.write(peer_settings(population))
        file.flush()
        config = neat.Config(
            neat.DefaultGenome, neat.DefaultReproduction, neat.DefaultSpeciesSet,
            neat.DefaultStagnation, file.name,
        )
    best = neat.Population(config).run(evaluate, generations)
    # The vectorised walk is held to the library's own, row by row.
    own = neat.nn.FeedForwardNetwork.create(best, config)
    fast = probabilities(best, config, test)
    slow = numpy.array([own.activate(list(row))[0] for row in test])
    assert numpy.allclose(fast, slow), "the network is not computed as neat-python does"
    accuracy = float(((fast > 0.5) == test_labels).mean())
    print(json.dumps({"test_accuracy": accuracy, "train_loss": -math.log(best.fitness)}))


def peer(folder, seed, population, generations):
    """Test accuracy of neat-python."""
    inside = [VENV / "bin" / "python", __file__, "--inside", folder]
    arguments = ["--seeds", seed, "--population", population, "--generations", generations]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [str(part) for part in [*inside, *arguments]]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=environment
    )
    return json.loads(done.stdout.splitlines()[-1])["test_accuracy"]


def prepare_peer():
    executable = VENV / "bin" / "python"
    if not executable.exists():
        venv.create(VENV, with_pip=True)
    install = [executable, "-m", "pip", "install", "--quiet", PEER, "numpy==2.2.6"]
    subprocess.run(install, check=True)


def main():
    arguments = argparse.ArgumentParser(description="test accuracy of NEAT on WDBC, two programs")
    arguments.add_argument("--seeds", type=int, default=10, help="runs of each; default 10")
    arguments.add_argument("--population", type=int, default=150, help="default 150")
    arguments.add_argument("--generations", type=int, default=100, help="default 100")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once")
    arguments.add_argument("--only", choices=["peer", "ours"], help="run one side only")
    arguments.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.inside:
        run_peer(given.inside, given.seeds, given.population, given.generations)
        return
    sides = {"mge": ours, "neat-python": peer}
    if given.only:
        sides = {"peer": {"neat-python": peer}, "ours": {"mge": ours}}[given.only]
    if "mge" in sides and not BINARY.exists():
        sys.exit("no release binary; expected `cargo build --release -p mge-cli` before")
    if "neat-python" in sides:
        prepare_peer()

    def one(seed):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_split(folder, seed)
            run = lambda side: side(folder, seed, given.population, given.generations)
            return [run(side) for side in sides.values()]

    with ThreadPoolExecutor(given.jobs) as pool:
        results = list(pool.map(one, range(given.seeds)))
    print(f"{given.seeds} seeds, {given.population * given.generations:,} evaluations each")
    print(f"{'':<14}{'test accuracy':>14}{'deviation':>11}")
    means = []
    for name, accuracies in zip(sides, zip(*results)):
        means.append(statistics.mean(accuracies))
        deviation = statistics.stdev(accuracies) if len(accuracies) > 1 else 0.0
        print(f"{name:<14}{means[-1]:>14.4f}{deviation:>11.4f}")
    if len(means) == 2:
        print(f"difference in points: {100 * (means[0] - means[1]):+.2f}")


if __name__ == "__main__":
    main()
