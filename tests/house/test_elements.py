"""Every element has its documentation, a truth test and an example."""

import importlib.util
import re

import pytest
from conftest import EXAMPLES, ROOT

from mubo.elements import AMBIENTS, DRIVERS, JOINTS, LOADS, PLANE_LOADS, SPATIAL_DRIVERS, SPATIAL_JOINTS
from mubo.elements.derivatives import rate_equations

HEADINGS = {"plane.joints": ("What moves:", "DOF:", "Formula:", "Degenerate:", "Checked in:", "Source:")}
HEADINGS["plane.couplings"] = HEADINGS["plane.joints"]
HEADINGS["plane.drivers"] = ("What moves:", "Positive:", "Rows:", "Formula:", "Checked in:", "Source:")
HEADINGS["space.joints"] = (*HEADINGS["plane.joints"], "Zero:", "Positive:")
HEADINGS["space.couplings"] = HEADINGS["space.joints"]
HEADINGS["space.drivers"] = HEADINGS["plane.drivers"]
ELEMENTS = [("plane.couplings" if joint.couples else "plane.joints", name) for name, joint in JOINTS.items()]
ELEMENTS += [("plane.drivers", name) for name in DRIVERS]
ELEMENTS += [("space.couplings" if joint.couples else "space.joints", name) for name, joint in SPATIAL_JOINTS.items()]
ELEMENTS += [("space.drivers", name) for name in SPATIAL_DRIVERS]
PLANE, SPACE = (ROOT / "docs" / "elements.md").read_text().split("\n## In space\n")


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


@pytest.mark.parametrize("dimension", [2, 3])
def test_every_equation_has_its_rates_in_symbols(dimension):
    """The page and `mubo equations` print them; one that is missing ends the report of its example."""
    ambient = AMBIENTS[dimension]
    for element in (*ambient.joints.values(), *ambient.drivers.values()):
        for row in element.rows:
            for driven in (False, True):
                found = rate_equations(row, dimension, driven)
                assert found.velocity, row.kind
                assert found.acceleration, row.kind


def examples(spatial):
    """The text of all examples of the plane or of space."""
    texts = [path.read_text() for path in EXAMPLES.glob("*.toml")]
    return "".join(text for text in texts if ("dimension = 3" in text) == spatial)


@pytest.mark.parametrize("name", JOINTS)
def test_joint_has_an_example_and_a_doc_entry(name):
    assert f'type = "{name}"' in examples(spatial=False)
    assert f"`{name}`" in PLANE


@pytest.mark.parametrize("name", SPATIAL_JOINTS)
def test_spatial_joint_has_an_example_and_a_doc_entry(name):
    assert f'type = "{name}"' in examples(spatial=True)
    assert f"`{name}`" in SPACE


@pytest.mark.parametrize("name", SPATIAL_DRIVERS)
def test_spatial_driver_has_a_doc_entry(name):
    assert f"`{name}`" in SPACE


def docstring_of(load):
    """Of the file that declares a load, wherever it stands."""
    for room in ("loads", "plane.loads", "space.loads"):
        if importlib.util.find_spec(f"mubo.elements.{room}.{load.name}"):
            module = importlib.import_module(f"mubo.elements.{room}.{load.name}")
            if load in vars(module).values():
                return module.__doc__
    raise AssertionError(f"no file is called {load.name}")


@pytest.mark.parametrize("load", [*LOADS.values(), *PLANE_LOADS.values()], ids=lambda load: load.name)
def test_forces_have_their_documentation_and_truth_test(load):
    text = docstring_of(load)
    for heading in ("What acts:", "Positive:", "Formula:", "Checked in:", "Source:"):
        assert heading in text
    assert re.search(r"\n    \[force\.\w+\]\n", text), "an example of three lines or more"
    truth = ROOT / re.search(r"Checked in:(.*)", text)[1].strip()
    assert f'"{load.formula.name}"' in truth.read_text() or f'"{load.name}"' in truth.read_text()
    assert f"`{load.name}`" in (ROOT / "docs" / "loads.md").read_text()
