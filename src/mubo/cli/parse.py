"""Values of options that are more than a number or a name: pairs NAME=VALUE, sizes, targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from mubo.errors import ModelError


def number_or_text(text: str) -> float | str:
    """A plain number, an integer where it is one; other text is read with its unit by the model."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text.strip()


def split_pairs(texts: Sequence[str], example: str) -> dict[str, str]:
    """Values by name from texts NAME=VALUE; a text without both, and a name that comes twice, are refused."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (name and sign and value):
            raise click.BadParameter(f'expected {example}; found "{text}"')
        if name in pairs:
            raise click.BadParameter(f'"{name}" is given twice: as "{pairs[name]}" and as "{value}"')
        pairs[name] = value
    return pairs


def values_by_name(texts: Sequence[str]) -> dict[str, float | str]:
    """Values of drivers by name."""
    pairs = split_pairs(texts, 'DRIVER=VALUE such as motor=0.5 or "motor=30 deg"')
    return {name: number_or_text(value) for name, value in pairs.items()}


def sizes_by_parameter(texts: Sequence[str]) -> dict[str, Any]:
    """Tolerances of parameters, with their spread behind a comma."""
    out: dict[str, Any] = {}
    for name, text in split_pairs(texts, "NAME=SIZE, such as a=0.05mm").items():
        size, comma, spread = (part.strip() for part in text.partition(","))
        out[name] = {"size": size, "spread": spread} if comma else size
    return out


def sizes_by_joint(texts: Sequence[str]) -> dict[str, str]:
    """Radial clearances of joints."""
    return split_pairs(texts, "JOINT=SIZE, such as B=0.02mm")


def targets(texts: Sequence[str]) -> Any:
    """Targets of a fit: a list of paths, or values by measure."""
    if all("path error of " in text for text in texts):
        return list(texts)
    out: dict[str, Any] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.partition("="))
        if not sign and "path error of " not in text:
            raise ModelError(f'a target is written TEXT=VALUE such as "stroke of D=60 deg"; found "{text}"')
        out[name] = number_or_text(value or "0")
    return out
