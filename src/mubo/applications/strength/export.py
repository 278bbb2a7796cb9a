"""The strength of a mechanism as plain numbers, tables and files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mubo.applications.clearance.drawings import dxf, svg
from mubo.applications.strength.display_units import unit_of
from mubo.errors import ResultError
from mubo.formats.atomic import write_text
from mubo.formats.tables import plain

if TYPE_CHECKING:
    import pandas

    from mubo.applications.strength.report import Strength

ENDINGS = (".csv", ".json", ".txt", ".svg", ".dxf")
COLUMNS = ("part", "what", "value", "unit", "limit", "safety", "asked", "ok", "t", "where", "how")


def require_strength_ending(path: str | Path, source: str = "") -> None:
    """The ending says how it is written; the model itself is not overwritten."""
    if Path(path).suffix not in ENDINGS:
        raise ResultError(f'strength is written as {", ".join(ENDINGS)}; found "{Path(path).name}"')
    if source and Path(path).resolve() == Path(source).resolve():
        raise ResultError(f"{path} is the model itself: give the table another name")


def rows(found: Strength) -> list[dict[str, Any]]:
    """A dictionary for every check, in the model's units."""
    units = found.run.units
    return [
        {
            **{key: value for key, value in check.as_dict().items() if key in COLUMNS},
            "part": f"{check.table} {check.name}",
            "unit": unit_of(units, check.holds),
        }
        for check in found.checks
    ]


def entries(found: Strength) -> dict[str, Any]:
    """The entries that --json prints."""
    return {
        "status": found.run.summary["status"],
        "model": found.run.model.name,
        "ok": found.ok,
        "governs": {
            part: {"what": check.what, "safety": check.safety, "asked": check.asked, "ok": check.ok}
            for part in found.parts
            if (check := found.governs(part)) is not None
        },
        "checks": [{key: row[key] for key in COLUMNS} for row in rows(found)],
        "beams": {name: _beam(found, name) for name in found.links},
        "envelopes": {
            name: {"area": e.area, "box": [list(corner) for corner in e.box], "within": e.within}
            for name, e in found.budget.envelopes.items()
        },
        "events": [event.as_dict() for event in found.budget.events],
        "refused": dict(found.refused),
        "warnings": [*found.notes, *found.budget.notes],
        "files": [],
    }


def _beam(found: Strength, name: str) -> dict[str, Any] | None:
    """N, V, M along a beam at its worst instant."""
    worst = found.worst[name]
    if worst is None:
        return None
    arrays = {
        key: getattr(worst, attribute).tolist() for key, attribute in zip("sNVM", ("s", "n", "v", "m"), strict=True)
    }
    return {"t": worst.t, "at": worst.at, "side": worst.side, "points": list(found.links[name].beam.points), **arrays}


def frame(found: Strength) -> pandas.DataFrame:
    """The checks as a pandas table."""
    try:
        import pandas
    except ImportError:
        raise ResultError("table() needs pandas: pip install 'mubo[tables]'") from None
    return pandas.DataFrame(rows(found), columns=list(COLUMNS))


def save(found: Strength, path: Path) -> None:
    """Writes the table, the words or the envelopes, as the ending says."""
    require_strength_ending(path, found.run.model.source)
    if path.suffix == ".json":
        text = json.dumps(plain(entries(found)), indent=1, allow_nan=False)
    elif path.suffix == ".txt":
        text = f"{found}\n"
    elif path.suffix == ".csv":
        out = io.StringIO()
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: "" if row[key] is None else row[key] for key in COLUMNS} for row in rows(found))
        text = out.getvalue()
    else:
        drawing = svg if path.suffix == ".svg" else dxf
        text = drawing(found.budget.envelopes, found.budget.keepouts, found.run.units.length)
    write_text(path, text)
