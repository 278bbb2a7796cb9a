"""Names of elements in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mubo.mechanism.rows import Equation


def join_words(words: Sequence[str]) -> str:
    """Join names, such as "joint A", "joint B", "driver M" → "joints A and B and driver M"; other words stay as they
    are."""
    if not all(" " in word for word in words):
        return _join_list(list(words))
    names: dict[str, list[str]] = {}
    for word in words:
        kind, name = word.split(" ", 1)
        names.setdefault(kind, []).append(name)
    return " and ".join(f"{kind}{'s' * (len(of) > 1)} {_join_list(of)}" for kind, of in names.items())


MOST_NAMES = 12


def _join_list(words: list[str]) -> str:
    if len(words) > MOST_NAMES:
        words = [*words[: MOST_NAMES - 2], f"{len(words) - MOST_NAMES + 2} more"]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def elements_of(used: Iterable[Equation]) -> tuple[str, ...]:
    """Elements behind equations, each once: "joint A", "driver motor"."""
    return tuple(dict.fromkeys(equation.owner for equation in used))


def axes_of(used: Iterable[Equation], sizes: Mapping[str, int]) -> str:
    """Text on the equations meant, where an element is not meant as a whole: "x of B; angle of F"."""
    chosen: dict[str, list[str]] = {}
    for equation in used:
        chosen.setdefault(equation.name, []).append(equation.word)
    parts = [f"{' and '.join(words)} of {name}" for name, words in chosen.items() if len(words) < sizes[name]]
    return "; ".join(parts)
