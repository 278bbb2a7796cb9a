"""Writes what follows from the declarations of the model file: its JSON Schema and the reference in model_file.md.

`make format` runs it, and tests/house/test_schema.py compares.
"""

from collections.abc import Iterator
from pathlib import Path

from mubo.elements import Option, TableSchema
from mubo.formats.json_schema import schema_text
from mubo.formats.motion_file import inline
from mubo.model.tables import TOP, file_tables

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "src" / "mubo" / "mubo.schema.json"
PAGE = ROOT / "docs" / "model_file.md"
BEGIN, END = "<!-- tables: written by tools/write_reference.py -->", "<!-- end of the tables -->"


def reference() -> str:
    """The keys of every table, joints and forces aside."""
    tables = "\n".join(line for table in file_tables().values() for line in _table(table))
    return f"{BEGIN}\n\n" + "\n".join(["Above all tables:", "", *_keys(TOP)]) + f"\n\n{tables}\n{END}"


def _table(table: TableSchema) -> Iterator[str]:
    owner = table.of.upper() or "NAME"
    header = table.name if table.single else f"{table.name}.{owner}"
    yield f"### [{header}]"
    yield ""
    yield f"{table.summary[0].upper()}{table.summary[1:]}.{_either(table)}"
    yield ""
    yield from _keys(table.options)
    yield ""


def _either(table: TableSchema) -> str:
    groups = [" with ".join(f"`{key}`" for key in group) for group in table.either]
    return f" Exactly one of {', '.join(groups)}." if groups else ""


def _keys(options: tuple[Option, ...]) -> list[str]:
    rows = ["| key | unit | meaning | default | example |", "|---|---|---|---|---|"]
    return rows + [f"| `{o.name}` | {_unit(o)} | {o.meaning} | {_default(o)} | {_example(o)} |" for o in options]


def _unit(option: Option) -> str:
    named = {"length": "length", "angle": "angle", "place": "length"}
    kind = option.measures if option.measures != "number" else named.get(str(option.holds), "")
    return "" if isinstance(option.holds, tuple) else kind


def _default(option: Option) -> str:
    return "required" if option.required else "" if option.default is None else f"`{option.default}`"


def _example(option: Option) -> str:
    if isinstance(option.holds, tuple):
        return ", ".join(f"`{word}`" for word in option.holds)
    plain = list(option.example) if isinstance(option.example, tuple) else option.example
    return "" if plain is None else f"`{inline(plain)}`"


def page() -> str:
    """The page with the reference as it follows from the declarations."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    return before + reference() + rest.partition(END)[2]


if __name__ == "__main__":
    SCHEMA.write_text(schema_text())
    PAGE.write_text(page())
