"""The notebook runs, and leaves no error."""

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_the_notebook_runs(file):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(file, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "committed without outputs"
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    kinds = {
        kind
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    }
    assert {"image/svg+xml", "image/png", "text/html"} <= kinds


def test_there_is_a_notebook():
    assert NOTEBOOKS
