"""Notes on results: every code has its sentence in `describe/sentences`, with the values that are stated for it."""

import ast
import inspect
from importlib import import_module

from source_files import FILES, PACKAGE, broken_rules, nodes_of, text_of

from mubo.note import Note

SENTENCES = PACKAGE / "describe" / "sentences"


def sentences():
    """The function of every code "ROOM.FACT"."""
    for path in sorted(SENTENCES.glob("[!_]*.py")):
        module = import_module(f"mubo.describe.sentences.{path.stem}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                yield f"{path.stem}.{name}", function


KNOWN = dict(sentences())


def notes_of(path):
    """The calls of Note in a file."""
    return [node for node in nodes_of(path) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Note"]


def wrong_notes(path):
    """Notes without a sentence, and those with other values than their sentence takes."""
    for node in notes_of(path):
        code = ast.literal_eval(node.args[0])
        if code not in KNOWN:
            yield f"{code}: there is no such sentence"
            continue
        taken, given = set(inspect.signature(KNOWN[code]).parameters), {word.arg for word in node.keywords}
        if not given - {None} <= taken or (None not in given and given != taken):
            yield f"{code}: states {given}, takes {taken}"


def test_every_note_has_its_sentence():
    assert not broken_rules(FILES, wrong_notes)


def test_every_sentence_has_its_note():
    stated = {ast.literal_eval(node.args[0]) for path in FILES for node in notes_of(path)}
    assert not KNOWN.keys() - stated


def words_of(node):
    """How many words a text of the code has: a constant, or what an f-string has beside its values."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return len(" ".join(texts).split())


def composing(path):
    """Functions that make events, or answer a note or a text, and compose a sentence themselves."""
    for function in nodes_of(path):
        if not isinstance(function, ast.FunctionDef):
            continue
        body = function.body[ast.get_docstring(function) is not None :]
        inside = [node for statement in body for node in ast.walk(statement)]
        makes = any(isinstance(node, ast.Call) and ast.unparse(node.func) == "Event" for node in inside)
        answers = function.returns is not None and ast.unparse(function.returns) in ("Note", "Note | None", "str")
        if makes or answers:
            yield from (f"{function.name}: {ast.unparse(node)}" for node in inside if words_of(node) > 2)


def states_events(path):
    """Whether a file makes events, or stands beside those of simulations that do."""
    simulates = PACKAGE / "solvers" / "dynamics" in path.parents
    return SENTENCES not in path.parents and (simulates or " Event(" in text_of(path))


def test_what_states_events_composes_no_sentence():
    assert not broken_rules(filter(states_events, FILES), composing)


def test_a_note_is_a_fact_until_somebody_reads_it():
    note = Note("forces.massless", bodies=["rod"])
    assert note == Note("forces.massless", bodies=["rod"]) != Note("forces.massless", bodies=["crank"])
    assert str(note) == "rod has no mass"
