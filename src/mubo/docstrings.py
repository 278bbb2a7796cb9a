"""Docstrings in the form of numpydoc, completed from signatures and from the sentences that declarations have.

A public function writes its summary, what else to know and its examples; `documented` adds the sections Parameters,
Returns and Raises. Names, types and defaults come from the signature, so that they cannot differ from it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])
_ASKED = [True]  # whether docstrings are completed
_MARKS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def numpydoc(
    text: str,
    parameters: Iterable[tuple[str, str]] = (),
    returns: str = "",
    raises: Mapping[str, str] | None = None,
    examples: str = "",
) -> str:
    """The docstring of a text with its sections; a parameter is its line "name : type" and a sentence."""
    listed = "\n".join(f"{head}\n    {sentence}" for head, sentence in parameters)
    refused = "\n".join(f"{error}\n    {sentence}" for error, sentence in (raises or {}).items())
    sections = {"Parameters": listed, "Returns": returns, "Raises": refused, "Examples": examples}
    parts = [f"{name}\n{'-' * len(name)}\n{body}" for name, body in sections.items() if body]
    return "\n\n".join([text.strip("\n"), *parts]) + "\n"


# Modules of NumPy that do nothing but write its docstrings, which takes a tenth of importing it.
DOCSTRINGS_OF_NUMPY = ("numpy._core._add_newdocs", "numpy._core._add_newdocs_scalars")


def leave_out_docstrings() -> None:
    """Complete no docstring of a module that is loaded from now on: the command `mubo` shows none of them."""
    _ASKED[0] = False
    for name in DOCSTRINGS_OF_NUMPY:
        sys.modules.setdefault(name, ModuleType(name))


def documented(
    *declared: Mapping[str, str], returns: str = "", raises: Mapping[str, str] | None = None, **sentences: str
) -> Callable[[_Function], _Function]:
    """Complete the docstring of a function with sentences about its parameters, by name.

    `declared` are sentences of declarations; those of names that the signature does not have describe its keywords.
    A parameter without a sentence, and a sentence without a parameter, is a TypeError when the module is loaded.
    """
    known = {name: sentence for one in declared for name, sentence in one.items()} | sentences

    def complete(function: _Function) -> _Function:
        if function.__doc__ is None or not _ASKED[0]:  # Python runs without docstrings, or the command does
            return function
        signature = inspect.signature(function)
        given = {name: one for name, one in signature.parameters.items() if name not in ("self", "cls")}
        wrong = [name for name in sentences if name not in given]
        missing = [name for name, one in given.items() if name not in known and one.kind is not one.VAR_KEYWORD]
        if wrong or missing:
            raise TypeError(f"{function.__qualname__}: sentences about {wrong} without, none about {missing}")
        lines = inspect.cleandoc(function.__doc__).split("\n")
        first = next((k for k, line in enumerate(lines) if line.startswith(">>>")), len(lines))
        rest = {name: sentence for name, sentence in known.items() if name not in given}
        parameters = [(_head(one), known.get(name) or _keywords(rest)) for name, one in given.items()]
        result = f"{signature.return_annotation}\n    {returns}" if returns else ""
        prose, examples = "\n".join(lines[:first]), "\n".join(lines[first:])
        function.__doc__ = numpydoc(prose, parameters, result, raises, examples)
        return function

    return complete


def _head(one: inspect.Parameter) -> str:
    """The line of a parameter: name, type, and its default where it may be left out."""
    annotation = "Any" if one.annotation is inspect.Parameter.empty else one.annotation
    default = one.default
    if default is inspect.Parameter.empty:
        optional = ", optional" if one.kind in _MARKS else ""
    else:
        plain = isinstance(default, str | int | float | bool) and default != ""
        optional = f", default {default!r}" if plain else ", optional"
    return f"{_MARKS.get(one.kind, '')}{one.name} : {annotation}{optional}"


def _keywords(sentences: Mapping[str, str]) -> str:
    return "\n    ".join(f"`{name}`: {sentence}" for name, sentence in sentences.items())
