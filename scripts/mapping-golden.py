#!/usr/bin/env python3
"""Writes golden mappings of grammatical evolution, made by an independent implementation.

PonyGE2 is not in the Python package index. alogos (MIT licence) is, and maps by one list of codons
(GE) and by one list for each symbol (DSGE). Both read a codon only where there is a choice, or, in
DSGE, where there is none a codon that must be 0.

    pip install alogos==0.2.1
    scripts/mapping-golden.py > crates/mge-grammar/tests/mapping-golden.json

Each case is a grammar, what was read, and the sentence without white space, or null if the codons
do not suffice. Left out: cases in which the last allowed codon was read while only rules without a
choice were left. There alogos gives up, although no codon is missing.
"""
import json
import random
import re
import sys

import alogos as al

FEATURES, CASES = 5, 60


def shipped(name):
    """A shipped grammar with its comments dropped and its ranges written out."""
    path = f"crates/mge-grammar/grammars/{name}.bnf"
    lines = [re.sub(r"(^|\s)#.*", "", line).rstrip() for line in open(path)]
    text = "\n".join(line for line in lines if line)
    text = text.replace("x1..xd", " | ".join(f"x{i + 1}" for i in range(FEATURES)))
    return text.replace("0..9", " | ".join(str(i) for i in range(10)))


GRAMMARS = {
    "g1": "<start> ::= <exp>\n<exp> ::= 0 | 1<exp>",
    "arithmetic": "<e> ::= <e><o><e> | (<e><o><e>) | <f>(<e>) | <v>\n"
    "<o> ::= + | - | / | *\n<f> ::= sin | cos\n<v> ::= x | y | 1.0",
    "ge": shipped("ge"),
    "mge": shipped("mge").replace("output1..outputc", "output1 | output2 | output3"),
}


def read(tree, grammar):
    """How many codons a finished derivation read: one for each symbol with a choice."""
    count, open_nodes = 0, [tree.root_node]
    while open_nodes:
        node = open_nodes.pop()
        open_nodes.extend(node.children)
        count += node.symbol in grammar.production_rules and len(grammar.production_rules[node.symbol]) > 1
    return count


def ge_case(name, grammar, rng):
    codons = [rng.randrange(256) for _ in range(rng.randint(1, 90))]
    wraps = rng.randrange(4)

    def forward(wraps):
        try:
            settings = {"max_wraps": wraps, "max_expansions": 5000}
            text, tree = al.systems.ge.mapping.forward(grammar, codons, settings, return_derivation_tree=True)
            return "".join(text.split()), read(tree, grammar)
        except al.exceptions.MappingError:
            return None, None

    sentence, used = forward(wraps)
    if sentence is None and forward(wraps + 1)[1] == len(codons) * (wraps + 1):
        return None
    return {"grammar": name, "codons": codons, "wraps": wraps, "sentence": sentence, "used": used}


def lists_case(name, grammar, rng):
    lists = {}
    for symbol in grammar.nonterminal_symbols:
        count = len(grammar.production_rules[symbol])
        lists[symbol.text] = [rng.randrange(count) for _ in range(rng.randint(0, 80) if count > 1 else 500)]
    try:
        text = al.systems.dsge.mapping.forward(grammar, list(lists.values()), {"max_expansions": 5000})
        sentence = "".join(text.split())
    except al.exceptions.MappingError:
        sentence = None
    # Rules without a choice have no list here.
    for symbol in grammar.nonterminal_symbols:
        if len(grammar.production_rules[symbol]) == 1:
            lists[symbol.text] = []
    return {"grammar": name, "lists": lists, "sentence": sentence}


def main():
    rng = random.Random(2008)
    ge, lists = [], []
    for name, text in GRAMMARS.items():
        grammar = al.Grammar(bnf_text=text)
        ge += filter(None, (ge_case(name, grammar, rng) for _ in range(CASES)))
        lists += [lists_case(name, grammar, rng) for _ in range(CASES // 2)]
    dump = lambda cases: ",\n".join(json.dumps(case) for case in cases)
    made_by = f"alogos {al.__version__}"
    sys.stdout.write(
        f'{{"made_by": "{made_by}",\n"grammars": {json.dumps(GRAMMARS)},\n'
        f'"ge": [\n{dump(ge)}\n],\n"lists": [\n{dump(lists)}\n]}}\n'
    )


if __name__ == "__main__":
    main()
