"""Readers of the smaller tables of a native file; each takes the reader, the name of an entry and its keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mubo.elements import TABLES, TableSchema
from mubo.elements.details import SUBJECT
from mubo.errors import ModelError, nearest
from mubo.formats.toml_parts import Given, Reader
from mubo.model.instants import read_times
from mubo.model.output_times import time_problems
from mubo.model.parts import Analysis, Detail
from mubo.model.tables import ANALYSES, EVENT, INITIAL, MARKERS, MEASURE, OPTIMIZE, PLATE, POINT, analysis_table
from mubo.studies import STUDIES

if TYPE_CHECKING:
    from mubo.formats.walk.axes import Laboratory


def read_point(reader: Reader, name: str, given: Given) -> None:
    """Reads [point.NAME]."""
    if reader.table(("point", name), POINT, given):
        reader.attempt(("point", name, "at"), lambda: reader.model.point(name, **given))


def read_measure(reader: Reader, name: str, given: Given) -> None:
    """Reads [measure.NAME]."""
    if reader.table(("measure", name), MEASURE, given):
        reader.model.measure(name, **given)


def read_initial(reader: Reader, name: str, given: Given) -> None:
    """Reads [initial.JOINT] with q and v, one number or a list; [initial.BODY] with vectors."""
    if reader.table(("initial", name), INITIAL, given):
        reader.model.initial(name, **given)


def read_event(reader: Reader, name: str, given: Given) -> None:
    """Reads [event.NAME]."""
    if reader.table(("event", name), EVENT, given):
        reader.model.event(name, **given)


def detail_reader(table: TableSchema) -> Callable[[Reader, str, Given], None]:
    """The reader of [pin.JOINT], [section.BODY] and the other tables of details; the check says what is missing."""

    def read(reader: Reader, name: str, given: Given) -> None:
        getattr(reader.model, table.part)[name] = _detail(reader, table, (table.name, name), name, given)

    return read


def _detail(reader: Reader, table: TableSchema, where: tuple[str, ...], name: str, given: Given) -> Detail:
    from mubo.model.details import read_detail

    model = reader.model
    reader.keys(where, given, table.keys)
    if "file" in given and table.name == "outline":
        given = _with_polygon(reader, where, name, given)
    known = {key: value for key, value in given.items() if key in table.keys}

    def attempt(option: str, read: Callable[[], Any]) -> Any:
        return reader.attempt((*where, option), read)

    return read_detail(model.units, model.dimension, table, name, known, attempt)


def _with_polygon(reader: Reader, where: tuple[str, ...], name: str, given: Given) -> Given:
    """The keys of an outline with the polygon that its drawing shows."""
    from mubo.formats.dxf_outline import read_outline

    units, others = reader.model.units, {key: given[key] for key in given if key not in ("file", "drawn_in")}
    if "polygon" in given:
        reader.note((*where, "file"), "an outline has a file or a polygon, not both")
        return others
    path, layer = reader.folder / str(given["file"]), given.get("drawn_in")
    corners = reader.attempt((*where, "file"), lambda: read_outline(path, name, layer, units.in_own("1 m", "length")))
    return others if corners is None else {**others, "polygon": corners}


NAMED: dict[str, Callable[[Reader, str, Given], None]] = {
    "point": read_point,
    "measure": read_measure,
    "initial": read_initial,
    "event": read_event,
    **{name: detail_reader(table) for name, table in TABLES.items()},
}


def read_subject(reader: Reader, given: Any) -> None:
    """Reads [subject]."""
    if not isinstance(given, Mapping):
        raise ModelError("write [subject] and its keys below it: mass, height, table")
    if "mass" not in given:
        reader.note(("subject",), f'"mass" is missing: {SUBJECT.keys["mass"].meaning}')
    reader.model.subject = _detail(reader, SUBJECT, ("subject",), "", given)


def read_tolerances(reader: Reader, given: Any) -> None:
    """Reads [tolerances]: names with their sizes."""
    from mubo.model.tolerances import read_tolerance

    if not isinstance(given, Mapping):
        reader.note(("tolerances",), 'write [tolerances] and names with their sizes below it: a = "0.05 mm"')
        return
    for name, entry in given.items():
        read = reader.attempt(("tolerances", name), lambda n=name, e=entry: read_tolerance(reader.model, n, e))  # type: ignore[misc]
        if read is not None:
            reader.model.tolerances[name] = read


def read_analysis(reader: Reader, given: Given) -> None:
    """Reads [analysis]: the options of the study that it names."""
    where, units = ("analysis",), reader.model.units
    kind = given.get("type", "kinematics") if isinstance(given, Mapping) else "kinematics"
    if not reader.table(where, analysis_table(*((kind,) if kind in ANALYSES else ())), given):
        return
    before, study = len(reader.problems), STUDIES[kind]
    values: dict[str, Any] = {}
    for key in (key for key in given if key != "type" and not study.options[key].timing):
        values[key] = reader.attempt((*where, key), lambda k=key: study.options[k].read(units, given[k]))  # type: ignore[misc]
    for key in ("start", "end", "step", "at"):
        one = {name: given[name] for name in (key, "over") if name in given}
        if key in given:
            values |= reader.attempt((*where, key), lambda o=one: read_times(units, o, named=False)) or {}  # type: ignore[misc]
    if len(reader.problems) == before:  # each key is right by itself; now what they are together
        reader.attempt(where, lambda: read_times(units, given))
    if "over" in given:
        values["over"] = given["over"]
    if len(reader.problems) == before:
        reader.model.analysis = Analysis(kind, values)
        for place, text in time_problems(reader.model):
            reader.note(place, text)


def read_optimize(reader: Reader, given: Given) -> None:
    """Reads [optimize]: its form, and every name and unit in it, each problem with its line."""
    from mubo.model.optimization import bounds_of, limit_of, optimization_of, term_of

    where, model = ("optimize",), reader.model
    if not reader.table(where, OPTIMIZE, given):
        return
    asked = optimization_of(given)
    for name, pair in asked.vary.items():
        reader.attempt((*where, "vary", name), lambda n=name, p=pair: bounds_of(model.units, n, p))  # type: ignore[misc]
    for name in asked.cases if isinstance(asked.cases, Mapping) else ():
        if name not in model.units.parameters:
            reader.note((*where, "cases"), f'there is no parameter "{name}". {nearest(name, model.units.parameters)}')
    for block in asked.choices:
        for name in block if isinstance(block, Mapping) else ():
            if name not in model.units.parameters:
                text = f'there is no parameter "{name}". {nearest(name, model.units.parameters)}'
                reader.note((*where, "choices"), text)
    for text in asked.of:
        reader.attempt((*where, asked.goal), lambda t=text: term_of(model, t))  # type: ignore[misc]
    for text in asked.constraints:
        reader.attempt((*where, "constraints"), lambda t=text: limit_of(model, t))  # type: ignore[misc]
    model.optimization = asked


def read_markers(reader: Reader, data: Given) -> Laboratory | None:
    """Reads [markers], which become bodies, joints and drivers; [body.NAME] of a segment adds its own masses."""
    from mubo.formats.walk import OF_MARKERS, add_markers, segment_bodies

    if not reader.table(("markers",), MARKERS, data["markers"]):
        return None
    for name in segment_bodies(data["markers"]) & reader.model.bodies.keys():
        for key in OF_MARKERS & data["body"][name].keys():
            reader.note(("body", name, key), f"[markers] gives the {key} of this segment: leave out {key}")
    if reader.problems:  # markers become parts that stand on what was understood
        return None
    found: Laboratory | None = reader.attempt(
        ("markers",), lambda: add_markers(reader.model, data["markers"], reader.folder)
    )
    return found


def read_plates(reader: Reader, plates: Any, laboratory: Laboratory | None) -> None:
    """Reads [plate.NAME], which become forces on the feet; `laboratory` is that of the markers."""
    from mubo.formats.walk import add_plate

    if not isinstance(plates, Mapping):
        reader.note(("plate",), "write [plate.NAME] for each force plate and its keys below it")
        return
    for name, entry in plates.items():
        if reader.table(("plate", name), PLATE, entry) and not reader.problems:
            reader.attempt(
                ("plate", name),
                lambda n=name, e=entry: add_plate(reader.model, n, e, reader.folder, laboratory),  # type: ignore[misc]
            )
