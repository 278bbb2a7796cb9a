"""A model as Python: the calls of `mubo.Model` that build it, from the tables of its file.

The words of the file are the words of the methods: [body.crank] with its keys is `model.body("crank", …)`. Only the
ground, what an element acts on, and parameters are spelled otherwise. The study of [analysis] is the last call.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from typing import Any

from mubo.elements import TABLES, loads_of
from mubo.formats.toml_write import native_tables
from mubo.model import GROUND, ModelDefinition

WIDE = 110  # characters of a line
PLAIN = ("point", "measure", "initial", "event", *TABLES)  # tables whose keys are those of their method
Entry = Mapping[str, Any]


def python_text(model: ModelDefinition, target: str = "the program") -> str:
    """Python that builds a model and runs its study."""
    tables = native_tables(model, target)
    head: Entry = {str(key): tables[key] for key in ("units", "dimension", "gravity") if key in tables}
    lines = ["import mubo", "", _call("model = mubo.Model", [model.name], head)]
    lines += [_call("model.parameter", [name, value]) for name, value in tables.get("parameters", {}).items()]
    if "subject" in tables:
        lines.append(_call("model.set_subject", [], tables["subject"]))
    lines += _bodies(tables.get("body", {}))
    kinds = model.kinds
    lines += [_element("joint", name, one, kinds[one["type"]].key) for name, one in tables.get("joint", {}).items()]
    lines += [_driver(name, entry) for name, entry in tables.get("driver", {}).items()]
    loads = loads_of(model.dimension)
    lines += [_element("force", name, one, loads[one["type"]].key) for name, one in tables.get("force", {}).items()]
    for table in PLAIN:
        lines += [_call(f"model.{table}", [name], entry) for name, entry in tables.get(table, {}).items()]
    lines += [_tolerance(name, entry) for name, entry in tables.get("tolerances", {}).items()]
    lines += ["", *_studies(tables), ""]
    return "\n".join(lines)


def _bodies(bodies: Entry) -> Iterator[str]:
    for name, entry in bodies.items():
        if name != GROUND:
            yield _call("model.body", [name], entry)
            continue
        yield from (_call("model.ground.point", [point, at]) for point, at in entry.get("points", {}).items())
        if "lengths" in entry:
            rest = {key: value for key, value in entry.items() if key in ("angles", "right")}
            yield _call("model.ground.geometry_from_lengths", [entry["lengths"]], rest)


def _element(word: str, name: str, entry: Entry, key: str) -> str:
    """A joint or load: its type, what it acts on, and its options."""
    ends = entry[key] if isinstance(entry[key], list) else [entry[key]]
    return _call(
        f"model.{word}", [name, entry["type"], *ends], {k: v for k, v in entry.items() if k not in ("type", key)}
    )


def _driver(name: str, entry: Entry) -> str:
    of = entry["of"] if "of" in entry else entry["between"]
    return _call("model.driver", [name, of, entry["motion"]], {k: v for k, v in entry.items() if k == "start"})


def _tolerance(name: str, entry: Any) -> str:
    if isinstance(entry, Mapping):
        return _call("model.set_tolerance", [name], entry)
    return _call("model.set_tolerance", [name, entry])


def _studies(tables: Mapping[str, Any]) -> Iterator[str]:
    """The study of [analysis]; an optimisation, which may take long, as a comment."""
    asked = dict(tables.get("analysis", {"type": "kinematics"}))
    study = asked.pop("type", "kinematics")
    yield _call(f"run = model.{study}", [], asked)
    yield "print(run)"
    if "optimize" in tables:
        yield from (f"# {line}" for line in _call("found = model.optimize", [], tables["optimize"]).split("\n"))


def _call(name: str, values: list[Any], named: Entry | None = None) -> str:
    """A call, on one line where it is short enough, else an argument a line; keys that are no names go into **{}."""
    plain = {key: value for key, value in (named or {}).items() if key.isidentifier() and not iskeyword(key)}
    rest = {key: value for key, value in (named or {}).items() if key not in plain}
    given = [*map(_value, values), *(f"{key}={_value(value)}" for key, value in plain.items())]
    given += [f"**{_value(rest)}"] if rest else []
    line = f"{name}({', '.join(given)})"
    return line if len(line) <= WIDE else f"{name}(\n    " + ",\n    ".join(given) + ",\n)"


def _value(value: Any) -> str:
    """A value as a program has it, texts in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(key)}: {_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(value)
