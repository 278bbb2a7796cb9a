"""Every block on the pages of the site runs: files, commands, programs of a page in one folder; cells of notebooks."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "docs" / "extensions"))
from session import PROGRAM, Session, parse_page

PAGES = sorted(page for page in (ROOT / "docs").rglob("*.md") if "generated" not in page.parts)
WITH_BLOCKS = [page for page in PAGES if parse_page(page.read_text())]
NOTEBOOKS = [page for page in PAGES if "file_format: mystnb" in page.read_text()]


def named(page):
    return page.relative_to(ROOT / "docs").with_suffix("").as_posix()


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=named)
def test_a_page_does_what_it_shows(page):
    session = Session()
    try:
        for block in parse_page(page.read_text()):
            session.run_block(block)
            for option in ("picture", "show"):
                assert option not in block.options or (session.folder / block.options[option]).exists()
    finally:
        session.close()


@pytest.mark.parametrize("page", NOTEBOOKS, ids=named)
def test_a_notebook_runs(page, tmp_path):
    cells = re.findall(r"```\{code-cell\}\n(.*?)```", page.read_text(), re.DOTALL)
    commands = [line[1:].split() for cell in cells for line in cell.splitlines() if line.startswith("!")]
    for _, *words in commands:
        subprocess.run([PROGRAM, *words], cwd=tmp_path, check=True, capture_output=True)
    program = "\n".join(line for cell in cells for line in cell.splitlines() if not line.startswith("!"))
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_course_has_six_notebooks():
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "docs"], ids=named)
def test_links_lead_to_pages(page):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if not target.startswith(("http", "../generated/", "generated/")):
            assert (page.parent / target).exists(), target
