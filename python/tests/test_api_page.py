"""The reference page of the package, made of its docstrings.

`MGE_DOCS=overwrite pytest tests/test_api_page.py` writes it after a wanted change.
"""

import inspect
import os
import re
import textwrap
from pathlib import Path

import pytest

import mge

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "python.md"
HEAD = """# Python package

This page is made from the docstrings of the package `mge`. [Use it from Python](../how-to/use-from-python.md) has the
introduction.
"""
WIDTH = 118


def paragraphs(text):
    """Paragraphs at the width of the page, with Markdown in place of reStructuredText."""
    text = re.sub(r":(?:meth|func|class):`~?\.?([^`]+)`", r"`\1`", text).replace("``", "`")
    blocks = [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]
    return "\n\n".join(textwrap.fill(block, WIDTH, break_on_hyphens=False) for block in blocks)


def sections(doc):
    """The parts of a docstring in the style of numpy: its text, and the sections by name."""
    parts = re.split(r"\n([A-Z][a-z]+)\n-{3,}\n", "\n" + inspect.cleandoc(doc))
    return parts[0].strip(), dict(zip(parts[1::2], parts[2::2], strict=True))


def entries(text):
    """The entries of a section as a list."""
    lines, found = text.splitlines(), []
    for line in lines:
        if line and not line.startswith(" "):
            found.append([line, []])
        elif found:
            found[-1][1].append(line.strip())
    items = []
    for head, body in found:
        name, _, kind = head.partition(" : ")
        first = f"- `{name}`" + (f" ({kind})" if kind else "")
        text = paragraphs("\n".join(body)).replace("\n\n", " ").replace("\n", " ")
        item = f"{first}: {text}" if text else first
        item = item.replace("|", "\\|")
        items.append(textwrap.fill(item, WIDTH, subsequent_indent="  ", break_on_hyphens=False,
                                   break_long_words=False))
    return "\n".join(items)


def described(doc, level):
    text, parts = sections(doc)
    lines = [paragraphs(text)]
    for name in ("Parameters", "Returns", "Attributes"):
        if name in parts:
            lines += [f"{name}:", entries(parts[name])]
    if "Examples" in parts:
        lines.append(f"```python\n{textwrap.dedent(parts['Examples']).strip()}\n```")
    return "\n\n".join(lines)


def signature(function):
    names = [
        f"**{name}" if parameter.kind is parameter.VAR_KEYWORD else name
        for name, parameter in inspect.signature(function).parameters.items()
        if name != "self"
    ]
    return ", ".join(names)


def methods(cls):
    """The methods that this package documents: not those of scikit-learn."""
    for name in sorted(dir(cls)):
        member = inspect.getattr_static(cls, name)
        if isinstance(member, (classmethod, staticmethod)):
            member = member.__func__
        if name == "pick" and hasattr(cls, "_pick"):
            member = cls._pick
        inner = inspect.unwrap(member) if callable(member) else member
        if not name.startswith("_") and inspect.isfunction(inner):
            if inner.__module__.startswith("mge.") and inner.__doc__ and name != "get_params":
                yield name, inner


def page():
    blocks = [HEAD.strip()]
    for name in sorted(mge.__all__, key=str.lower):
        value = getattr(mge, name)
        if name.startswith("__") or not getattr(value, "__doc__", None):
            continue
        if inspect.isclass(value):
            blocks += [f"## {name}", described(value.__doc__, 2)]
            if not issubclass(value, Exception):
                for method, function in methods(value):
                    blocks += [
                        f"### {name}.{method}({signature(function)})",
                        described(function.__doc__, 3),
                    ]
        else:
            blocks += [f"## {name}({signature(value)})", described(value.__doc__, 2)]
    return "\n\n".join(blocks).rstrip() + "\n"


def test_the_page_is_that_of_the_docstrings():
    made = page()
    if os.environ.get("MGE_DOCS") == "overwrite":
        PAGE.write_text(made, encoding="utf-8")
    if not PAGE.exists():
        pytest.skip("the page is not beside these tests")
    assert made == PAGE.read_text(encoding="utf-8"), "MGE_DOCS=overwrite renews the page"


def test_every_public_name_is_documented():
    for name in mge.__all__:
        assert name == "__version__" or getattr(mge, name).__doc__, name
