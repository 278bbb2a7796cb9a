"""The questions that a model can be asked, one method for each declared study: questions.pyi has their signatures."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mubo.analyses import answer
from mubo.studies import STUDIES, Study


def signature_of(study: Study) -> inspect.Signature:
    """The signature of the method of a study: positional options first, the others by keyword."""
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for one in study.options.values():
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if one.positional else inspect.Parameter.KEYWORD_ONLY
        default = inspect.Parameter.empty if one.required and not one.in_file else one.default
        parameters.append(inspect.Parameter(one.name, kind, default=default, annotation=one.annotation))
    result = study.result.partition(":")[2]
    return inspect.Signature(parameters, return_annotation=result)


def method_of(study: Study) -> Callable[..., Any]:
    """The method of a study."""
    signature = signature_of(study)
    required = {one.name for one in study.options.values() if one.required and not one.in_file}

    def ask(self: Any, *args: Any, **given: Any) -> Any:
        if args or not given.keys() <= study.options.keys() or not required <= given.keys():
            try:
                given = signature.bind(self, *args, **given).arguments
            except TypeError as error:
                raise TypeError(f"{study.name}: {error}") from None
            del given["self"]
        return answer(study, self.build(), given)

    ask.__name__, ask.__qualname__, ask.__doc__ = study.name, f"Model.{study.name}", study.docstring
    ask.__signature__ = signature  # type: ignore[attr-defined]
    return ask


class _Question:
    """The place of a method, whose signature and docstring are written when somebody looks at it."""

    def __init__(self, study: Study) -> None:
        self.study = study

    def __get__(self, instance: Any, owner: type) -> Any:
        method = method_of(self.study)
        setattr(Questions, self.study.name, method)
        return method.__get__(instance, owner)


class Questions:
    """The studies of a model, a method for each."""


for _study in STUDIES.values():
    setattr(Questions, _study.name, _Question(_study))
