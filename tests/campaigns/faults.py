"""Faults around files: signals at random moments, full and read-only places, odd inputs, wrong options.

`python tests/campaigns/faults.py --seconds 60 [--first SEED] [--families signals]`. Whatever happens, a file that is
there is whole, nothing is left beside it, the exit code says how it ended, and no traceback is shown. A case is its
seed.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from tallied import campaign

sys.path.append(str(Path(__file__).parents[1]))

from hostile import SECONDS, judged, server

EXAMPLES = Path(__file__).parents[2] / "examples"
FOUR_BAR = EXAMPLES / "four_bar.toml"
WRITTEN = (  # commands with a file that takes a while to be written
    ("kinematics", FOUR_BAR, "--step", "2e-4", "-o", "x.csv"),
    ("kinematics", FOUR_BAR, "--step", "1e-3", "-o", "x.json"),
    ("simulate", EXAMPLES / "five_body_chain.toml", "--end", "5", "--step", "0.01", "-o", "x.csv"),
    ("animate", FOUR_BAR, "-o", "x.gif", "--size", "160x120", "--fps", "5"),
    ("report", FOUR_BAR, "-o", "x.html"),
    ("plot", FOUR_BAR, "-o", "x.png"),
    ("export", FOUR_BAR, "-o", "x.glb"),
    ("convert", FOUR_BAR, "-o", "x.toml"),
    ("run", FOUR_BAR, "-o", "x"),
)
ENDS = {signal.SIGKILL: (-9,), signal.SIGINT: (130,), signal.SIGTERM: (143,)}
TEXT = FOUR_BAR.read_bytes()
KABIOS = (EXAMPLES / "kabios_four_bar.dat").read_bytes()
DECK = (EXAMPLES / "type1.deck").read_bytes()
READ = (0,)
REFUSED = (1,)
EITHER = (0, 1)
INPUTS = {  # content of a file, and how `check` may end
    "utf16.toml": (TEXT.decode().encode("utf-16"), REFUSED),
    "bom.toml": (b"\xef\xbb\xbf" + TEXT, READ),
    "crlf.toml": (TEXT.replace(b"\n", b"\r\n"), READ),
    "cr.toml": (TEXT.replace(b"\n", b"\r"), EITHER),
    "empty.toml": (b"", REFUSED),
    "space.toml": (b" \n", REFUSED),
    "binary.toml": (bytes(range(256)) * 100, REFUSED),
    "nul.toml": (TEXT[:100] + b"\0" + TEXT[100:], REFUSED),
    "latin1.toml": (TEXT.replace(b"four bar", b"f\xfcnf"), REFUSED),
    "png.toml": (b"\x89PNG\r\n\x1a\n" + b"\0" * 1000, REFUSED),
    "UPPER.TOML": (TEXT, READ),
    "no_ending": (TEXT, (0, 1, 2)),
    "program.dat": (Path("/bin/true").read_bytes()[:20000], REFUSED),
    "program.deck": (Path("/bin/true").read_bytes()[:20000], REFUSED),
    "bom.dat": (b"\xef\xbb\xbf" + KABIOS, READ),
    "crlf.dat": (KABIOS.replace(b"\n", b"\r\n"), READ),
    "crlf.deck": (DECK.replace(b"\n", b"\r\n"), READ),
    "utf16.dat": (KABIOS.decode().encode("utf-16"), REFUSED),
    "text.dat": (b"hello world\n" * 50, REFUSED),
    "tabs.dat": (KABIOS.replace(b" ", b"\t"), EITHER),
    "comma.dat": (KABIOS.replace(b".", b","), REFUSED),
    "numbers.dat": (b"1 2 3 4 5 6 7 8 9\n" * 20000, REFUSED),
    "comments.toml": (b"# comment comment comment\n" * 200000 + TEXT, READ),
}
USED = (2,)  # a wrong option
WRONG = (1, 2)
OPTIONS = (
    *(
        (("kinematics", "m.toml", "--step", value), WRONG)
        for value in ("0", "-1", "nan", "inf", "abc", "1e-12", "1e-300")
    ),
    *(
        (("kinematics", "m.toml", "--end", value), WRONG)
        for value in ("-5", "inf", "nan", "1 parsec", "1 kg", "-1 rev")
    ),
    *((("kinematics", "m.toml", "--start", value), WRONG) for value in ("nan", "9")),
    *((("kinematics", "m.toml", "--tolerance", value), WRONG) for value in ("0", "nan", "-1", "2")),
    *((("kinematics", "m.toml", "--mode", value), WRONG) for value in ("0", "99", "x")),
    *((("plot", "m.toml", *more), WRONG) for more in (("no.x",), ("--strobe", "-3"), ("--at", "99"), ("--at", "nan"))),
    *((("animate", "m.toml", "-o", "x.gif", *more), WRONG) for more in (("--fps", "0"), ("--speed", "nan"))),
    *((("animate", "m.toml", "-o", "x.gif", "--size", size), WRONG) for size in ("0x0", "99999x99999", "x")),
    *((("export", "m.toml", *more), WRONG) for more in ((), ("-o", "x.glb", "--fps", "0"), ("-o", "x.xyz"))),
    *((("convert", "m.toml", *more), WRONG) for more in ((), ("-o", "x.deck"), ("-o", "x.urdf"), ("-o", "x.sdf"))),
    *((("sweep", "m.toml", *more), WRONG) for more in ((), ("--vary", "x=1:2:3"), ("--vary", "ground.D.x=2:3:1e10"))),
    *((("compare", "m.toml", "m.toml"), WRONG), (("compare", "no.csv", "no2.csv"), WRONG)),
    *((("kinematics", "m.toml", "-o", name), WRONG) for name in ("/", "x" * 300 + ".csv", "no/x.csv", "x.xyz")),
    *((("simulate", "m.toml"), (1,)), (("nonsense",), USED), (("check",), USED), (("check", "m.toml", "--nope"), USED)),
    *((("check", "no.toml"), WRONG), (("check", "folder.toml"), WRONG), (("check", "loop.toml"), WRONG)),
    *((("kinematics", EXAMPLES / "type2.deck"), (3,)), (("statics", "m.toml", "--starts", "-1"), WRONG)),
    *((("linearize", "m.toml"), (1,)), (("optimize", "m.toml"), WRONG), (("strength", "m.toml"), WRONG)),
)


def case(seed, family):
    """What came of one case: a word that begins with "right" or "WRONG", and what was seen."""
    with tempfile.TemporaryDirectory() as folder:
        return FAMILIES[family](seed, Path(folder))


def interrupted(seed, here):
    """A signal at a random moment of a command that writes a file, half of them over an old one."""
    random = np.random.default_rng(seed)
    words = [str(word) for word in WRITTEN[seed % len(WRITTEN)]]
    number = list(ENDS)[seed // len(WRITTEN) % len(ENDS)]
    old = here / words[words.index("-o") + 1]
    if old.suffix and seed // 27 % 2:
        old.write_text("old")
    try:
        done = server().run([*words, "--quiet"], here, "", float(random.uniform(0.0, 1.5)), ended_by=number)
    except subprocess.TimeoutExpired:
        return judged(f"deaf to {number.name}", " ".join(words))
    wrong = "traceback" if "Traceback" in done.stderr else ""
    if done.returncode not in (0, *ENDS[number]):
        wrong = f"exit {done.returncode}: {done.stderr[:150]}"
    for path in here.rglob("*"):
        if path.is_file() and not whole(path) and not (done.returncode and path.read_bytes() == b"old"):
            wrong = wrong or left_behind(path, number)
    return judged(wrong, f"{number.name} {' '.join(words)}")


def left_behind(path, number):
    """A temporary file may stay after kill −9 alone; a file by its name is whole."""
    hidden = any(part.startswith(".") for part in path.parts)
    return "" if hidden and number == signal.SIGKILL else f"half a file, {path.name}"


def whole(path):
    """Whether a file is complete, by its kind."""
    content, kind = path.read_bytes(), path.suffix
    try:
        return {
            ".csv": lambda: content.endswith(b"\n") and len({line.count(b",") for line in content.splitlines()}) == 1,
            ".json": lambda: bool(json.loads(content)),
            ".html": lambda: b"</html>" in content[-200:],
            ".gif": lambda: content.endswith(b"\x3b"),
            ".png": lambda: content[-8:-4] == b"IEND",
            ".glb": lambda: int.from_bytes(content[8:12], "little") == len(content),
        }.get(kind, lambda: len(content) > 100)()
    except ValueError:
        return False


def place(seed, here):
    """Places that cannot be written: a folder in the place of the file, a file in that of a folder, no folder."""
    words = [str(word) for word in WRITTEN[seed % len(WRITTEN)]]
    at = words.index("-o") + 1
    kind = ("taken", "nowhere", "full")[seed // len(WRITTEN) % 3]
    if kind == "taken" and "." in words[at]:
        (here / words[at]).mkdir()
    elif kind == "taken":
        (here / words[at]).write_text("a file")
    elif kind == "nowhere":
        (here / "nowhere").write_text("a file, no folder")
        words[at] = f"nowhere/{words[at]}"
    else:
        words[at] = f"/proc/{words[at]}"  # no file can be made there
    done = server().run([*words, "--quiet"], here, "", SECONDS)
    wrong = "traceback" if "Traceback" in done.stderr else ""
    wrong = wrong or ("" if done.returncode in (1, 2) else f"exit {done.returncode}")
    left = [path.name for path in here.iterdir() if path.name not in (words[at], "nowhere")]
    return judged(wrong or (f"left {left}" if left else ""), f"{kind} {' '.join(words)}")


def odd_input(seed, here):
    name = list(INPUTS)[seed % len(INPUTS)]
    content, ends = INPUTS[name]
    (here / name).write_bytes(content)
    return judged(ended(here, ["check", name], ends), name)


def option(seed, here):
    words, ends = OPTIONS[seed % len(OPTIONS)]
    (here / "m.toml").write_bytes(TEXT)
    (here / "folder.toml").mkdir()
    os.symlink("loop.toml", here / "loop.toml")
    return judged(ended(here, [str(word) for word in words], ends), " ".join(map(str, words)))


def ended(here, words, ends):
    """ "" or what was wrong with the end of a command."""
    try:
        done = server().run(words, here, "", SECONDS)
    except subprocess.TimeoutExpired:
        return "hang"
    if "Traceback" in done.stderr:
        return f"traceback: {done.stderr.strip().splitlines()[-1][:150]}"
    return "" if done.returncode in ends else f"exit {done.returncode}: {(done.stderr or done.stdout).strip()[:150]}"


FAMILIES = {"signals": interrupted, "places": place, "inputs": odd_input, "options": option}

if __name__ == "__main__":
    campaign(__doc__, tuple(FAMILIES), case)
