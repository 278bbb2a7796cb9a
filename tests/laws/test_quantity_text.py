"""Numbers with units for people: the prefix leaves one to three digits before the point and changes no value."""

import re

import pytest

from mubo.laws.number_text import PREFIXES, quantity_text, with_prefix

LETTERS = {letter: factor for factor, letter in PREFIXES}


@pytest.mark.parametrize("unit", ["N", "N m", "W", "J", "Pa", "Hz"])
@pytest.mark.parametrize("power", range(-6, 12))
@pytest.mark.parametrize("mantissa", [1.0, -2.345678, 9.9994])
def test_a_prefix_keeps_the_value(unit, power, mantissa):
    value = mantissa * 10.0**power
    text = quantity_text(value, unit)
    digits, shown = re.fullmatch(r"(−?[\d.]+) (.+)", text).groups()
    assert 1 <= abs(float(digits.replace("−", "-"))) < 1000
    letter = shown.removesuffix(unit)
    assert float(digits.replace("−", "-")) * LETTERS[letter] == pytest.approx(value, rel=5.1e-4)  # four digits


def test_lengths_and_times_are_only_made_smaller():
    assert with_prefix(12_345.0, "m") == (1.0, "m")
    assert quantity_text(0.0123, "m") == "12.3 mm"
    assert quantity_text(0.00025, "s") == "250 µs"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(0.0, "N", "0 N"), (1.5, "", "1.5"), (3.0, "rad/s^2", "3 rad/s²"), (float("inf"), "N", "infinite")],
)
def test_what_takes_no_prefix(value, unit, text):
    assert quantity_text(value, unit) == text


def test_other_units_are_left_alone():
    assert with_prefix(12_345.0, "lbf") == (1.0, "lbf")
