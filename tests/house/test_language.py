"""The words of the field, in code, messages, help and pages: no word of the list that stood for them before."""

import ast
import re

import pytest
from conftest import ROOT

PACKAGE = ROOT / "src" / "mubo"
CORE = ROOT / "core"
# Each pattern with the field's words for it.
BANNED = {
    r"(?<!degree of )(?<!degrees of )(?<!degree of\n)(?<!degrees of\n)\bfreedoms?\b": "degree of freedom, dof",
    r"\b(told|tells|said)\b": "reported, stated, given",
    r"(?<!one-)(?<!two-)\bways?\b": "motion, path, formulation, return",
    r"\b(sought|(?<!file\.)seeks?|seeking)\b": "searched, found",
    r"\bdead[ _]positions?\b": "toggle position",
    r"\bnear[ -]miss(es)?\b": "near-singular position",
    r"\bthere[ -]and[ -]back\b": "reversibility",
    r"\bstands? still\b|\bheld\b": "fixed, locked, kept",
    r"\blet go\b|--release\b": "undriven, --free",
    r"\bsmall motions?\b": "linearised motion, vibration",
    r"\bacts from outside\b": "applied loads",
    r"\brubb?(ing|ed|s|_\w+)?\b": "friction",
    r"\byielding\b": "compliance",
    r"\bblows?\b(?! up)": "impulse",
    r"\bmade (of|from)\b": "defined by, consists of",
    r"\bNewton's corrections\b": "Newton iterations",
    r"\bslopes\b": "sensitivities, derivatives",
}
# What a spline has at its knots is a slope; derivatives by parameters are `slopes` in the core and in laws.tangent.
ALLOWED = {
    r"\bslopes\b": {"laws", "numerics", "solvers.kinematics", "view"},
}
PROMISED = ("near_miss", "there_and_back")  # names of the JSON summary, which scripts read
# Names of functions, classes and modules that say nothing to a stranger.
BANNED_NAMES = set(
    """
    moved march Between stations summit round_trip saddle graze travel_left reselect look_at facing weakest misfit
    sharing yielding found Found unbounded spot settle settled senses Sight looking steering placing begun vicinity
    blow strike leap meetings Met crew Crew alone Alone fate nudged hastened lifted strayed narrowed demand lawful
    supplies word words told _told said tells growing beginning detailed figure space_budget apart Apart drawn shown
    solved laid made seen Seen of
    """.split()  # noqa: SIM905
)
VAGUE_BEGINNINGS = ("Of ", "By ", "What ", "The same", "Likewise")


def room_of(path):
    """The room of a file: its first folder; a room inside solvers is named with it, as in "solvers.kinematics"."""
    for root in (PACKAGE, ROOT):
        if path.is_relative_to(root):
            first, *rest = path.relative_to(root).parts
            return f"solvers.{rest[0]}" if first == "solvers" and len(rest) > 1 else first.split(".")[0]
    raise AssertionError(path)


TEXTS = sorted(
    [
        *PACKAGE.rglob("*.py"),
        *CORE.rglob("*.hpp"),
        *CORE.rglob("*.cpp"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "examples").glob("*.toml"),
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
    ]
)
MODULES = [path for path in TEXTS if path.suffix == ".py"]


@pytest.mark.parametrize("path", TEXTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_word_of_the_old_dialect(path):
    """An identifier counts as the words that its underscores part; promised names stand in quotes."""
    text = path.read_text()
    for name in PROMISED:
        text = text.replace(f'"{name}"', "").replace(f"`{name}`", "")
    text = text.replace("_", " ")
    found = {}
    for pattern, better in BANNED.items():
        if room_of(path) not in ALLOWED.get(pattern, ()):
            lines = [text.count("\n", 0, hit.start()) + 1 for hit in re.finditer(pattern, text, re.IGNORECASE)]
            if lines:
                found[better] = lines
    assert not found, "lines with a banned word, by the words to use instead"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_names_say_what_they_are(path):
    assert path.stem not in BANNED_NAMES | {"notes"}
    defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, defined)]
    assert not [node.name for node in nodes if node.name in BANNED_NAMES]
    vague = [(node.name, ast.get_docstring(node) or "") for node in nodes]
    assert not [name for name, text in vague if text.startswith(VAGUE_BEGINNINGS)]


def test_a_banned_word_is_seen():
    patterns = [re.compile(pattern, re.IGNORECASE) for pattern in BANNED]
    for line in ("it is told", "three freedoms", "rubbing", "the way back", "held", "a blow", "rub and accelerate"):
        assert any(pattern.search(line) for pattern in patterns), line
    for line in ("one degree of freedom", "a one-way clutch", "would blow up", "always", "rubber"):
        assert not any(pattern.search(line) for pattern in patterns), line
