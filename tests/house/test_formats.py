"""Every kind of model file is read, offered and documented from its one line in the registry."""

import pytest
from conftest import ROOT

import mubo
from mubo.cli.convert import convert
from mubo.formats import FORMATS, format_of, save

MANUAL = (ROOT / "docs" / "model_file.md").read_text()
PARAMETERS = {parameter.name: parameter for parameter in convert.params}


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.name)
def test_kinds_of_model_files(kind):
    assert callable(kind.reader())
    assert kind.name in PARAMETERS["kind"].type.choices
    for ending in kind.endings:
        assert format_of(f"model{ending}") is format_of(f"MODEL{ending.upper()}") is kind
        assert f"{ending} ({kind.words})" in PARAMETERS["kind"].help
        line = next(line for line in MANUAL.splitlines() if line.startswith(f"| `{ending}` | `{kind.name}` |"))
        assert line.endswith("| yes |") == bool(kind.writes)
        assert (f"{ending} ({kind.words})" in PARAMETERS["output"].help) == bool(kind.writes)
    if kind.writes:
        assert callable(kind.writer())


def test_names_and_endings_are_unique():
    for words in ([kind.name for kind in FORMATS], [ending for kind in FORMATS for ending in kind.endings]):
        assert len(words) == len(set(words))


def test_what_cannot_be_read_or_written_as_a_model_is_said(tmp_path):
    with pytest.raises(mubo.ModelError, match="cannot be written as deck"):
        save(mubo.Model().build(), tmp_path / "x.deck")
    with pytest.raises(mubo.ModelError, match=r'"tomml" is not a kind of model file\. Did you mean "toml"'):
        format_of("x.toml", "tomml")
