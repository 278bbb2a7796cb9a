"""The words of the field, in code, messages, help and pages: no word of the list that stood for them before."""

import ast
import re

import pytest
from conftest import ROOT
from source_files import FILES, HEADERS, PACKAGE, broken_rules, nodes_of, text_of

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
        *FILES,
        *HEADERS,
        *(page for page in (ROOT / "docs").rglob("*.md") if "generated" not in page.parts),
        *(ROOT / "examples").glob("*.toml"),
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
    ]
)


def banned_words(path):
    """Lines with a banned word, by the words to use instead.

    An identifier counts as the words that its underscores part; promised names stand in quotes.
    """
    text = text_of(path)
    for name in PROMISED:
        text = text.replace(f'"{name}"', "").replace(f"`{name}`", "")
    text = text.replace("_", " ")
    for pattern, better in BANNED.items():
        if room_of(path) not in ALLOWED.get(pattern, ()):
            lines = [text.count("\n", 0, hit.start()) + 1 for hit in re.finditer(pattern, text, re.IGNORECASE)]
            if lines:
                yield better, lines


def vague_names(path):
    """Names of a file that say nothing, and those whose docstring begins vaguely."""
    if path.stem in BANNED_NAMES | {"notes"}:
        yield path.stem
    for node in nodes_of(path):
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if named and (node.name in BANNED_NAMES or (ast.get_docstring(node) or "").startswith(VAGUE_BEGINNINGS)):
            yield node.name


def test_no_word_of_the_old_dialect():
    assert not broken_rules(TEXTS, banned_words)


def test_names_say_what_they_are():
    assert not broken_rules(FILES, vague_names)


@pytest.mark.parametrize("room", ["solvers", "analyses", "design", "describe", "mechanism"])
def test_a_time_in_a_message_has_its_unit(room):
    """`Units.time_text` gives both; only the first of two times, "from 0 to 1 s", may stand alone."""
    bare = re.compile(r"\bt = \{[^{}]*:\.?\d*g\}(?!\$? \{|;? (to|and|t =) )")
    found = {
        str(path.relative_to(PACKAGE)): lines
        for path in sorted((PACKAGE / room).rglob("*.py"))
        if path.parent.name != "kinematics" and (lines := bare.findall(path.read_text(encoding="utf-8")))
    }
    assert not found


def test_a_banned_word_is_seen():
    patterns = [re.compile(pattern, re.IGNORECASE) for pattern in BANNED]
    for line in ("it is told", "three freedoms", "rubbing", "the way back", "held", "a blow", "rub and accelerate"):
        assert any(pattern.search(line) for pattern in patterns), line
    for line in ("one degree of freedom", "a one-way clutch", "would blow up", "always", "rubber"):
        assert not any(pattern.search(line) for pattern in patterns), line
