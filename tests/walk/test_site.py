"""Every block on the pages of the site runs: files, commands, programs of a page in one folder; cells of notebooks."""

import re
import subprocess
import sys

import click
import pytest
from conftest import ROOT

from mubo.cli.main import COMMANDS

sys.path.insert(0, str(ROOT / "docs" / "extensions"))
from session import Block, Session, parse_page

PAGES = sorted(page for page in (ROOT / "docs").rglob("*.md") if "generated" not in page.parts)
WITH_BLOCKS = [page for page in PAGES if parse_page(page.read_text())]
NOTEBOOKS = [page for page in PAGES if "file_format: mystnb" in page.read_text()]


def named(page):
    return page.relative_to(ROOT / "docs").with_suffix("").as_posix()


@pytest.fixture
def run_forked(forked_commands):
    """Runs "mubo …" or "python FILE" in a folder, as `run_fresh` of the site does, but forked."""

    def run(words, folder):
        program, rest = ("mubo", words[1:]) if words[0] == "mubo" else (words[1], words[2:])
        done = forked_commands.run(rest, folder, "", timeout=120, program=program)
        return done.returncode, done.stdout + done.stderr

    return run


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=named)
def test_a_page_does_what_it_shows(page, run_forked):
    session = Session(run_forked)
    try:
        for block in parse_page(page.read_text()):
            session.run_block(block)
            for option in ("picture", "show"):
                assert option not in block.options or (session.folder / block.options[option]).exists()
    finally:
        session.close()


@pytest.mark.parametrize("page", NOTEBOOKS, ids=named)
def test_a_notebook_runs(page, tmp_path, run_forked):
    cells = re.findall(r"```\{code-cell\}\n(.*?)```", page.read_text(), re.DOTALL)
    commands = [line[1:].split() for cell in cells for line in cell.splitlines() if line.startswith("!")]
    program = "\n".join(line for cell in cells for line in cell.splitlines() if not line.startswith("!"))
    (tmp_path / "program.py").write_text(program)
    for words in [*commands, ["python", "program.py"]]:
        code, printed = run_forked(words, tmp_path)
        assert code == 0, (words, printed)


def test_a_page_is_run_in_fresh_processes_where_the_site_is_built():
    session = Session()
    try:
        told = session.run_block(Block("shell", "", {"fails": "1"}, "mubo --version\nmubo check absent.toml"))
        assert [command for command, _ in told] == ["mubo --version", "mubo check absent.toml"]
        assert session.run_block(Block("script", "", {}, "import sys\nprint(len(sys.argv))")) == [("", "1\n")]
    finally:
        session.close()


def test_the_course_has_six_notebooks():
    assert len(NOTEBOOKS) == 6


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "docs"], ids=named)
def test_links_lead_to_pages(page):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if not target.startswith(("http", "../generated/", "generated/")):
            assert (page.parent / target).exists(), target


def options_of(command):
    found = {"--help", *(name for option in command.params for name in (*option.opts, *option.secondary_opts))}
    subcommands = command.commands.values() if isinstance(command, click.Group) else ()
    return found.union(*map(options_of, subcommands))


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_in_sentences_have_the_options_that_they_name(page):
    """Commands in blocks run; those inside a sentence, `mubo equations m.toml -o m.tex`, are looked up."""
    for name, rest in re.findall(r"\bmubo ([a-z]+)\b([^`\n#]*)", page.read_text()):
        if name in COMMANDS:
            assert set(re.findall(r"(?<!\S)--[a-z-]+", rest)) <= options_of(COMMANDS[name]), f"mubo {name}{rest}"


def test_the_checker_of_the_built_site_finds_what_leads_nowhere(tmp_path):
    """`make docs` ends with it: files, anchors, and what would be loaded from elsewhere."""
    (tmp_path / "index.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#here">1</a><a href="b.html#gone">2</a><a href="c.html">3</a>'
        '<a href="#top">4</a>'
        '<a href="https://example.org/">5</a><script src="https://example.org/a.js"></script><img src="d.png">'
    )
    (tmp_path / "b.html").write_text('<p id="here">B <a href="index.html">A</a></p>')
    checker = [sys.executable, ROOT / "tools" / "check_site.py", tmp_path]
    done = subprocess.run(checker, capture_output=True, text=True)
    assert done.returncode == 1
    assert [line.split(": ")[1] for line in done.stdout.splitlines()[:-1]] == [
        *("b.html#gone", "c.html", "https://example.org/a.js", "d.png")
    ]
    for name in ("c.html", "d.png"):
        (tmp_path / name).write_text("")
    (tmp_path / "index.html").write_text('<a href="b.html#here">1</a>')
    assert subprocess.run(checker, capture_output=True).returncode == 0
