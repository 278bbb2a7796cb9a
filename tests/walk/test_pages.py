"""Every block of Python on the pages of docs runs by itself, in a folder with the shipped examples."""

import re
import runpy
import shutil

import pytest
from conftest import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))
BLOCKS = [
    pytest.param(block, id=f"{page.stem} {number}")
    for page in PAGES
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL), 1)
]


@pytest.mark.parametrize("block", BLOCKS)
def test_block_runs(block, tmp_path, monkeypatch):
    if "MechanismEnvironment" in block:
        pytest.importorskip("gymnasium")
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    (tmp_path / "examples").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "block.py").write_text(block)
    runpy.run_path("block.py")


def test_the_page_on_python_has_blocks():
    assert sum(param.id.startswith("python ") for param in BLOCKS) >= 8


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target, place in re.findall(r"\]\(([^)#\s]*)(#[^)\s]*)?\)", page.read_text()):
        if target.startswith(("http", "generated/")):  # the build of the site makes pages of its own
            continue
        other = (page.parent / target) if target else page
        assert other.exists(), target
        if place:
            heads = re.findall(r"^#+ (.*)$", other.read_text(), re.MULTILINE)
            anchors = {"#" + re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
            assert place in anchors, f"{target}{place}"
