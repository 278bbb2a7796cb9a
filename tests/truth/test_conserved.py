"""What every example keeps in a simulation at default tolerances, in both forms: the energy balance within 1e-9 of what
is exchanged, loops closed within 1e-10 of the size, their rates within 1e-10 of the fastest, at every row.

Examples to be simulated run over all their time; driven ones that have masses are let go for a second."""

import re

import numpy as np
import pytest
from conftest import EXAMPLES

import mubo
from mubo.mechanism import mechanism_of

TEXTS = {path.stem: path.read_text() for path in sorted(EXAMPLES.glob("*.toml"))}
SIMULATED = [name for name, text in TEXTS.items() if 'type = "simulate"' in text]
LET_GO = [name for name, text in TEXTS.items() if name not in SIMULATED and re.search(r"^(mass|density) =", text, re.M)]
LET_GO.remove("walker")  # a person without muscles whirls round the places of measured forces
LET_GO.remove("crank_press")  # its punch pushes while the ram goes down alone: let go, a force jumps with that sense
LET_GO.remove("centrifuge")  # its shaft stands upright: let go, it rests, and there is no motion to judge
# Why a driven example cannot be simulated, by its own words.
REASONS = (
    "has no mass",
    "has no inertia",
    "gravity is not stated",
)
TREES_ALONE = {"worm_hoist": "absolute coordinates do not know the friction of threads and meshes"}
ROWS = 40


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*SIMULATED, *LET_GO])
def test_energy_and_loops(name, form):
    model = mubo.load(EXAMPLES / f"{name}.toml")
    asked = model.build().output_times()
    start, end = asked.start, asked.end
    if name in LET_GO:
        model.drivers.clear()
        end = start + 1
    model.events.clear()
    try:
        run = model.simulate(start, end, (end - start) / ROWS, formulation=form)
    except mubo.ModelError as error:
        if name in LET_GO and any(reason in str(error) for reason in REASONS):
            return
        if form == "absolute" and name in TREES_ALONE and TREES_ALONE[name] in str(error):
            return
        raise
    assert run.summary["status"] == "ok", run.events
    assert run.summary["energy"]["relative"] < 1e-9
    gaps, size = run.summary.get("loops"), mechanism_of(model.build()).size
    if gaps:
        assert gaps["gap"] < 1e-10 * size
        fastest = max(np.max(np.abs(run[c.name])) for c in run.columns.schema if c.kind == "body" and c.order == 1)
        assert gaps["gap_rate"] <= 1e-10 * fastest
