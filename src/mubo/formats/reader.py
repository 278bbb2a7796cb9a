"""What the readers of the tables of a native file share: the growing model, and the problems found so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from mubo.elements import Option, TableSchema
from mubo.errors import ModelError, nearest
from mubo.model import Builder
from mubo.model.check import Problem

Given = Mapping[str, Any]
# Kinds of keys whose form can be judged without the model: whether a value has it, and what is expected.
FORMS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "text": (lambda value: isinstance(value, str), "a text"),
    "pair": (
        lambda value: isinstance(value, list) and len(value) == 2 and all(isinstance(x, str) for x in value),
        "two names",
    ),
}


class Reader:
    """A model that is read; what is wrong is noted with its place, and reading goes on."""

    def __init__(self, path: Path) -> None:
        self.path, self.folder = path, path.parent
        self.model = Builder(path.stem)
        self.problems: list[Problem] = []

    def table(self, where: tuple[str, ...], schema: TableSchema, given: Any) -> bool:
        """Whether a table has the keys that are declared, those that it needs, and values of their form."""
        before = len(self.problems)
        if not isinstance(given, Mapping):
            header = ".".join(where)
            self.note(where, f"write [{header}] and its keys below it: {', '.join(list(schema.keys)[:4])}")
            return False
        self.keys(where, given, schema.keys)
        for text in schema.missing(given):
            self.note(where, text)
        for option in schema.options:
            if option.name in given:
                self._form((*where, option.name), option, given[option.name])
        self._either(where, schema, given)
        return len(self.problems) == before

    def _form(self, where: tuple[str, ...], option: Option, value: Any) -> None:
        kind = option.holds
        if isinstance(kind, tuple):
            if value not in kind:
                self.note(where, f'there is no {option.name} "{value}" ({option.meaning}). {nearest(str(value), kind)}')
        elif kind in FORMS and not FORMS[kind][0](value):
            example = f" such as {option.example!r}".replace("'", '"') if kind != "boolean" else ""
            self.note(where, f"{option.name} is {FORMS[kind][1]}{example}; found {value!r}")

    def _either(self, where: tuple[str, ...], schema: TableSchema, given: Mapping[str, Any]) -> None:
        groups = [group for group in schema.either if set(group) & given.keys()]
        if schema.either and len(groups) != 1:
            allowed = ", ".join(" with ".join(group) for group in schema.either)
            found = f"; found {' and '.join(group[0] for group in groups)}" if groups else ""
            self.note(where, f"a {schema.name} has one of {allowed}{found}")

    def keys(self, where: tuple[str, ...], given: Mapping[str, Any], allowed: Iterable[str]) -> bool:
        """Whether all keys are known; others are noted with the nearest right word."""
        unknown = [key for key in given if key not in allowed]
        for key in unknown:
            self.note((*where, key), f'there is no key "{key}". {nearest(key, allowed)}')
        return not unknown

    def note(self, where: tuple[str, ...], text: str) -> None:
        """Keeps a problem for the report."""
        self.problems.append(Problem(where, text))

    def attempt(self, where: tuple[str, ...], read: Callable[[], Any], prefix: str = "") -> Any:
        """The answer of `read`, or None with the problem noted."""
        try:
            return read()
        except ModelError as error:
            self.note(where, prefix + str(error).replace("\n ", ""))
        except (TypeError, AttributeError):
            self.note(where, prefix + "has the wrong form")
        except ArithmeticError:
            self.note(where, prefix + "has a number that is too large or too small to compute with")
        return None
