"""The network as a formula: text, LaTeX or SymPy, in units of the raw columns or of scaled features."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from mge import _mge

# Each activation as text and as LaTeX. SymPy has its own, in `_sympy_functions`.
_TEXT = {
    "sig": "sigmoid({})",
    "tanh": "tanh({})",
    "tanh25": "tanh(2.5*({}))",
    "gauss": "exp(-({})^2)",
    "sin": "sin({})",
    "relu": "max(0, {})",
    "softsign": "softsign({})",
    "identity": "({})",
}
_LATEX = {
    "sig": r"\sigma\left({}\right)",
    "tanh": r"\tanh\left({}\right)",
    "tanh25": r"\tanh\left(2.5\left({}\right)\right)",
    "gauss": r"e^{{-\left({}\right)^2}}",
    "sin": r"\sin\left({}\right)",
    "relu": r"\max\left(0, {}\right)",
    "softsign": r"\operatorname{{softsign}}\left({}\right)",
    "identity": r"\left({}\right)",
}


class _Sum(NamedTuple):
    """A weighted sum: terms of features and of neurons, and a constant."""

    features: list[tuple[float, int]]
    neurons: list[tuple[float, int]]
    constant: float


def formula(model: _mge.Model, digits: int, units: str, form: str) -> Any:
    """See :meth:`mge.Network.formula`."""
    if units not in ("original", "scaled"):
        raise ValueError(f"units is {units!r}, expected 'original' or 'scaled'")
    if not isinstance(digits, int) or digits < 1:
        raise ValueError(f"digits is {digits!r}, expected a number from 1 on")
    network, features = model.network_in_units(), model.features()
    neurons = [
        (neuron["activation"], _sum_of(neuron, features, units)) for neuron in network["neurons"]
    ]
    outputs = [_sum_of(output, features, units) for output in network["outputs"]]
    names = [_symbol(feature, units) for feature in features]
    if form == "text":
        return _text(neurons, outputs, names, _answers(model), digits)
    if form == "latex":
        return _latex(neurons, outputs, names, _answers(model), digits)
    if form == "sympy":
        return _sympy(neurons, outputs, names, _answers(model), digits)
    raise ValueError(f"form is {form!r}, expected 'text', 'latex' or 'sympy'")


class _Answers(NamedTuple):
    """What the outputs are for: classes, or targets that are numbers."""

    classes: list[str]
    targets: list[str]


def _answers(model: _mge.Model) -> _Answers:
    return _Answers(model.classes, model.targets)


def _sum_of(unit: dict[str, Any], features: list[dict[str, Any]], units: str) -> _Sum:
    """The sum of a neuron or an output. In original units the scaling is part of the weights."""
    constant = unit.get("bias") or 0.0
    of_features: dict[int, float] = {}
    of_neurons: dict[int, float] = {}
    for link in unit["links"]:
        weight = link["weight"]
        if "neuron" in link:
            of_neurons[link["neuron"]] = of_neurons.get(link["neuron"], 0.0) + weight
            continue
        index = link["input"]
        if units == "original":
            weight *= features[index]["factor"]
            constant -= weight * features[index]["offset"]
        of_features[index] = of_features.get(index, 0.0) + weight
    return _Sum(
        [(weight, index) for index, weight in of_features.items()],
        [(weight, index) for index, weight in of_neurons.items()],
        constant,
    )


def _symbol(feature: dict[str, Any], units: str) -> str:
    """What a feature is called: its column, or a condition in brackets that is 1 or 0."""
    encoding = feature["encoding"]
    name = str(feature["column"])
    if isinstance(encoding, dict):
        name = f"[{name} = {encoding['is']}]"
    elif encoding == "missing":
        name = f"[{name} is missing]"
    elif encoding == "ordinal":
        name = f"index({name})"
    return f"scaled({name})" if units == "scaled" else name


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}g}"


def _join(terms: list[tuple[float, str]], constant: float, times: str, digits: int) -> str:
    """``0.5*x - 2*y + 1``; a sum of nothing is 0."""
    parts: list[str] = []
    for weight, text in terms:
        sign = "-" if weight < 0 else "+"
        parts.append(f"{sign} {_number(abs(weight), digits)}{times}{text}")
    if constant or not parts:
        parts.append(f"{'-' if constant < 0 else '+'} {_number(abs(constant), digits)}")
    first = parts[0]
    parts[0] = f"-{first[2:]}" if first.startswith("-") else first[2:]
    return " ".join(parts)


def _expressions(
    neurons: list[tuple[str, _Sum]],
    outputs: list[_Sum],
    names: list[str],
    templates: dict[str, str],
    join: Callable[[list[tuple[float, str]], float], str],
) -> list[str]:
    texts: list[str] = []

    def of_sum(one: _Sum) -> str:
        terms = [(weight, names[index]) for weight, index in one.features]
        terms += [(weight, texts[index]) for weight, index in one.neurons]
        return join(terms, one.constant)

    for activation, one in neurons:
        template = templates.get(activation, activation + "({})")
        texts.append(template.format(of_sum(one)))
    return [of_sum(output) for output in outputs]


def _text(
    neurons: list[tuple[str, _Sum]],
    outputs: list[_Sum],
    names: list[str],
    answers: _Answers,
    digits: int,
) -> str:
    quoted = [name if _is_plain(name) else f"`{name}`" for name in names]
    sums = _expressions(
        neurons, outputs, quoted, _TEXT, lambda terms, c: _join(terms, c, "*", digits)
    )
    classes, targets = answers
    if not classes:
        return "\n".join(f"{name} = {text}" for name, text in zip(targets, sums, strict=True))
    if len(sums) == 1 and len(classes) == 2:
        return f"p({classes[1]}) = sigmoid(z)\nz = {sums[0]}"
    lines = [f"z({name}) = {text}" for name, text in zip(classes, sums, strict=True)]
    return "\n".join(["p = softmax(z)", *lines])


def _is_plain(name: str) -> bool:
    return re.fullmatch(r"[\w.]+|\[.*\]|(scaled|index)\(.*\)", name) is not None


def _latex(
    neurons: list[tuple[str, _Sum]],
    outputs: list[_Sum],
    names: list[str],
    answers: _Answers,
    digits: int,
) -> str:
    def join(terms: list[tuple[float, str]], constant: float) -> str:
        text = _join(terms, constant, r"\,", digits)
        return re.sub(r"(\d)e([+-])0*(\d+)", r"\1\\cdot 10^{\2\3}", text).replace("^{+", "^{")

    escaped = [rf"\text{{{_latex_text(name)}}}" for name in names]
    sums = _expressions(neurons, outputs, escaped, _LATEX, join)
    classes, targets = answers
    if not classes:
        lines = [
            rf"\text{{{_latex_text(name)}}} &= {text}"
            for name, text in zip(targets, sums, strict=True)
        ]
        return r"\begin{aligned} " + r" \\ ".join(lines) + r" \end{aligned}"
    if len(sums) == 1 and len(classes) == 2:
        left = rf"p(\text{{{_latex_text(classes[1])}}})"
        return rf"{left} = \sigma\left({sums[0]}\right)"
    rows = [
        rf"z_{{\text{{{_latex_text(name)}}}}} &= {text}"
        for name, text in zip(classes, sums, strict=True)
    ]
    body = r" \\ ".join([r"p &= \operatorname{softmax}(z)", *rows])
    return rf"\begin{{aligned}} {body} \end{{aligned}}"


_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: "\\" + character for character in "&%$#_{}"},
}


def _latex_text(text: str) -> str:
    return "".join(_LATEX_SPECIAL.get(character, character) for character in text)


def _sympy(
    neurons: list[tuple[str, _Sum]],
    outputs: list[_Sum],
    names: list[str],
    answers: _Answers,
    digits: int,
) -> dict[str, Any]:
    """The probability of each class as an expression of the features."""
    try:
        import sympy
    except ImportError as error:
        raise ImportError(
            "formula(form='sympy') needs SymPy; install it, or mge-learn[formula]"
        ) from error
    functions: dict[str, Callable[[Any], Any]] = {
        "sig": lambda z: 1 / (1 + sympy.exp(-z)),
        "tanh": sympy.tanh,
        "tanh25": lambda z: sympy.tanh(sympy.Rational(5, 2) * z),
        "gauss": lambda z: sympy.exp(-(z**2)),
        "sin": sympy.sin,
        "relu": lambda z: sympy.Max(0, z),
        "softsign": lambda z: z / (1 + sympy.Abs(z)),
        "identity": lambda z: z,
    }
    symbols = [sympy.Symbol(name, real=True) for name in names]
    values: list[Any] = []

    def of_sum(one: _Sum) -> Any:
        total = sympy.Float(one.constant, digits)
        for weight, index in one.features:
            total += sympy.Float(weight, digits) * symbols[index]
        for weight, index in one.neurons:
            total += sympy.Float(weight, digits) * values[index]
        return total

    for activation, one in neurons:
        values.append(functions[activation](of_sum(one)))
    sums = [of_sum(output) for output in outputs]
    classes, targets = answers
    if not classes:
        return dict(zip(targets, sums, strict=True))
    if len(sums) == 1 and len(classes) == 2:
        p = 1 / (1 + sympy.exp(-sums[0]))
        return {classes[0]: 1 - p, classes[1]: p}
    total = sum(sympy.exp(z) for z in sums)
    return {name: sympy.exp(z) / total for name, z in zip(classes, sums, strict=True)}
