"""alogos: grammatical evolution of an expression; `eval` of the string over numpy columns."""
import json
import sys
import time

import alogos as al
import numpy as np
from rows import wdbc

POPULATION = 200

GRAMMAR = """
<S>      ::= <Neuron> | <S> + <Neuron>
<Neuron> ::= <Number> * sig(<Sum> + <Number>)
<Sum>    ::= <Number>*<X> | <Sum> + <Number>*<X>
<Number> ::= 0.<Digits> | -0.<Digits>
<Digits> ::= <Digit> | <Digit><Digits>
<Digit>  ::= 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
<X>      ::= """ + " | ".join(f"x[{i}]" for i in range(30))


def main():
    rows, labels = wdbc()
    x, y = np.array(rows).T.copy(), np.array(labels)
    sign = np.where(y == 0, 1.0, -1.0)
    evaluated = 0

    def sig(values):
        return 1.0 / (1.0 + np.exp(-values))

    def loss(text):
        nonlocal evaluated
        evaluated += 1
        return float(np.mean(np.logaddexp(0.0, sign * eval(text, {"x": x, "sig": sig}))))

    search = al.EvolutionaryAlgorithm(
        grammar=al.Grammar(bnf_text=GRAMMAR), objective_function=loss,
        objective="min", system="ge", population_size=POPULATION, offspring_size=POPULATION,
        max_generations=int(sys.argv[1]), verbose=False,
    )
    began = time.process_time()
    search.run()
    seconds = time.process_time() - began
    # Every offspring counts, also one that the tool knew from its cache.
    asked = POPULATION * (search.state.generation + 1)
    print(json.dumps({"evaluations_per_cpu_second": max(asked, evaluated) / seconds}))


if __name__ == "__main__":
    main()
