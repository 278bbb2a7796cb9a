"""Laws of edits by hand: spans find what the parser of TOML finds, a gesture changes the characters of its numbers
alone, and undo gives the file back to the byte."""

import json
import re
import tempfile
import tomllib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from conftest import EXAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st

from mubo.errors import ModelError
from mubo.studio.answers import answer_text, read_text
from mubo.studio.construction import Draft, add_link
from mubo.studio.designing import influence_message
from mubo.studio.document import Document, difference
from mubo.studio.edits import literal, patched, remove_table, respelled
from mubo.studio.lanes import LANES
from mubo.studio.linkages import LINKAGES, linkage_text
from mubo.studio.locks import Lock, allowed_shift
from mubo.studio.protocol import REQUESTS, read_message
from mubo.studio.references import delete, rename
from mubo.studio.session import Session
from mubo.studio.spans import scan
from mubo.studio.tools import TOOLS

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
    ("example", "body", "joint"), [("released_rssr", "crank", "A"), ("five_body_chain", "left", "")]
)
def test_a_link_in_space_moves_along_its_joint_and_undo_gives_the_bytes_back(tmp_path, example, body, joint):
    """The gripped point is where the joint leads it nearest to the hand: the rest is square to its motion."""
    session, path = opened(tmp_path, example)
    before, model = path.read_bytes(), session.answer.model
    grip = np.array([float(session.answer.run[f"{body}.{axis}"][0]) for axis in "xyz"]) + np.array([0.11, 0.07, 0.05])
    held = {"gesture": 1, "kind": "body", "name": body, "t": 0.0, "decimals": 6, "grip": list(grip), "eye": [0, 0, 1]}
    read_message(json.dumps({"do": "drag", "number": 0, **held, "shift": [0.02, 0.01, 0.0]}))  # its declared form
    for number in range(4):
        moved = session.move({**held, "number": number, "shift": [0.02, 0.01, 0.0]})
        assert moved["possible"], moved["message"]
    drag = session.drag
    at = drag._at(drag._reached.q)
    slope = (drag._at(at.q + 1e-5).here - drag._at(at.q - 1e-5).here) / 2e-5
    rest = (grip + np.array([0.02, 0.01, 0.0]) - at.here)[:2]  # the sight is along z
    assert abs(slope[:2] @ rest) < 2e-3 * (slope @ slope)  # a further step would be of less than 2 mrad
    assert session.act({"do": "drop", "gesture": 1, "join": ["", ""]})
    new, _ = read_text(path.read_text(), path)
    name = joint or drag.joint
    assert new.initial_joints[name].q[0] == pytest.approx(at.q, abs=1e-4)
    assert new.initial_joints[name].v == model.initial_joints[name].v
    session.act({"do": "undo"})
    assert path.read_bytes() == before


TOOL_CASES = (
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
    ("weld", {"joint": "C"}),
    ("pull apart", {"joint": "C"}),
    ("slot", {"reference": "crank.B", "body": "rocker"}),
    ("ram", {"first": "ground.A", "second": "coupler.C"}),
    ("damper", {"first": "ground.A", "second": "coupler.C"}),
    ("torque", {"body": "rocker"}),
    ("mass", {"body": "rocker"}),
    ("gears", {"first": "crank", "second": "rocker"}),
    ("belt", {"first": "crank", "second": "rocker"}),
    ("cam", {"body": "crank", "reference": "coupler.C"}),
    ("mirror", {"body": "coupler"}),
    ("parameter", {"path": ["body", "rocker", "points", "C", 0], "name": "half"}),
    ("join", {"first": "crank.A", "second": "rocker.C"}),
    ("slider", {"reference": "coupler.C"}),
    ("sections", {"bodies": []}),
)


def test_the_law_ranges_over_all_tools():
    assert {tool for tool, _ in TOOL_CASES} == set(TOOLS)


@pytest.mark.parametrize(("tool", "given"), TOOL_CASES)
def test_every_tool_is_one_entry_that_undo_takes_back(tmp_path, tool, given):
    session, path = opened(tmp_path, "four_bar")
    before = path.read_bytes()
    read_message(json.dumps({"do": "tool", "tool": tool, "with": given, "t": 0.0, "decimals": 4}))  # its declared form
    assert session.act({"do": "tool", "tool": tool, "with": given, "t": 0.0, "decimals": 4})
    model, problems = read_text(path.read_text(), path)
    assert model is not None, problems
    session.act({"do": "undo"})
    assert path.read_bytes() == before
    assert session.document.done == []


# requests that change the text and are no tools; those that follow a hand (slide, drag …) are dropped or set at its end
WRITING = {"mode", "equilibrium", "adopt", "insert", "place", "set", "fix", "text"}
TAKEN_BACK = {"tool", "drop", "undo", "redo"}  # in laws of their own
# open other files, or write nothing
ELSEWHERE = {"open", "files", "example", "new", "save as", "gallery"}
ASKING = {
    "solve",
    "modes",
    "synthesize",
    "influence",
    "follow",
    "live",
    "equilibria",
    "drag",
    "rest",
    "slide",
    "cancel",
}


def test_the_law_ranges_over_all_requests():
    assert set(REQUESTS) == WRITING | TAKEN_BACK | ELSEWHERE | ASKING


@pytest.mark.parametrize("request_", sorted(WRITING))
def test_every_other_request_that_writes_is_taken_back(tmp_path, request_):
    """An assembly mode, an equilibrium, a followed target, a design, a typed coordinate, value or text, the fix of the
    checker."""
    session, path = opened(tmp_path, "loaded_four_bar" if request_ == "equilibrium" else "four_bar")
    if request_ == "fix":
        undriven = re.sub(rb"\[driver\.motor\]\n(.+\n)+", b"", path.read_bytes())
        path.write_bytes(undriven)
        assert session.document.look()
        session.solve(session.document.text, session.document.version, brief=True)
    before = path.read_bytes()
    if request_ == "equilibrium":
        LANES["equilibria"].answer(session, {})
    session.proposal = (session.document.version, session.document.text + "# followed\n")
    session.designs = [session.document.text + "# a design\n"]
    more = {
        "number": 2 if request_ == "mode" else 1,
        "design": 0,
        "path": ["body", "crank", "angle"],
        "literal": "50 deg",
        "text": session.document.text + "# typed\n",
        "version": session.document.version,
    }
    placed = {"kind": "joint", "name": "B", "t": 0.0, "shift": [0.01, 0.0], "decimals": 4}
    assert session.act({"do": request_, **more, **placed})
    assert path.read_bytes() != before
    session.act({"do": "undo"})
    assert path.read_bytes() == before


GESTURES = [
    {"do": "tool", "tool": "link", "with": {"start": [0, 0], "end": [1, 1], "on": ["", ""]}},
    {"do": "tool", "tool": "trace", "with": {"body": "rocker", "at": [3, 1]}},
    {"do": "tool", "tool": "ground", "with": {"reference": "coupler.C"}},
    {"do": "tool", "tool": "masses", "with": {"bodies": []}},
    {"do": "tool", "tool": "mirror", "with": {"body": "coupler"}},
    {"do": "tool", "tool": "weld", "with": {"joint": "C"}},
    {"do": "tool", "tool": "delete", "with": {"kind": "joint", "name": "C"}},
    {"do": "tool", "tool": "rename", "with": {"kind": "body", "old": "crank", "new": "arm"}},
    {"do": "tool", "tool": "parameter", "with": {"path": ["body", "rocker", "points", "C", 0], "name": "half"}},
    {"do": "set", "path": ["body", "rocker", "angle"], "literal": "65 deg"},
    {"do": "text", "text": "# nothing is left\n"},
    {"do": "undo"},
    {"do": "redo"},
]


@given(st.lists(st.sampled_from(GESTURES), min_size=1, max_size=8))
@settings(max_examples=40, deadline=None)
def test_any_gestures_then_undo_give_the_file_back(gestures):
    with tempfile.TemporaryDirectory() as folder:
        session, path = opened(Path(folder), "four_bar")
        before = path.read_bytes()
        for gesture in gestures:
            about = {"t": 0.0, "decimals": 4, "version": session.document.version}
            with suppress(ModelError):  # a part that an earlier gesture took away
                session.act({**about, **gesture})
            assert path.read_bytes() == session.document.text.encode()
        while session.document.done:
            session.act({"do": "undo"})
        assert path.read_bytes() == before


def test_every_tool_of_the_table_fills_arguments_that_it_has():
    for name, tool in TOOLS.items():
        assert {*tool.fill, *([tool.for_] if tool.then else [])} == ({*tool.keys} if tool.on else set()), name


@pytest.mark.parametrize("kind", ["length", "angle"])
def test_a_lock_keeps_what_it_locks(kind):
    places = {("crank", "A"): np.array([1.0, 2.0]), ("crank", "B"): np.array([4.0, 6.0])}  # 3, 4, 5
    lock = Lock(kind, "crank", ("A", "B"))
    shift, words = allowed_shift((0.7, -0.4), [lock], {("crank", "B")}, places)
    arm, new = np.array([3.0, 4.0]), np.array([3.0, 4.0]) + shift
    assert words == ""
    if kind == "length":
        assert np.hypot(*new) == pytest.approx(5)
        # the nearest place of the circle lies on the line from its centre through the place that is wanted
        assert new[0] * (arm[1] - 0.4) - new[1] * (arm[0] + 0.7) == pytest.approx(0, abs=1e-9)
    else:
        assert new[0] * arm[1] - new[1] * arm[0] == pytest.approx(0, abs=1e-9)
        assert np.dot(np.array([0.7, -0.4]) - shift, arm) == pytest.approx(0, abs=1e-9)  # the foot of the perpendicular
    both = [Lock("length", "crank", ("A", "B")), Lock("angle", "crank", ("A", "B"))]
    assert np.hypot(*allowed_shift((0.3, 0.2), both, {("crank", "B")}, places)[0]) == pytest.approx(0, abs=1e-9)


def test_linkages_by_lengths_move_as_theory_says(tmp_path):
    runs = {}
    for kind in LINKAGES:
        answer = answer_text(linkage_text(kind, [], kind), tmp_path / "x.toml", brief=True)
        assert answer.moving, (kind, answer.problems)
        assert answer.run.status == "ok", kind
        runs[kind] = answer.run
    assert np.ptp(runs["peaucellier"]["Q.x"]) < 1e-6 * np.ptp(runs["peaucellier"]["Q.y"])  # an exact straight line
    assert np.ptp(runs["parallelogram"]["coupler.phi"]) < 1e-4  # degrees: the coupler stays parallel
    x, y = runs["trammel"]["P.x"], runs["trammel"]["P.y"]
    assert (x / 160) ** 2 + (y / 60) ** 2 == pytest.approx(1, rel=1e-6)  # half-axes: bar + handle, handle
    straight = np.abs(runs["chebyshev"]["P.y"] / 160 - 1) < 0.01  # four cranks of 40 mm above the ground
    assert straight.mean() > 0.45  # for about half a turn


def test_sensitivity_of_a_crank_pin_is_one(tmp_path):
    text = (EXAMPLES / "four_bar.toml").read_text()
    text += '\n[point.Q]\nbody = "crank"\nat = "B"\n'
    model, _ = read_text(text, tmp_path / "x.toml")
    found = {
        f"{one['body']}.{''.join(one['ends'])}": one["size"] for one in influence_message(model, "Q", 0.3)["lengths"]
    }
    assert found["crank.AB"] == pytest.approx(1, abs=1e-6)  # B = A + AB·(cos, sin) of the driven angle
    assert max(value for name, value in found.items() if name != "crank.AB") < 1e-6


def test_a_model_that_is_too_large_says_so(tmp_path):
    bodies = "".join(f"[body.b{k}]\npoints = {{ A = [0, 0] }}\n" for k in range(10_000))
    answer = answer_text(f'name = "many"\n{bodies}', tmp_path / "x.toml")
    assert "10,000 bodies are too many to be drawn live" in answer.problems[-1].text


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


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
@settings(max_examples=60, deadline=None)
def test_any_text_and_key_that_is_written_is_read_again(text):
    """Control characters too: TOML allows none of them raw, DEL included."""
    assert tomllib.loads(f"value = {literal({text: [text]})}")["value"] == {text: [text]}


def test_del_is_escaped_in_texts_and_keys():
    """U+007F is the one control character that JSON leaves raw and TOML forbids."""
    value = {"a\x7fb": "c\x7fd"}
    assert tomllib.loads(f"value = {literal(value)}")["value"] == value
