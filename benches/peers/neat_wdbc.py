"""neat-python: a Python loop over rows and connections. Its own XOR settings, for 30 inputs."""
import json
import math
import sys
import tempfile
import time

import neat
from rows import wdbc

POPULATION = 200

SETTINGS = f"""
[NEAT]
fitness_criterion = max
fitness_threshold = 1e9
pop_size = {POPULATION}
reset_on_extinction = False
no_fitness_termination = True

[DefaultGenome]
num_inputs = 30
num_outputs = 1
num_hidden = 0
feed_forward = True
initial_connection = partial_direct 0.3
activation_default = sigmoid
activation_mutate_rate = 0.0
activation_options = sigmoid
aggregation_default = sum
aggregation_mutate_rate = 0.0
aggregation_options = sum
bias_init_mean = 0.0
bias_init_stdev = 1.0
bias_init_type = gaussian
bias_max_value = 30.0
bias_min_value = -30.0
bias_mutate_power = 0.5
bias_mutate_rate = 0.7
bias_replace_rate = 0.1
response_init_mean = 1.0
response_init_stdev = 0.0
response_init_type = gaussian
response_max_value = 30.0
response_min_value = -30.0
response_mutate_power = 0.0
response_mutate_rate = 0.0
response_replace_rate = 0.0
weight_init_mean = 0.0
weight_init_stdev = 1.0
weight_init_type = gaussian
weight_max_value = 30
weight_min_value = -30
weight_mutate_power = 0.5
weight_mutate_rate = 0.8
weight_replace_rate = 0.1
enabled_default = True
enabled_mutate_rate = 0.01
enabled_rate_to_true_add = 0.0
enabled_rate_to_false_add = 0.0
conn_add_prob = 0.5
conn_delete_prob = 0.5
node_add_prob = 0.2
node_delete_prob = 0.2
single_structural_mutation = False
structural_mutation_surer = default
compatibility_disjoint_coefficient = 1.0
compatibility_weight_coefficient = 0.5
compatibility_excess_coefficient = 1.0
compatibility_include_node_genes = True
compatibility_enable_penalty = 1.0

[DefaultSpeciesSet]
compatibility_threshold = 3.0

[DefaultStagnation]
species_fitness_func = max
max_stagnation = 20
species_elitism = 2

[DefaultReproduction]
elitism = 2
survival_threshold = 0.2
min_species_size = 2
"""


def main():
    rows, labels = wdbc()
    work = list(zip(rows, labels))
    evaluated = 0

    def evaluate(genomes, config):
        nonlocal evaluated
        for _, genome in genomes:
            network = neat.nn.FeedForwardNetwork.create(genome, config)
            loss = 0.0
            for row, label in work:
                p = min(max(network.activate(row)[0], 1e-15), 1 - 1e-15)
                loss -= math.log(p if label else 1 - p)
            genome.fitness = -loss / len(work)
            evaluated += 1

    with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
        file.write(SETTINGS)
        file.flush()
        config = neat.Config(
            neat.DefaultGenome, neat.DefaultReproduction, neat.DefaultSpeciesSet,
            neat.DefaultStagnation, file.name,
        )
    population = neat.Population(config)
    began = time.process_time()
    population.run(evaluate, int(sys.argv[1]))
    seconds = time.process_time() - began
    print(json.dumps({"evaluations_per_cpu_second": evaluated / seconds}))


if __name__ == "__main__":
    main()
