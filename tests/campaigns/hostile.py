"""Hostile files: code in expressions, documents that grow, devices as data, markup and code in names.

`python tests/campaigns/hostile.py --seconds 60 [--first SEED] [--families names]`. Every file is used by a command as a
person would use it. It must end well or be refused in words: nothing of the file is executed, markup of a name stays
text in pages, pictures and scripts, and a name comes back from the files that are written. A case is its seed.
"""

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from xml.dom import minidom

from tallied import campaign

sys.path.append(str(Path(__file__).parents[1]))

from forked_command import ForkedCommands

FOUR_BAR = (Path(__file__).parents[2] / "examples" / "four_bar.toml").read_text()
MOTION = '"pi/3 + 2*pi*t"'
SECONDS = 120.0  # of the clock for a command, beside other work
ENDED = (0, 1, 3)  # well; refused; stopped where the motion does

EXPRESSIONS = (
    "__import__('os').system('touch executed')",
    "().__class__.__bases__[0].__subclasses__()",
    "t.__class__",
    "sin.__globals__",
    "(lambda: 1)()",
    "[x for x in (1,)][0]",
    "f'{t}'",
    'exec(\'open("executed","w")\')',
    "open('executed','w')",
    *("t if t else 1", "t and 1", "not t", "~t", "t @ t", "t // 2", "t % 1", "t << 3", "t < 1", "1, 2", "*t"),
    *("sin(**{})", "sin(*[t])", "sin(t=t)", "where(t<1<2, 1, 2)", "where(1, 2, 3)", "True", "None", "...", "'a'*9"),
    *("b'x'", "1j", "(t := 1)", "yield t", "t; t", "t # x", "t\n+ 1", "", " ", "t +", "t\\", "0x10*t", "1_0*t"),
    *("9**9**9", "9^9^9", "9999999**9999999", "1e308*10", "2**1000000", "1e5000", "9" * 1500, "9" * 5000, "0**-1"),
    *("t**-t", "log(-1)", "1/0", "1/t", "log(t)", "sqrt(t-2)", "tan(pi/2*t)", "exp(exp(exp(t*9)))", "t" + "*t" * 900),
    *("(" * 900 + "t" + ")" * 900, "-" * 1900 + "t", "sin(" * 380 + "t" + ")" * 380, "+".join(["t"] * 999)),
    *("t**" * 600 + "t", "t+" * 100000 + "t", "a" * 100000, "ｔ + １", "t\u200b", "π*t", "е*t", "t²", "\u202et"),
    *("t\u00a0+ 1", "\ufefft", "ｓｉｎ(t)", "𝓽", "sin（t）", "where(t<0.5,t,t+1e-17)", "max(t)", "min(1,2,3)", "sin()"),
    *(
        "abs(t,t)",
        "where(t<1,2)",
        "t(1)",
        "sin",
        "pi()",
        "motor.q",
        "crank.phi",
        "t deg",
        "3 parsec",
        "deg",
        "1 m + 1 s",
    ),
)
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefg", "bcdefgh", strict=True))
    + ']><{root} name="&h;"/>'
)
DOCUMENTS = (
    LAUGHS,
    '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><{root} name="r">&x;</{root}>',
    '<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd"><{root} name="r"/>',
    "<{root} name='r'>" + "<link name='a'>" * 50000 + "</link>" * 50000 + "</{root}>",
    "<{root} name='r'><worldbody>" + "<body>" * 5000 + "</body>" * 5000 + "</worldbody></{root}>",
    "<{root} name='" + "x" * 1_000_000 + "'><link name='a'/></{root}>",
    "<{root} name='r' " + " ".join(f"a{k}='1'" for k in range(20000)) + "/>",
    *("", "<!-- x -->", "robot", "<{root}/><{root}/>", "<{root}", "<{root}></other>", "<?xml version='9'?><{root}/>"),
    '<?xml version="1.0" encoding="UTF-16"?><{root} name="r"/>',
    '<{root} xmlns:xi="http://www.w3.org/2001/XInclude" name="r"><xi:include href="/etc/passwd"/></{root}>',
    "<{root} name='r'><include file='m{ending}'/></{root}>",
    "<{root} name='r'><include file='/etc/passwd'/><include><uri>file:///etc/passwd</uri></include></{root}>",
    "<{root} name='r'><link name='a'/><joint name='x' type='fixed'><parent link='a'/><child link='a'/></joint>"
    "</{root}>",
    "<{root}><link/></{root}>",
    "<{root} name='r'><asset><mesh file='/dev/zero'/></asset><worldbody><body><geom type='mesh'/></body></worldbody>"
    "</{root}>",
)
ROOTS = {".urdf": "robot", ".mjcf": "mujoco", ".sdf": "sdf"}
TABLES = (
    *("../../../../etc/passwd", "/etc/passwd", "/dev/zero", "/dev/random", "/dev/stdin", "/proc/self/mem", ".", ""),
    *("nothing.csv", "\0.csv", "a" * 5000 + ".csv", "loop.csv", "pipe.csv", "http://127.0.0.1:1/x.csv", "~/x.csv"),
    *("$HOME/x.csv", "zeros.csv", "long.csv", "m.toml"),
)
NAMES = (
    *("</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'; alert(1); //", "${title}", "$title"),
    *("%s {0} {x}", "a\nb", "\u001b[2J\u001b[31m", "<!-- -->", "]]>", "\u2028", "$\\frac{1}{", "_^{}", "\\", "$x$ $y$"),
    *('"""\nimport os\nos.system("touch executed")\n"""', "'''+__import__('os').system('touch executed')+'''"),
    *("a" * 10000, "\u202egnp.exe", "=cmd|' /C calc'!A0", "NUL", "../../x", "", " ", "&amp;", "[[wikilink]]", "\ud7ff"),
)
ELEMENTS = {"body": "rocker", "joint": "D", "point": "P", "driver": "motor"}
WORDS = (
    *(
        "<script>",
        'a"b',
        "a.b",
        "a b",
        "$x$",
        "é",
        "\n",
        "",
        "ground",
        "t",
        "__proto__",
        "constructor",
        "toString",
        "1",
    ),
    *("-1", "x" * 3000, "ｘ", "a\u0301", "０", "Ω", "q", "phi", "center", "on_rocker", "valueOf"),
)


def case(seed, family):
    """What came of one case: a word that begins with "right" or "WRONG", and what was seen."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        outcome = FAMILIES[family](seed, here)
        if (here / "executed").exists():
            return "WRONG: executed", outcome[1]
        return outcome


def use(here, *words, ends=ENDED):
    """Run a command: "" or what was wrong with its end."""
    try:
        done = server().run(list(words), here, "", SECONDS)
    except subprocess.TimeoutExpired:
        return "hang"
    if "Traceback" in done.stderr:
        return f"traceback: {done.stderr.strip().splitlines()[-1][:150]}"
    if done.returncode not in ends:
        return f"exit {done.returncode}: {(done.stderr or done.stdout).strip()[:150]}"
    return "" if len(done.stderr) < 20000 else f"{len(done.stderr)} characters of message"


SERVERS = []  # one, made with the first case where nobody lends another


def server():
    """The server of commands."""
    if not SERVERS:
        SERVERS.append(ForkedCommands())
    return SERVERS[0]


def judged(wrong, what):
    return (f"WRONG: {wrong}", repr(what[:80])) if wrong else ("right", "")


def expression(seed, here):
    text = EXPRESSIONS[seed % len(EXPRESSIONS)]
    (here / "m.toml").write_text(FOUR_BAR.replace(MOTION, json.dumps(text, ensure_ascii=False)))
    return judged(use(here, "kinematics", "m.toml", "--quiet", "--step", "0.1"), text)


def document(seed, here):
    ending = list(ROOTS)[seed % len(ROOTS)]
    text = DOCUMENTS[seed // len(ROOTS) % len(DOCUMENTS)].replace("{root}", ROOTS[ending]).replace("{ending}", ending)
    (here / f"m{ending}").write_text(text)
    return judged(use(here, "check", f"m{ending}"), ending + " " + text)


def table(seed, here):
    name = TABLES[seed % len(TABLES)]
    (here / "loop.csv").symlink_to("loop.csv")
    os.mkfifo(here / "pipe.csv")
    (here / "zeros.csv").write_bytes(b"\0" * 100000)
    (here / "long.csv").write_text("t,x\n" + "".join(f"{k},{k % 7}\n" for k in range(100000)))
    motion = f'{{ table = {json.dumps(name)}, column = "x" }}'
    (here / "m.toml").write_text(FOUR_BAR.replace(MOTION, motion))
    return judged(use(here, "check", "m.toml", ends=(1,) if name != "long.csv" else ENDED), name)


def quoted(name):
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f").replace("\u2028", "\\u2028")


def model_name(seed, here):
    """The name of a model in everything that is written of it."""
    name = NAMES[seed % len(NAMES)]
    (here / "m.toml").write_text(FOUR_BAR.replace('"four bar"', quoted(name)).replace("step = 0.01", "step = 0.1"))
    written = ("report.html", "plot.svg", "export.glb", "export.py", "kinematics.json", "convert.toml")
    for file in written:
        if wrong := use(here, file.split(".")[0], "m.toml", "-o", file, "--quiet", ends=(0,)):
            return judged(f"{file}, {wrong}", name)
    checks = (markup, picture, scene, script, lambda path: json.loads(path.read_text()), lambda path: title(path, name))
    for file, check in zip(written, checks, strict=True):
        try:
            check(here / file)
        except (ValueError, SyntaxError, AssertionError) as error:
            return judged(f"{file}, {type(error).__name__}: {str(error)[:150]}", name)
    return "right", ""


def element_name(seed, here):
    """The name of an element is refused, or stands in the page as text."""
    element = list(ELEMENTS)[seed % len(ELEMENTS)]
    name = WORDS[seed // len(ELEMENTS) % len(WORDS)]
    text = FOUR_BAR.replace(f"[{element}.{ELEMENTS[element]}]", f"[{element}.{quoted(name)}]")
    if element == "body":
        text = text.replace('"rocker.', '"' + quoted(name)[1:-1] + ".")
    (here / "m.toml").write_text(text)
    wrong = use(here, "report", "m.toml", "-o", "r.html", "--quiet", "--step", "0.1")
    if not wrong and (here / "r.html").exists():
        markup(here / "r.html")
    return judged(wrong, f"{element} {name}")


class Markup(HTMLParser):
    """The elements of a page."""

    def __init__(self):
        super().__init__()
        self.elements = []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))


def markup(path):
    """No element and no script of a page comes from a name, and its data are JSON."""
    text = path.read_text()
    page = Markup()
    page.feed(text)
    assert not [tag for tag, given in page.elements if tag == "img" and given.get("src") == "x"]
    assert not [tag for tag, given in page.elements if any(key.startswith("on") for key in given)]
    scripts = [given for tag, given in page.elements if tag == "script"]
    blocks = re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)
    assert len(scripts) == len(blocks)
    for block, given in zip(blocks, scripts, strict=True):
        if "json" in (given.get("type") or ""):
            json.loads(block)
        else:
            assert "alert(1)" not in block


def picture(path):
    minidom.parse(str(path))


def scene(path):
    content = path.read_bytes()
    json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")])


def script(path):
    for node in ast.walk(ast.parse(path.read_text())):
        assert not (isinstance(node, ast.Attribute) and node.attr == "system")


def title(path, name):
    assert tomllib.loads(path.read_text()).get("name", "") == name


FAMILIES = {
    "expressions": expression,
    "documents": document,
    "tables": table,
    "names": model_name,
    "elements": element_name,
}

if __name__ == "__main__":
    campaign(__doc__, tuple(FAMILIES), case)
