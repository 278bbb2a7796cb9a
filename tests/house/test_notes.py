"""Notes on results: every code has its sentence in `describe/sentences`, with the values that are stated for it."""

import ast
import inspect
from importlib import import_module

from source_files import FILES, PACKAGE, broken_rules, nodes_of

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


def test_a_note_is_a_fact_until_somebody_reads_it():
    note = Note("forces.massless", bodies=["rod"])
    assert note == Note("forces.massless", bodies=["rod"]) != Note("forces.massless", bodies=["crank"])
    assert str(note) == "rod has no mass"
