"""The server of the studio: what it refuses, what it keeps, and that windows stay in step."""

import http.client
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from conftest import EXAMPLES
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from mubo.studio.document import Document
from mubo.studio.protocol import MOST_BYTES, Refused, read_message

PROGRAM = Path(sys.executable).parent / "mubo"


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """A studio of a folder with two models, a link that leads out of it, and a secret beside it."""
    base = tmp_path_factory.mktemp("studio")
    folder = base / "models"
    folder.mkdir()
    (base / "secret.toml").write_text('name = "secret"\n')
    for name in ("four_bar", "slider_crank"):
        (folder / f"{name}.toml").write_bytes((EXAMPLES / f"{name}.toml").read_bytes())
    (folder / "leads_out.toml").symlink_to(base / "secret.toml")
    with subprocess.Popen([PROGRAM, "studio", folder, "--no-browser"], stdout=subprocess.PIPE, text=True) as process:
        address = re.search(r"http://\S+", process.stdout.readline())[0]
        yield Opened(folder, address)
        process.terminate()


class Opened:
    def __init__(self, folder, address):
        self.folder, self.address = folder, address
        self.host = address.split("/")[2]
        self.token = address.split("/")[3]

    def get(self, path, headers=None, method="GET"):
        with closing(http.client.HTTPConnection(self.host, timeout=20)) as connection:
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers

    def socket(self, token=None, origin=None, **more):
        address = f"ws://{self.host}/{token or self.token}/socket"
        return connect(address, origin=origin or f"http://{self.host}", max_size=None, **more)


def receive(socket, kind, most=20):
    for _ in range(most):
        message = json.loads(socket.recv(timeout=30))
        if message["is"] == kind:
            return message
    raise AssertionError(f"no {kind}")


def ask(socket, kind, **request):
    socket.send(json.dumps(request))
    return receive(socket, kind)


def test_it_listens_on_the_loopback_interface_alone(studio):
    assert studio.address.startswith("http://127.0.0.1:")
    assert len(studio.token) >= 32  # 24 random bytes in base64
    port = int(studio.host.split(":")[1])
    listening = [line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if " 0A " in line]
    own = [place.split(":")[0] for place in listening if int(place.split(":")[1], 16) == port]
    assert own == ["0100007F"]


@pytest.mark.parametrize("path", ["/", "/wrong/", "/wrong/socket", "/assets/studio.js", "//", "/%00/"])
def test_no_token_and_wrong_tokens_are_refused(studio, path):
    assert studio.get(path)[0] == 403


def test_foreign_host_and_origin_are_refused(studio):
    page = f"/{studio.token}/"
    assert studio.get(page)[0] == 200
    for host in ("evil.example", f"evil.example:{studio.host.split(':')[1]}", "127.0.0.1", "0.0.0.0:80"):
        assert studio.get(page, {"Host": host})[0] == 403  # as after DNS rebinding
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", f"https://{studio.host}"):
        assert studio.get(page, {"Origin": origin})[0] == 403
    assert studio.get(page, method="POST")[0] == 403


@pytest.mark.parametrize("more", [{"token": "x" * 32}, {"origin": "http://evil.example"}, {"origin": "null"}])
def test_sockets_of_strangers_are_refused(studio, more):
    with pytest.raises((InvalidStatus, ConnectionClosed)), studio.socket(**more) as socket:
        socket.recv(timeout=10)


def test_a_page_has_no_script_but_its_own(studio):
    policy = studio.get(f"/{studio.token}/")[2]["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy


@pytest.mark.parametrize(
    "name",
    ["../secret.toml", "/etc/passwd", "leads_out.toml", "..", "", ".", "four_bar.toml/../../secret.toml", "a\\b.toml"],
)
def test_files_outside_the_folder_are_refused(studio, name):
    with studio.socket() as socket:
        receive(socket, "files")
        answer = ask(socket, "refused", do="open", file=name)
        assert "secret" not in json.dumps(answer).replace("secret.toml", "")
    quoted = name.replace("/", "%2F")
    assert studio.get(f"/{studio.token}/export/{quoted}?kind=toml")[0] in (404, 409)


def test_links_out_of_the_folder_are_not_listed(studio):
    with studio.socket() as socket:
        assert receive(socket, "files")["files"] == ["four_bar.toml", "slider_crank.toml"]


@pytest.mark.parametrize(
    "junk",
    [
        "",
        "x",
        "[]",
        "{}",
        '{"do": "nothing"}',
        '{"do": "open"}',
        '{"do": "open", "file": 3}',
        '{"do": "drag", "gesture": 1}',
        '{"do": "undo", "more": 1}',
        '{"do": "tool", "tool": "x", "with": {}, "t": 0, "decimals": 4}',
        '{"do": "tool", "tool": "pin", "with": {"body": "crank", "at": [1, NaN]}, "t": 0, "decimals": 4}',
        "[" * 100_000,
    ],
)
def test_junk_is_refused_and_the_window_lives_on(studio, junk):
    with pytest.raises(Refused):
        read_message(junk)
    with studio.socket() as socket:
        receive(socket, "files")
        socket.send(junk)
        assert receive(socket, "refused")["text"]
        assert ask(socket, "state", do="open", file="four_bar.toml")["version"] >= 0


def test_a_message_that_is_too_long_closes_the_window_alone(studio):
    with studio.socket() as socket, studio.socket() as other:
        receive(socket, "files")
        with suppress(ConnectionClosed):
            socket.send("x" * (MOST_BYTES + 1))
        with pytest.raises(ConnectionClosed):
            receive(socket, "refused")
        receive(other, "files")
        assert ask(other, "state", do="open", file="four_bar.toml")


def test_two_windows_stay_in_step_and_another_editor_is_noticed(studio):
    path = studio.folder / "slider_crank.toml"
    before = path.read_bytes()
    with studio.socket() as first, studio.socket() as second:
        for socket in (first, second):
            receive(socket, "files")
            ask(socket, "answer", do="open", file=path.name)
        ask(first, "state", do="set", path=["body", "crank", "points", "A", 0], literal="55")
        seen = receive(second, "state")
        assert "A = [55, 0]" in seen["text"]
        assert path.read_text() == seen["text"]
        path.write_bytes(before.replace(b"150", b"160"))
        told = receive(first, "state")
        assert told["text"].encode() == path.read_bytes()
        assert told["undo"] == "change in another editor"
        path.unlink()
        while "deleted" not in told["notice"]:
            told = receive(first, "state")
        assert "B = [160, 0]" in told["text"]  # nothing is lost
        ask(first, "state", do="undo")
        ask(first, "state", do="undo")
        assert path.read_bytes() == before


def test_late_requests_are_dropped_and_the_last_is_answered(studio):
    with studio.socket() as socket:
        receive(socket, "files")
        ask(socket, "answer", do="open", file="four_bar.toml")
        base = {"do": "drag", "gesture": 7, "kind": "joint", "name": "B", "t": 0.0, "decimals": 4}
        for number in range(1000):
            socket.send(json.dumps({**base, "number": number, "shift": [1e-5 * number, 0.0]}))
        answered = []
        while not answered or answered[-1] != 999:
            answered.append(receive(socket, "moved")["number"])
        assert answered == sorted(answered)
        ask(socket, "state", do="cancel", gesture=7)


def test_a_thousand_requests_and_a_hundred_windows_are_served(studio):
    page = f"/{studio.token}/"
    with ThreadPoolExecutor(50) as many:
        answers = list(many.map(lambda _: studio.get(page)[0], range(1000)))
    assert answers == [200] * 1000
    with ExitStack() as windows:
        sockets = [windows.enter_context(studio.socket()) for _ in range(100)]
        assert all(receive(socket, "files")["files"] for socket in sockets)
        for socket in sockets:
            socket.send(json.dumps({"do": "open", "file": "four_bar.toml"}))
        answers = [0] * len(sockets)
        for k, socket in enumerate(sockets):  # windows that come together share their answers: not one for each of them
            while (message := receive(socket, "answer"))["brief"]:
                answers[k] += 1
            assert message["moving"]
        assert max(answers) < 20


def test_a_model_of_ten_thousand_bodies_is_said_to_be_too_large_to_draw(studio):
    path = studio.folder / "many.toml"
    bodies = (f"[body.b{k}]\npoints = {{ A = [0, 0], B = [1, 0] }}\n" for k in range(10_000))
    path.write_text("[body.ground]\npoints = { A = [0, 0] }\n" + "".join(bodies))
    with studio.socket() as socket:
        receive(socket, "files")
        answer = ask(socket, "answer", do="open", file=path.name)
    path.unlink()
    assert answer["needs"] == []
    assert answer["problems"][0]["text"].startswith("10,000 bodies are too many to be drawn live; at most 400 are.")


def test_undo_survives_a_reload(studio):
    path = studio.folder / "four_bar.toml"
    before = path.read_bytes()
    with studio.socket() as socket:
        receive(socket, "files")
        ask(socket, "answer", do="open", file=path.name)
        ask(socket, "state", do="set", path=["body", "crank", "angle"], literal="50 deg")
        assert b'angle = "50 deg"' in path.read_bytes()
    with studio.socket() as again:
        receive(again, "files")
        state = ask(again, "state", do="open", file=path.name)
        assert state["undo"] == "body.crank.angle"
        ask(again, "state", do="undo")
    assert path.read_bytes() == before


def test_a_kill_leaves_a_whole_file(tmp_path):
    path = tmp_path / "four_bar.toml"
    path.write_bytes((EXAMPLES / "four_bar.toml").read_bytes())
    process = subprocess.Popen([PROGRAM, "studio", path, "--no-browser"], stdout=subprocess.PIPE, text=True)
    address = re.search(r"http://\S+", process.stdout.readline())[0]
    opened = Opened(tmp_path, address)
    with opened.socket() as socket:
        assert receive(socket, "files")["first"] == "four_bar.toml"
        ask(socket, "answer", do="open", file=path.name)
        ask(socket, "state", do="set", path=["analysis", "end"], literal="2")
        for number in range(3):
            socket.send(json.dumps({"do": "set", "path": ["analysis", "step"], "literal": f"0.0{number + 1}"}))
        process.kill()
    process.wait()
    process.stdout.close()
    assert "end = 2" in path.read_text()
    assert path.read_text().endswith("\n")
    assert [one for one in os.listdir(tmp_path) if not one.startswith(".")] == ["four_bar.toml"]


def test_a_file_that_cannot_be_written_is_stated_and_nothing_is_lost(tmp_path, monkeypatch):
    path = tmp_path / "x.toml"
    path.write_text("a = 1\n")
    document = Document.open(path)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    document.change("number", "a = 2\n")
    assert "No space left" in document.notice
    assert (document.text, document.saved, path.read_text()) == ("a = 2\n", False, "a = 1\n")
    monkeypatch.undo()
    document.change("number", "a = 3\n")
    assert (document.saved, document.notice, path.read_text()) == (True, "", "a = 3\n")


def test_an_unknown_model_is_refused_with_the_nearest_example(command):
    done = command("studio", "four_bra", "--no-browser")
    assert done.returncode == 1
    assert 'Did you mean "four_bar"?' in done.stderr


def test_a_port_that_is_taken_is_refused(studio, command):
    done = command("studio", "--no-browser", "--port", studio.host.split(":")[1])
    assert done.returncode == 1
    assert "cannot listen on port" in done.stderr


def test_time_between_two_bursts_of_typing_parts_entries(tmp_path, monkeypatch):
    path = tmp_path / "x.toml"
    path.write_text("")
    document = Document.open(path)
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for when, text in ((0.0, "a"), (0.5, "ab"), (9.0, "abc")):
        now[0] = when
        document.change("typing", text, typed=True)
    assert [change.after for change in document.done] == ["ab", "c"]
