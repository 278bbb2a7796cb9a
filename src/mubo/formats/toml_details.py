"""Details of parts in a native file: [pin.JOINT], [section.BODY], [material.NAME], [outline.BODY], [keepout.NAME]."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from mubo.elements import TABLES, Option, Table
from mubo.elements.details import MATERIAL, SUBJECT
from mubo.errors import ModelError
from mubo.formats.motion_file import quoted
from mubo.model import ModelDefinition
from mubo.model.details import Detail, read_detail
from mubo.model.segments import Segment

if TYPE_CHECKING:
    from mubo.formats.toml import Reader

Read = Callable[[str, Mapping[str, Any]], None]


def read_details(reader: Reader) -> Iterator[tuple[str, Read]]:
    """The tables with what reads an entry of each."""
    for table in TABLES.values():
        yield table.name, lambda name, given, table=table: _entry(reader, table, name, given)  # type: ignore[misc]


def read_subject(reader: Reader, given: Any) -> None:
    """[subject], of which there is one."""
    if not isinstance(given, Mapping):
        raise ModelError("write [subject] and its keys below it: mass, height, table")
    if "mass" not in given:
        reader.note(("subject",), '"mass" is missing: of the whole body')
    reader.model.subject = _detail(reader, SUBJECT, ("subject",), "", given)


def _entry(reader: Reader, table: Table, name: str, given: Mapping[str, Any]) -> None:
    getattr(reader.model, table.part)[name] = _detail(reader, table, (table.name, name), name, given)


def _detail(reader: Reader, table: Table, where: tuple[str, ...], name: str, given: Mapping[str, Any]) -> Detail:
    """The keys of a table that are known; what is wrong is noted."""
    model = reader.model
    reader.keys(where, given, [option.name for option in table.options])
    known = {key: value for key, value in given.items() if any(option.name == key for option in table.options)}

    def attempt(option: str, read: Callable[[], Any]) -> Any:
        return reader.attempt((*where, option), read)

    return read_detail(model.units, model.dimension, table, name, known, attempt)


def detail_blocks(
    model: ModelDefinition, value: Callable[[Any], str], mass: Callable[[ModelDefinition, float, str], str]
) -> Iterator[str]:
    """Every detail as text; `value` and `mass` write a number so that it reads back to the same digits."""
    text = _texts(model, value, mass)
    for table in TABLES.values():
        for name, detail in getattr(model, table.part).items():
            yield "\n".join([f"[{table.name}.{name}]", *_lines(table, detail, text)])


def subject_block(
    model: ModelDefinition, value: Callable[[Any], str], mass: Callable[[ModelDefinition, float, str], str]
) -> Iterator[str]:
    """The subject as text, where there is one."""
    if model.subject is not None:
        yield "\n".join(["[subject]", *_lines(SUBJECT, model.subject, _texts(model, value, mass))])


def segment_text(segment: Segment) -> str:
    """A segment of the subject as the value of a key."""
    ends = ", ".join(quoted(end) for end in segment.ends)
    spread = f", spread = {segment.spread!r}" if segment.spread else ""
    return f"{{ kind = {quoted(segment.kind)}, ends = [{ends}]{spread} }}"


def _texts(
    model: ModelDefinition, value: Callable[[Any], str], mass: Callable[[ModelDefinition, float, str], str]
) -> Callable[[Option, Any], str]:
    """How options are written so that they read back to the same digits."""

    def text(option: Option, held: Any) -> str:
        if isinstance(held, Detail):
            return "{ " + ", ".join(_lines(MATERIAL, held, text)) + " }"
        if isinstance(held, str):
            return quoted(held)
        powers = option.measures.removeprefix("mass")
        return mass(model, held, powers) if powers != option.measures else value(held)

    return text


def _lines(table: Table, detail: Detail, text: Callable[[Option, Any], str]) -> Iterator[str]:
    for option in table.options:
        if option.name in detail.options:
            yield f"{option.name} = {text(option, detail[option.name])}"
