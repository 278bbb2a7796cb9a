"""What the package says of itself, in several files, is the same."""

import re
import tomllib

from conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def cited(key):
    return re.search(rf"^{key}: *\"?([^\"\n]+)", (ROOT / "CITATION.cff").read_text(), re.MULTILINE).group(1)


def test_the_citation_is_that_of_the_package():
    assert (cited("title"), cited("version"), cited("license")) == (
        PROJECT["name"],
        PROJECT["version"],
        PROJECT["license"],
    )
    assert f'name: "{PROJECT["authors"][0]["name"]}"' in (ROOT / "CITATION.cff").read_text()


def test_the_changelog_has_the_form_that_it_names():
    """Keep a Changelog: what is not released first, then the version; each with the usual headings only."""
    text = (ROOT / "CHANGELOG.md").read_text()
    assert re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)[:2] == ["Unreleased", PROJECT["version"]]
    headings = re.findall(r"^### (.+)$", text, re.MULTILINE)
    assert set(headings) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
