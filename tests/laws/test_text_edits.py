"""Laws of edits by hand: spans find what the parser of TOML finds, a gesture changes the characters of its numbers
alone, and undo gives the file back to the byte."""

import tomllib

import pytest
from conftest import EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st

from mubo.errors import ModelError
from mubo.studio.construction import Draft, add_link
from mubo.studio.document import Document, difference
from mubo.studio.edits import patched, remove_table, respelled
from mubo.studio.references import delete, rename
from mubo.studio.session import Session
from mubo.studio.spans import scan

NATIVE = sorted(EXAMPLES.glob("*.toml"))
DRAGGED = [("four_bar", "B"), ("jansen_leg", "top"), ("textbook_four_bar", "C"), ("slider_crank", "A")]


def leaves(value, path=()):
    """Every value within tables and lists, with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    else:
        yield path, value
        if isinstance(value, list):
            for k, inner in enumerate(value):
                yield from leaves(inner, (*path, k))


@pytest.mark.parametrize("path", NATIVE, ids=lambda path: path.stem)
def test_spans_agree_with_the_parser(path):
    text = path.read_bytes().decode()
    spans = scan(text)
    for place, value in leaves(tomllib.loads(text)):
        assert tomllib.loads(f"a = {spans.value(place)}")["a"] == value, place


@pytest.mark.parametrize(
    "text",
    [
        'a = """x""""\n[[b]]\nc = 1979-05-27 07:32:00 # z\n[[b]]\nc.d."e.f" = [1,\n 2, # q\n]\n',
        'a = \'c:\\x\' # [no.table]\n"b c".d = { e = [ {f=1}, {f = "]\\"}"} ], g = +1e3 }\n',
        "\r\n# only\r\n[t . u]\r\nk=true\r\n",
    ],
)
def test_spans_of_unusual_texts(text):
    spans = scan(text)
    for place, value in leaves(tomllib.loads(text.replace("\r\n", "\n"))):
        if not isinstance(value, list) or place in spans.entries:
            assert tomllib.loads(f"a = {spans.value(place)}")["a"] == value


@given(st.text("ab\n", max_size=30), st.text("ab\n", max_size=30))
@settings(max_examples=200, deadline=None)
def test_differences_lead_there_and_back(before, after):
    change = difference("x", before, after)
    assert change.forward(before) == after
    assert change.backward(after) == before


@pytest.mark.parametrize(
    ("old", "value", "new"),
    [
        ('"60 deg"', 0.7853981633974483, '"45 deg"'),  # π/4 rad are 45 degrees
        ("'60 deg'", 0.7853981633974483, "'45 deg'"),
        ("1.5", 0.25, "0.25"),
    ],
)
def test_a_number_keeps_its_spelling(old, value, new):
    factor = {"deg": 0.017453292519943295, "": 1.0}
    assert respelled(old, value, factor.__getitem__, 6) == new


def test_a_formula_is_not_overwritten():
    with pytest.raises(ModelError, match=r'it is given by "b\*cos\(beta\)"'):
        respelled('"b*cos(beta)"', 1.0, lambda unit: 1.0)


def opened(tmp_path, name):
    path = tmp_path / f"{name}.toml"
    path.write_bytes((EXAMPLES / path.name).read_bytes())
    session = Session(Document.open(path))
    session.solve(session.document.text, 0, brief=True)
    return session, path


def pull(session, joint, shift, time=0.0, gesture=1):
    message = {"gesture": gesture, "number": 1, "kind": "joint", "name": joint, "t": time, "decimals": 4}
    return session.move({**message, "shift": list(shift)})


@pytest.mark.parametrize(("name", "joint"), DRAGGED)
def test_a_drag_changes_numbers_alone_and_undo_gives_the_bytes_back(tmp_path, name, joint):
    session, path = opened(tmp_path, name)
    before = path.read_bytes()
    size = session.answer.run["t"][-1]
    moved = pull(session, joint, (0.01, 0.02), 0.3 * size)
    assert moved["possible"]
    assert path.read_bytes() == before  # nothing is written while the button is down
    assert session.act({"do": "drop", "gesture": 1, "join": ["", ""]})
    after = path.read_bytes()
    assert after != before
    mask = str.maketrans(dict.fromkeys("0123456789.-"))
    assert after.decode().translate(mask) == before.decode().translate(mask)  # layout, comments, spelling
    session.act({"do": "undo"})
    assert path.read_bytes() == before
    session.act({"do": "redo"})
    assert path.read_bytes() == after


def test_the_pin_is_where_the_hand_left_it_on_the_same_branch(tmp_path):
    session, _ = opened(tmp_path, "four_bar")
    time = 0.3
    run = session.answer.run.at(time)
    before = {name: float(run[name][0]) for name in ("crank.x", "coupler.phi", "rocker.phi")}
    pull(session, "B", (0.05, -0.03), time)
    session.act({"do": "drop", "gesture": 1, "join": ["", ""]})
    session.solve(session.document.text, session.document.version, brief=True)
    at = session.answer.run.at(time)
    # ends of a joint moved by one displacement leave all equations as they are: poses at this time stay
    for name, value in before.items():
        assert float(at[name][0]) == pytest.approx(value, abs=2e-3)  # four decimals were written


def test_an_impossible_drag_names_the_joint_and_its_gap(tmp_path):
    session, path = opened(tmp_path, "textbook_four_bar")
    good = pull(session, "C", (1.0, 0.5), 0.3)
    bad = pull(session, "C", (5000.0, 5000.0), 0.3)  # at the start coupler and rocker would not meet
    assert good["possible"]
    assert not bad["possible"]
    assert "joint B opens by" in bad["message"]
    before = path.read_bytes()
    session.act({"do": "drop", "gesture": 1, "join": ["", ""]})
    assert path.read_bytes() != before  # the last possible place
    assert b"5000" not in path.read_bytes()


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("link", {"start": [0, 0], "end": [1, 1], "on": ["", ""]}),
        ("ground", {"reference": "coupler.C"}),
        ("pin", {"body": "crank", "at": [0.2, 0.2]}),
        ("driver", {"joint": "D"}),
        ("masses", {"bodies": []}),
        ("spring", {"first": "ground.A", "second": "coupler.C"}),
        ("force", {"reference": "coupler.C"}),
        ("trace", {"body": "rocker", "at": [3, 1]}),
        ("duplicate", {"body": "rocker"}),
        ("delete", {"kind": "body", "name": "rocker"}),
        ("delete", {"kind": "joint", "name": "C"}),
        ("rename", {"kind": "body", "old": "crank", "new": "arm"}),
        ("length", {"body": "coupler", "ends": ["B", "C"], "length": 3.5}),
    ],
)
def test_every_tool_is_one_entry_that_undo_takes_back(tmp_path, tool, given):
    session, path = opened(tmp_path, "four_bar")
    before = path.read_bytes()
    assert session.act({"do": "tool", "tool": tool, "with": given, "t": 0.0, "decimals": 4})
    tomllib.loads(path.read_text())
    session.act({"do": "undo"})
    assert path.read_bytes() == before
    assert session.document.done == []


def test_line_ends_and_byte_order_mark_are_kept(tmp_path):
    path = tmp_path / "dos.toml"
    path.write_bytes(b"\xef\xbb\xbf" + (EXAMPLES / "four_bar.toml").read_bytes().replace(b"\n", b"\r\n"))
    before = path.read_bytes()
    session = Session(Document.open(path))
    assert session.solve(session.document.text, 0, brief=True)["moving"]
    pull(session, "B", (0.01, 0.01))
    session.act({"do": "drop", "gesture": 1, "join": ["", ""]})
    assert path.read_bytes().count(b"\r\n") == before.count(b"\r\n")
    session.act({"do": "undo"})
    assert path.read_bytes() == before


def test_references_follow_a_renamed_body_and_comments_do_not():
    text = (EXAMPLES / "four_bar.toml").read_text()
    new = rename(Draft(text, None, {}), "body", "crank", "arm")
    data = tomllib.loads(new)
    assert data["joint"]["B"]["between"] == ["arm.B", "coupler.B"]
    assert data["driver"]["motor"]["of"] == "arm.phi"
    assert "crank" not in data["body"]
    assert new.splitlines()[0] == text.splitlines()[0]  # the comment speaks of a crank still


def test_what_refers_to_a_deleted_body_goes_with_it():
    text = (EXAMPLES / "four_bar.toml").read_text()
    data = tomllib.loads(delete(Draft(text, None, {}), "body", "crank"))
    assert set(data["body"]) == {"ground", "coupler", "rocker"}
    assert set(data["joint"]) == {"C", "D"}
    assert "driver" not in data


def test_a_first_link_gets_letters():
    data = tomllib.loads(add_link(Draft('name = "x"\n', None, {}), (0.0, 0.0), (3.0, 4.0)))
    assert data["body"]["link1"]["points"] == {"A": [0, 0], "B": [5, 0]}  # 3, 4, 5


def test_a_removed_table_takes_its_comment_along():
    text = "[a]\nx = 1\n\n# of b\n[b]\ny = 2\n\n[c]\nz = 3\n"
    assert patched(text, remove_table(scan(text), ("b",))) == "[a]\nx = 1\n\n[c]\nz = 3\n"
