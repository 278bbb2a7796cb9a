"""Wrong decks are refused in words, all problems together, with the lines of their cards."""

import numpy as np
import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st

import mubo

ELEVEN = (DATA / "okins_eleven_bar.deck").read_text().splitlines()
TYPE1 = (DATA / "okins_type1.deck").read_text().splitlines()
CLOSURE = (DATA / "okins_closure.deck").read_text().splitlines()


@pytest.fixture
def refused(tmp_path):
    """The message for a deck of these lines."""

    def message(lines):
        path = tmp_path / "bad.deck"
        path.write_text("\n".join(lines))
        with pytest.raises(mubo.ModelError) as caught:
            mubo.load(path).kinematics()
        return str(caught.value)

    return message


def changed(lines, number, text):
    """The deck with line `number` (from 1) replaced."""
    return [*lines[: number - 1], text, *lines[number:]]


def without(lines, number):
    return [*lines[: number - 1], *lines[number:]]


def test_nothing(refused):
    assert "the deck has no cards" in refused([])
    assert "the deck has no cards" in refused(["", "# only a comment"])


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, 'line 1: MATRIX should be a whole number; found "26.80"'),
        (2, "line 2: the lengths R(1) to R(18): 8 numbers found, 10 expected; numbers or a card are missing"),
        (3, "line 3: the lengths R(1) to R(18): 10 numbers found, 8 expected; a card is missing before it"),
        (4, "line 4: the directions THETA(1) to THETA(18): 8 numbers found, 10 expected"),
        (10, "line 1: the deck has 13 cards; its first card asks for at least 14"),
        (11, "line 11: NMPTHS, NMTRMS, NCOUP: 15 numbers found"),
        (14, "the card with IOMCOR of path 1 is missing"),
    ],
)
def test_missing_cards(number, told, refused):
    assert told in refused(without(ELEVEN, number))


def test_cards_too_many(refused):
    assert "line 5: 1 card is left over" in refused([*TYPE1, "  1  2  3"])


def test_all_problems_together(refused):
    lines = changed(ELEVEN, 1, ELEVEN[0].replace(" 10  1", " 10  3").replace("-1.0000", " 0.0000"))
    lines = changed(lines, 2, lines[1].replace("6.70", "-6.7"))
    lines = changed(lines, 14, "  0  4  4  6  6  6  9 10  7  5  5  2  2  8  0")
    message = refused(lines)
    for told in (
        "line 1: IPTYPE is 3; 1 is a ram, 2 a crank",
        "line 1: DRIVER, the rate of the driver, is 0: nothing moves",
        "z2 has the length -6.7; lengths are positive",
        "line 14: IOMCOR of path 1: z3 is of link 3; found 8",
    ):
        assert told in message


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (changed(TYPE1, 2, "    1.00    2.x0    1.00    2.00"), 'the lengths R(1) to R(4): "2.x0" is no number'),
        (changed(TYPE1, 2, "     100    2.00    1.00    2.00"), '"100" has no decimal point; punched in columns'),
        (changed(TYPE1, 4, "  2  0  7  0"), "line 4: NORDER of loop 1: there is no vector 7; vectors are 1 to 4"),
        (changed(TYPE1, 4, "  2  0  2  0"), "z2 stands in the fields of link 2, and elsewhere of link 1"),
        (changed(TYPE1, 4, "  2  0  4  0"), "z4 stands in the fields of link 2, but IFRAME says it is fixed"),
        (changed(TYPE1, 4, "  1  0  3  0"), "z1 is the crank, which has no link number: its sign belongs into SIG"),
        (changed(TYPE1, 4, "  2  0  0  0"), "no vector stands in the fields of link 2"),
        (changed(TYPE1, 4, "  2  0  0  0"), "z3 is in no loop, and IFRAME does not have it either"),
        (changed(TYPE1, 1, TYPE1[0].replace("  2  2  5", "  3  2  5")), "MATRIX is 3; it is twice the number of loops"),
        (changed(TYPE1, 1, TYPE1[0].replace(" 1 1 0 0", " 1-1 0 0")), "SIG of loop 1 is 1 and -1"),
        (changed(TYPE1, 1, TYPE1[0].replace(" 1 1 0 0", " 0 0 0 0")), "SIG is 0 in every loop"),
        (changed(TYPE1, 1, TYPE1[0].replace("0.8000", "-.8000")), "DELTEE, the time step, is -0.8"),
        (changed(ELEVEN, 1, ELEVEN[0].replace("0 0 1 1", "0 0-1-1")), "has z1 with the sign 1, SIG with -1"),
        (changed(ELEVEN, 12, ELEVEN[11].replace("-1  1", "-1  2")), "ISIGN of path 1: 2 should be 1 or -1"),
        (changed(CLOSURE, 6, "  5 -6 -3  4  5 19"), "line 6: loop 1: there is no vector 19; vectors are 1 to 18"),
        (changed(CLOSURE, 11, " -4  1  9-12 17"), "MAKEUP of loop 1: -4 is not in it; write 4"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(lines, told, refused):
    assert told in refused(lines)


def test_a_wrong_sign_is_found(refused, tmp_path):
    """z8 of loop 2 with the other sign: no choice of frame vectors closes the loop, and the vector is named."""
    lines = changed(ELEVEN, 7, ELEVEN[6].replace("  8", " -8"))
    message = refused(lines)
    assert "line 7: loop 2, z1 - z6 - z7 - z3 - z8, is open by" in message
    assert "with z8 reversed and + z5 it would be open by 0.0081" in message


@pytest.mark.parametrize("vector", [-6, -3, 4, 5, 2])
def test_a_wrong_sign_in_a_closure_deck(vector, tmp_path):
    path = tmp_path / "wrong.deck"
    signed = [-v if v == vector else v for v in (-6, -3, 4, 5, 2)]
    lines = changed(CLOSURE, 6, "  5" + "".join(f"{v:3d}" for v in signed))
    path.write_text("\n".join(changed(lines, 11, f"{signed[2]:3d}  1  9-12 17")))
    report = mubo.load(path).check()
    assert not report.ok
    assert f"with z{abs(vector)} reversed it would be open by 0.0071" in str(report.error)
    assert report.loops[0].error != 0


def test_loops_that_are_not_independent(refused):
    """Loop 3 replaced by the difference of loops 1 and 2: -z6 - z3 + z4 + z5 + z2 less z1 - z6 - z7 - z3 + z8 + z5."""
    lines = changed(CLOSURE, 8, "  5  4  2 -1  7 -8")
    lines = changed(lines, 11, "  4  1  7-12 17")
    path_message = refused(lines)
    assert "CLOSURE deck has no driver" in path_message
    main = changed(ELEVEN, 8, " -1  0  7  0  0  0  4  0 -8  0  0  0  0  0  0  0  0  0  0  0")
    main = changed(main, 1, main[0].replace("0 0 1 1 0 0", "0 0 1 1-1-1"))
    message = refused(main)
    assert "line 8: loop 3 is not independent: it is loop 1 - loop 2" in message


def test_dependent_loops_of_a_closure_deck(tmp_path):
    path = tmp_path / "dependent.deck"
    lines = changed(CLOSURE, 8, "  5  4  2 -1  7 -8")
    path.write_text("\n".join(changed(lines, 11, "  4  1  7-12 17")))
    report = mubo.load(path).check()
    assert "loop 3 is not independent: it is loop 1 - loop 2" in str(report.error)
    assert "z9 is in no loop" in report.notes


def test_ambiguous_frame_vectors(refused):
    """Two frame vectors that are the same: either closes the loop."""
    lines = [
        "  2  2  5  1  5    0.8000    5.0000 1 1 0 0 0 0 0 0 0 0                 45   000",
        "    1.00    2.00    1.00    2.00    2.00",
        "  150.00    0.00  -30.00  180.00  180.00",
        "  2  0  3  0",
    ]
    message = refused(lines)
    assert "loop 1 closes equally well with + z5 and with + z4" in message
    assert "write the frame vectors with their signs behind the fields of the links" in message


def test_a_singular_start(tmp_path):
    path = tmp_path / "dead.deck"
    path.write_text("\n".join(changed(TYPE1, 3, "  180.00    0.00    0.00  180.00")))
    with pytest.raises(mubo.SingularityError, match="the start is a singular position: link1 and link2 can move"):
        mubo.load(path).kinematics()


def test_words_for_wrong_questions(command):
    deck = DATA / "okins_eleven_bar.deck"
    assert command("kinematics", deck, "--formulation", "absolute").returncode == 0
    assert command("convert", deck, "-o", "x.toml").returncode == 0
    assert "such files are only read" in command("convert", "x.toml", "-o", "x.deck").stderr
    assert command("kinematics", DATA / "okins_closure.deck").returncode == 1
    assert "there is no file" in command("check", "nowhere.deck").stderr
    assert 'no column "z19.theta"' in command("plot", deck, "z19.theta").stderr


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_deck_ends_in_a_python_error(data, tmp_path_factory):
    """Random damage: cards removed, numbers changed, columns cut. What comes is an answer or a MuboError."""
    lines = list(data.draw(st.sampled_from([ELEVEN, TYPE1, CLOSURE])))
    for _ in range(data.draw(st.integers(1, 3))):
        if not lines:
            break
        k = data.draw(st.integers(0, len(lines) - 1))
        kind = data.draw(st.sampled_from(["drop", "cut", "word", "letter", "blanks"]))
        words = lines[k].split()
        if kind == "drop":
            del lines[k]
        elif kind == "cut":
            lines[k] = lines[k][: data.draw(st.integers(0, len(lines[k])))]
        elif kind == "word" and words:
            word = data.draw(st.sampled_from(["0", "-1", "99", "1e400", "nan", "x", "3.5", "-7", "--2"]))
            words[data.draw(st.integers(0, len(words) - 1))] = word
            lines[k] = " ".join(words)
        elif kind == "letter" and lines[k]:
            at = data.draw(st.integers(0, len(lines[k]) - 1))
            lines[k] = lines[k][:at] + data.draw(st.sampled_from("0123456789 -.+eD#,\t")) + lines[k][at + 1 :]
        else:
            lines[k] = " ".join(words)
    path = tmp_path_factory.mktemp("fuzz") / "a.deck"
    path.write_text("\n".join(lines))
    try:
        deck = mubo.load(path)
        assert str(deck.check())
        linkage = deck.origin.data.linkage
        if linkage.drive is not None and linkage.positions.count < 50 and abs(linkage.drive.rate) < 100:
            import warnings

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                run = deck.kinematics()
            assert np.isfinite(run.summary["residual"]["position"])
    except mubo.MuboError:
        pass


def test_a_short_card_is_named(refused):
    """Cards copied from the text of the thesis, whose last columns are lost: the first short one is named."""
    short = changed(ELEVEN, 6, "0 0 -6 0 -3 0 4 0 0 0 0 0 0 0 0 0 0 0")
    assert "line 6: NORDER of loop 1: this card is short: 18 numbers found, 20 expected" in refused(short)
