"""Small changes of files: bytes, characters, numbers, words, lines, and the values of TOML and JSON."""

import json
import re
import tomllib

from mubo.formats.motion_file import inline

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
WORD = re.compile(r"[A-Za-z_]\w*")
WILD = """0 -0 -1 2 0.5 1e-300 1e300 -1e308 1e17 1e-17 1e9 1e6 1e-9 1e400 nan inf -inf 9007199254740993
9223372036854775808 99999999999999999999 1e7 1e-12 [] {} true "x" "90deg" "1m" [0,0] [1,0,0] [[0,0],[1,1]] 1979-05-27"""
LANGUAGE = """revolute translational fixed slot distance circle ground coordinate gears belt rack cam_roller prismatic
cylindrical universal spherical planar screw free crank.phi slider.x motor position angle points orientation
inertia center shape between axis axes zero lead radius value type start end step kinematics simulate units dimension
gravity sin(t) t**t 1/t sqrt(t-1) log(t) tan(t) abs(t) where(t<1,t,1) exp(exp(t)) 9**9**9 t*1e300 smooth gcv table
column program repeat stiffness damping deg rad mm kg harmonic polynomial dwell lasts rise law effort direction"""
NUMBERS, WORDS = WILD.split(), LANGUAGE.split()
CHARACTERS = list("\"'[]{}=,.#-+eE09<>/& \n\t\x00é\u2028")
VALUES = (0, 1, -1, 10**30, 0.0, 1e308, 1e-308, float("nan"), float("inf"), 1e17, "", " ", "1 m", "60 deg", "ground")
VALUES += ("ground.A", "a" * 300, "<b>", "\x00", "..", "A.", True, [], {}, [0, 0], [1, 0, 0], [[0, 0], [1, 1]])


def pick(random, choices):
    """One of them; numpy's own `choice` would make arrays of what it is given."""
    return choices[int(random.integers(len(choices)))]


def change_bytes(random, data):
    """Bits turned over, bytes written over, put in, left out, or the file cut short."""
    data, at = bytearray(data), int(random.integers(max(1, len(data))))
    count = pick(random, (1, 1, 2, 4, 16, 64))
    what = int(random.integers(6))
    if what == 0 and data:
        data[at] ^= 1 << int(random.integers(8))
    elif what == 1:
        data[at : at + count] = random.bytes(count)
    elif what == 2:
        data[at:at] = random.bytes(count)
    elif what == 3:
        del data[at : at + count]
    elif what == 4:
        data[at:at] = data[int(random.integers(max(1, len(data)))) :][:count]
    else:
        del data[at:]
    return bytes(data)


def change_number(random, text):
    """One number by another: a wild one, its negative, one that is a little or a lot larger, or another of the file."""
    spots = list(NUMBER.finditer(text))
    if not spots:
        return text
    spot = pick(random, spots)
    value = float(spot.group())
    new = (
        pick(random, NUMBERS),
        repr(-value),
        repr(value * (1 + 10 ** random.uniform(-14, 0))),
        repr(value * 10.0 ** int(random.integers(-12, 13))),
        repr(float(value + random.normal())),
        pick(random, spots).group(),
    )[int(random.integers(6))]
    return text[: spot.start()] + new + text[spot.end() :]


def change_word(random, text):
    """One word by another of the file or of the language."""
    spots = list(WORD.finditer(text))
    if not spots:
        return text
    spot = pick(random, spots)
    new = pick(random, spots).group() if random.random() < 0.5 else pick(random, WORDS)
    return text[: spot.start()] + new + text[spot.end() :]


def change_line(random, text):
    """A line left out, doubled, cut short, moved, or the last one."""
    lines = text.split("\n")
    k, j = (int(k) for k in random.integers(len(lines), size=2))
    what = int(random.integers(5))
    if what == 0:
        del lines[k]
    elif what == 1:
        lines.insert(j, lines[k])
    elif what == 2:
        lines[k] = lines[k][: int(random.integers(len(lines[k]) + 1))]
    elif what == 3:
        lines.insert(j, lines.pop(k))
    else:
        del lines[k + 1 :]
    return "\n".join(lines)


def change_characters(random, text):
    """A few characters written over or put in."""
    k = int(random.integers(len(text) + 1))
    new = "".join(pick(random, CHARACTERS) for _ in range(int(random.integers(1, 5))))
    return text[:k] + new + text[k + int(random.integers(3)) :]


def change_value(random, text):
    """A value of a TOML or JSON file left out, or by a wild one, or by another value of the file, whatever it is."""
    is_json = text.lstrip().startswith("{")
    try:
        data = json.loads(text) if is_json else tomllib.loads(text)
    except ValueError:
        return change_line(random, text)
    places = list(_places(data))
    if not places:
        return text
    holder, key = pick(random, places)
    what = int(random.integers(4))
    if what == 0:
        del holder[key]
    elif what == 1:
        holder[key] = pick(random, VALUES)
    elif what == 2:
        other, name = pick(random, places)
        holder[key] = json.loads(json.dumps(other[name], default=str))
    elif isinstance(holder, dict):
        holder[pick(random, WORDS)] = holder.pop(key)
    return json.dumps(data) if is_json else "\n".join(f"{json.dumps(key)} = {_toml(data[key])}" for key in data)


def _places(node):
    for key in list(node) if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from _places(node[key])


def _toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(str(key))} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return inline(value)


CHANGES = (change_number, change_number, change_number, change_word, change_line, change_characters, change_value)


def mutated(random, data):
    """The bytes of a file, changed once or a few times."""
    for _ in range(pick(random, (1, 1, 1, 2, 4))):
        try:
            text = data.decode()
        except UnicodeDecodeError:
            text = None
        if text is None or random.random() < 0.15:
            data = change_bytes(random, data)
        else:
            data = pick(random, CHANGES)(random, text).encode("utf-8", "replace")
    return data
