"""Reference motions of rolling bodies, in tests/data/rolling, and how a run is compared with them."""

import json

import numpy as np
from conftest import DATA

FORMULATIONS = ("tree", "absolute")
FINE = {"rtol": 1e-11, "atol": 1e-12}


def case(name, file="rolling"):
    """One case of a file of references."""
    cases = json.loads((DATA / "rolling" / f"{file}.json").read_text())["cases"]
    return next(one for one in cases if one["name"] == name)


def stacked(run, *columns):
    """Columns of a run side by side, a line for each row."""
    return np.stack([run[name] for name in columns], 1)


def table(rows, key):
    """A quantity of all reference rows."""
    return np.array([row[key] for row in rows], float)
