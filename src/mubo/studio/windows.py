"""The windows of a studio, whatever carries their messages: each request is answered, and all windows stay in step.

Motions under a hand, solutions and thumbnails run in threads of their own: while one runs, only the newest request of
its kind waits. `session` knows what requests mean; a WebSocket (`server`) or a notebook (`notebook`) carries them.
"""

from __future__ import annotations

import asyncio
import json
import time
import traceback
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from mubo.errors import MuboError
from mubo.studio.folder import Folder
from mubo.studio.lanes import LANES
from mubo.studio.protocol import Refused, read_message, refusal
from mubo.studio.session import Session

LOOK = 0.4  # seconds between two looks at the files
PATIENCE = 3.0  # seconds that a drag waits for the answer to the text before it


@dataclass(eq=False)
class Client:
    """A window: how text is sent to it, the model that it shows, and the newest request of each kind that waits."""

    send_text: Callable[[str], Awaitable[None]]
    session: Session | None = None
    waiting: dict[str, Any] = field(default_factory=dict)
    busy: set[str] = field(default_factory=set)

    async def send(self, message: dict[str, Any]) -> None:
        await self.send_text(json.dumps(message, separators=(",", ":"), ensure_ascii=False))


class Windows:
    """All windows on the models of one folder."""

    def __init__(self, folder: Folder, first: str = "") -> None:
        self.folder, self.first = folder, first
        self.clients: set[Client] = set()
        self.hand = ThreadPoolExecutor(1, "studio-hand")
        self.solver = ThreadPoolExecutor(1, "studio-solver")
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._entered: dict[int, set[Client]] = {}  # windows that opened a model and have no answer yet, by session
        self._edits = asyncio.Lock()
        self._running: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Ends the threads."""
        for pool in (self.hand, self.solver):
            pool.shutdown(wait=False, cancel_futures=True)

    async def enter(self, client: Client) -> None:
        """A new window: it gets the list of files."""
        self.clients.add(client)
        await client.send(self.folder.listing(self.first))

    async def watch(self) -> None:
        """Takes over what other editors write."""
        while True:
            await asyncio.sleep(LOOK)
            for session in {id(one.session): one.session for one in self.clients if one.session}.values():
                async with self._edits:
                    changed = session.document.look()
                if changed:
                    await self._show(session)

    async def receive(self, client: Client, data: str) -> None:
        try:
            message = read_message(data)
            await self._handle(client, message)
        except (MuboError, Refused, OSError) as error:
            await client.send(refusal(error))
        except Exception as error:  # a fault of the studio itself: it is stated, and the window lives on
            traceback.print_exc()
            await client.send(refusal(Refused(f"the studio failed at this request ({error!r}): nothing was changed")))

    async def _handle(self, client: Client, message: dict[str, Any]) -> None:
        name = message["do"]
        if name in ("open", "example", "new"):
            await self._open(client, self._file_of(message))
        elif name == "files":
            await client.send(self.folder.listing(self.first))
        elif name == "gallery":
            entries = [vars(one) for one in self.folder.examples.values()]
            shown = [{key: one[key] for key in ("name", "description", "theme")} for one in entries]
            await client.send({"is": "gallery", "examples": shown})
        elif client.session is None:
            raise Refused("open a model first")
        elif name == "save as":
            await self._open(client, self.folder.save_as(client.session, message["name"]))
        elif name == "insert" and not client.session.is_empty:
            text = client.session.design_text(message["design"])
            await self._open(client, self.folder.add(f"design_{message['design'] + 1}", text))
        elif name in LANES:
            client.waiting[name] = message
            task = asyncio.get_running_loop().create_task(self._lane(client, name))
            self._running.add(task)  # a task that nobody holds may be collected
            task.add_done_callback(self._running.discard)
        else:
            await self._act(client, client.session, message)

    def _file_of(self, message: dict[str, Any]) -> str:
        """The file to open: one of the folder, a copy of an example, or a new one."""
        if message["do"] == "example":
            return self.folder.copy_example(message["name"])
        if message["do"] == "new":
            return self.folder.new(message["name"], message.get("linkage", ""), message.get("lengths", ()))
        return str(message["file"])

    async def _open(self, client: Client, file: str) -> None:
        client.session = self.folder.open(file)
        client.session.document.look()
        await client.send(self.folder.listing(self.first))
        await client.send(client.session.state())
        await self._solve(client.session, only=client)

    async def _act(self, client: Client, session: Session, message: dict[str, Any]) -> None:
        async with self._edits:
            try:
                changed = await run_in_thread(self.hand, session.act, message)
            finally:
                client.waiting.pop("drag", None)
        if changed:
            await self._show(session)
        else:
            await client.send(session.state())

    async def _lane(self, client: Client, name: str) -> None:
        """Answers the newest request of a kind; those that came while it was busy are dropped but the last."""
        if name in client.busy:
            return
        client.busy.add(name)
        try:
            while (message := client.waiting.pop(name, None)) is not None and client.session is not None:
                try:
                    await client.send(await self._lane_answer(client.session, name, message))
                except (MuboError, Refused) as error:
                    gesture = {key: message[key] for key in ("gesture", "number") if key in message}
                    await client.send({**refusal(error), **gesture})
        finally:
            client.busy.discard(name)

    async def _lane_answer(self, session: Session, name: str, message: dict[str, Any]) -> Any:
        if name == "drag":
            await self._drawn(session)
        pool = self.hand if LANES[name].thread == "hand" else self.solver
        return await run_in_thread(pool, LANES[name].answer, session, message)

    async def _drawn(self, session: Session) -> None:
        """Waits until the newest text was solved: a quick hand takes the next part before that."""
        task, until = self._tasks.get(id(session)), time.monotonic() + PATIENCE
        while session.answered != session.document.version and task is not None and not task.done():
            if time.monotonic() > until:
                return  # the refusal says what is missing
            await asyncio.sleep(0.01)

    async def _show(self, session: Session) -> None:
        """The state to every window of a model, and soon its answer."""
        for client in [one for one in self.clients if one.session is session]:
            await client.send(session.state())
        await self._solve(session)

    async def _solve(self, session: Session, only: Client | None = None) -> None:
        if only is not None:
            self._entered.setdefault(id(session), set()).add(only)
        task = self._tasks.get(id(session))
        if task is not None and not task.done():
            return  # it looks at the newest text, and at those who came, by itself
        self._tasks[id(session)] = asyncio.get_running_loop().create_task(self._answers(session))

    async def _answers(self, session: Session) -> None:
        """A brief answer, then the whole one, until the text has come to rest; windows that came share theirs."""
        done: tuple[int, str, bool] | None = None
        while True:
            version, tab = session.document.version, session.tab
            entered = self._entered.pop(id(session), set())
            fresh = done is None or done[:2] != (version, tab)
            brief = fresh or bool(entered)
            if not brief and done is not None and not done[2]:
                return
            message = await run_in_thread(self.solver, session.solve, session.document.text, version, brief)
            done = (version, tab, brief)
            if (session.document.version, session.tab) == (version, tab):
                for client in [one for one in self.clients if one.session is session]:
                    if fresh or not brief or client in entered:
                        await client.send(message)


async def run_in_thread(pool: ThreadPoolExecutor, function: Callable[..., Any], *args: Any) -> Any:
    """The result of a function that runs in a thread of a pool."""
    return await asyncio.get_running_loop().run_in_executor(pool, function, *args)
