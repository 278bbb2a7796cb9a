"""Every element has its documentation, a truth test and an example."""

import importlib
import re

import pytest
from conftest import EXAMPLES, ROOT

from mubo.elements import DRIVERS, JOINTS

HEADINGS = {"joints": ("What moves:", "Freedoms:", "Formula:", "Degenerate:", "Checked in:", "Source:")}
HEADINGS["couplings"] = HEADINGS["joints"]
HEADINGS["drivers"] = ("What moves:", "Positive:", "Rows:", "Formula:", "Checked in:", "Source:")
ELEMENTS = [("couplings" if joint.couples else "joints", name) for name, joint in JOINTS.items()]
ELEMENTS += [("drivers", name) for name in DRIVERS]


def docstring(room, name):
    return importlib.import_module(f"mubo.elements.{room}.{name}").__doc__


@pytest.mark.parametrize(("room", "name"), ELEMENTS)
def test_docstring_form(room, name):
    text = docstring(room, name)
    for heading in HEADINGS[room]:
        assert heading in text
    assert re.search(r"\n    \[(joint|driver)\.\w+\]\n", text), "an example of three lines or more"


@pytest.mark.parametrize(("room", "name"), ELEMENTS)
def test_truth_test_exists(room, name):
    paths = re.search(r"Checked in:(.*)", docstring(room, name))[1]
    for path in paths.split(","):
        assert (ROOT / path.strip()).is_file()


@pytest.mark.parametrize("name", JOINTS)
def test_joint_has_an_example_and_a_doc_entry(name):
    models = "".join(p.read_text() for p in EXAMPLES.glob("*.toml"))
    assert f'type = "{name}"' in models
    assert f"`{name}`" in (ROOT / "docs" / "elements.md").read_text()
