"""Somebody's gait as plain numbers, tables and files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mubo.applications.gait.cycles import PERCENT
from mubo.applications.gait.describe_gait import shorter, strides
from mubo.applications.gait.joints import PAIRS
from mubo.arrays import Array
from mubo.errors import ResultError
from mubo.formats.atomic import write_text
from mubo.formats.tables import plain, write_csv

if TYPE_CHECKING:
    import pandas

    from mubo.applications.gait.report import Gait

ENDINGS = (".csv", ".json", ".txt", ".sto")


def require_gait_ending(path: str | Path, source: str = "") -> None:
    """The ending says how it is written; the model itself is not overwritten."""
    if Path(path).suffix not in ENDINGS:
        raise ResultError(f'gait is written as {", ".join(ENDINGS)}; found "{Path(path).name}"')
    if source and Path(path).resolve() == Path(source).resolve():
        raise ResultError(f"{path} is the model itself: give the table another name")


def columns(found: Gait) -> dict[str, Array]:
    """Mean and deviation of every column over the cycle, with units in the names."""
    out: dict[str, Array] = {"percent": PERCENT}
    for cycles in found.cycles.values():
        for name in cycles.of if cycles.times else ():
            unit = shorter(found.run.unit(name))
            label = f" [{unit}]" if unit else ""
            out[f"{name}{label}"], out[f"{name}.sd{label}"] = cycles.mean(name), cycles.deviation(name)
    return out


def entries(found: Gait) -> dict[str, Any]:
    """The entries that --json prints."""
    run = found.run
    residual = None
    if found.residual is not None:
        force, moment = found.residual.parts
        residual = {"force": force, "moment": moment, "of": "largest ground reaction, and that times hip height"}
    return {
        "status": run.summary["status"],
        "model": run.model.name,
        "ok": found.ok,
        "events": {
            side: {"rule": one.rule, "heel_strikes": list(one.heel), "toe_offs": list(one.toe)}
            for side, one in found.strikes.items()
        },
        "strides": {leg.side: strides(found, leg) for leg in found.legs},
        "cycles": {
            side: {"times": [list(pair) for pair in one.times], "stance": list(one.stance)}
            for side, one in found.cycles.items()
        },
        "mean": {name: values.tolist() for name, values in columns(found).items()},
        "residual": residual,
        "motion": run.summary.get("motion", {}),
        "warnings": [*found.notes, *run.summary.get("warnings", ())],
        "files": [],
    }


def frame(found: Gait) -> pandas.DataFrame:
    """The mean cycles as a pandas table."""
    try:
        import pandas
    except ImportError:
        raise ResultError("table() needs pandas: pip install 'mubo[tables]'") from None
    return pandas.DataFrame(columns(found))


def storage(found: Gait) -> str:
    """Angles (degrees) and moments (N m) over time, as OpenSim stores them."""
    run = found.run
    length, mass, time = (run.units.size(kind) for kind in ("length", "mass", "time"))
    names = [leg.name(joint) for leg in found.legs for joint in PAIRS]
    subject = run.model.subject
    assert subject is not None
    newtons = subject["mass"] * mass * length**2 / time**2
    held = [run.columns.raw("t") * time]
    held += [np.degrees(run.columns.raw(name)) for name in names]
    held += [newtons * run.columns.raw(f"{name}_moment") for name in names]
    words = ["time", *names, *(f"{name}_moment" for name in names)]
    head = [run.model.name, "version=1", f"nRows={len(run)}", f"nColumns={len(words)}", "inDegrees=yes", "endheader"]
    rows = ("\t".join(repr(float(x)) for x in row) for row in np.column_stack(held))
    return "\n".join([*head, "\t".join(words), *rows]) + "\n"


def save(found: Gait, path: Path) -> None:
    """Writes the mean cycles, the words, or angles and moments over time, as the ending says."""
    require_gait_ending(path, found.run.model.source)
    if path.suffix == ".csv":
        write_csv(path, columns(found))
    elif path.suffix == ".json":
        write_text(path, json.dumps(plain(entries(found)), indent=1, allow_nan=False))
    else:
        write_text(path, f"{found}\n" if path.suffix == ".txt" else storage(found))
