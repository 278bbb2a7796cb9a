"""The transport of the studio: an HTTP server on the loopback interface with one WebSocket a window.

Motions under a hand, solutions and thumbnails run in threads of their own: while one runs, only the newest
request of its kind waits. `guard` refuses strangers, `session` knows what requests mean.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from mubo.errors import MuboError
from mubo.studio.exports import EXPORTS, export_file, thumbnail_data
from mubo.studio.folder import Folder
from mubo.studio.guard import HEADERS, Guard, refuse
from mubo.studio.protocol import MOST_BYTES, Refused, read_message, refusal
from mubo.studio.session import Session

ASSETS = {"studio.js": "text/javascript", "studio.css": "text/css"}
LOOK = 0.4  # seconds between two looks at the files
MOST_CLIENTS = 200


@dataclass(eq=False)
class Client:
    """A window: its socket, the model that it shows, and the newest request of each kind that waits."""

    socket: WebSocket
    session: Session | None = None
    waiting: dict[str, Any] = field(default_factory=dict)
    busy: set[str] = field(default_factory=set)

    async def send(self, message: dict[str, Any]) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):  # a window that was closed meanwhile
            await self.socket.send_text(json.dumps(message, separators=(",", ":"), ensure_ascii=False))


class Server:
    """The studio of one folder."""

    def __init__(self, folder: Folder, port: int, first: str = "") -> None:
        self.folder, self.port, self.first = folder, port, first
        self.token = secrets.token_urlsafe(24)
        self.clients: set[Client] = set()
        self._hand = ThreadPoolExecutor(1, "studio-hand")
        self._solver = ThreadPoolExecutor(1, "studio-solver")
        self._gallery = ThreadPoolExecutor(1, "studio-gallery")
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._thumbnails: dict[str, str] = {}
        self._edits = asyncio.Lock()
        inner = Starlette(
            routes=[
                Route("/{token}/", self._page),
                Route("/{token}/assets/{name}", self._asset),
                Route("/{token}/thumbnail/{name}", self._thumbnail),
                Route("/{token}/export/{name}", self._export),
                WebSocketRoute("/{token}/socket", self._socket),
            ],
            lifespan=self._lifespan,
        )
        self.app: Callable[..., Awaitable[None]] = Guard(inner, port, self.token)

    @property
    def address(self) -> str:
        """The address of the page, with the token."""
        return f"http://127.0.0.1:{self.port}/{self.token}/"

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> Any:
        watch = asyncio.create_task(self._watch())
        yield
        watch.cancel()
        for pool in (self._hand, self._solver, self._gallery):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _watch(self) -> None:
        """Takes over what other editors write."""
        while True:
            await asyncio.sleep(LOOK)
            for session in {id(one.session): one.session for one in self.clients if one.session}.values():
                async with self._edits:
                    changed = session.document.look()
                if changed:
                    await self._show(session)

    # --- pages -----------------------------------------------------------------------------------------------------

    async def _page(self, request: Request) -> Response:
        text = (files("mubo.studio") / "page.html").read_text(encoding="utf-8")
        return Response(text, media_type="text/html", headers=HEADERS)

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            return refuse(404)
        try:
            data = (files("mubo.view.report") / "assets" / name).read_bytes()
        except FileNotFoundError:
            return PlainTextResponse("the script of the studio was not built when mubo was installed", 500)
        return Response(data, media_type=ASSETS[name], headers=HEADERS)

    async def _thumbnail(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self.folder.examples:
            return refuse(404)
        if name not in self._thumbnails:
            path = self.folder.examples[name].path
            self._thumbnails[name] = await self._in(self._gallery, thumbnail_data, path)
        return Response(self._thumbnails[name], media_type="application/json", headers=HEADERS)

    async def _export(self, request: Request) -> Response:
        """A file of an open model: its report, or its table."""
        name, kind = request.path_params["name"], request.query_params.get("kind", "")
        if kind not in EXPORTS:
            return refuse(404)
        try:
            session = self.folder.open(name)
            data = await self._in(self._solver, export_file, session, kind)
        except (MuboError, Refused) as error:
            return PlainTextResponse(str(error), 409, headers=HEADERS)
        target = f"{Path(name).stem}{EXPORTS[kind]}"
        return Response(data, headers={**HEADERS, "Content-Disposition": f'attachment; filename="{target}"'})

    # --- windows ---------------------------------------------------------------------------------------------------

    async def _socket(self, socket: WebSocket) -> None:
        if len(self.clients) >= MOST_CLIENTS:
            await socket.close(1013)
            return
        await socket.accept()
        client = Client(socket)
        self.clients.add(client)
        try:
            await client.send(self.folder.listing(self.first))
            while True:
                data = await socket.receive_text()
                await self._receive(client, data)
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass  # the window was closed, or sent bytes where text is due
        finally:
            self.clients.discard(client)

    async def _receive(self, client: Client, data: str) -> None:
        try:
            message = read_message(data)
            await self._handle(client, message)
        except (MuboError, Refused, OSError) as error:
            await client.send(refusal(error))

    async def _handle(self, client: Client, message: dict[str, Any]) -> None:
        name = message["do"]
        if name in ("open", "example", "new"):
            await self._open(client, message)
        elif name == "files":
            await client.send(self.folder.listing(self.first))
        elif name == "gallery":
            entries = [vars(one) for one in self.folder.examples.values()]
            shown = [{key: one[key] for key in ("name", "description", "theme")} for one in entries]
            await client.send({"is": "gallery", "examples": shown})
        elif client.session is None:
            raise Refused("open a model first")
        elif name in ("drag", "slide", "rest", "modes"):
            client.waiting[name] = message
            asyncio.get_running_loop().create_task(self._lane(client, name))
        else:
            await self._act(client, client.session, message)

    async def _open(self, client: Client, message: dict[str, Any]) -> None:
        if message["do"] == "example":
            file = self.folder.copy_example(message["name"])
        else:
            file = self.folder.new(message["name"]) if message["do"] == "new" else message["file"]
        client.session = self.folder.open(file)
        client.session.document.look()
        await client.send(self.folder.listing(self.first))
        await client.send(client.session.state())
        await self._solve(client.session, only=client)

    async def _act(self, client: Client, session: Session, message: dict[str, Any]) -> None:
        async with self._edits:
            try:
                changed = await self._in(self._hand, session.act, message)
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
            return await self._in(self._hand, session.move, message)
        if name == "modes":
            return await self._in(self._solver, session.modes)
        text = session.tried(message["gesture"]) if name == "rest" else session.set_value(message)
        if text is None:
            return {"is": "nothing"}
        return await self._in(self._solver, session.solve, text, session.document.version, True)

    async def _show(self, session: Session) -> None:
        """The state to every window of a model, and soon its answer."""
        for client in [one for one in self.clients if one.session is session]:
            await client.send(session.state())
        await self._solve(session)

    async def _solve(self, session: Session, only: Client | None = None) -> None:
        task = self._tasks.get(id(session))
        if task is not None and not task.done() and only is None:
            return  # it looks at the newest text by itself
        self._tasks[id(session)] = asyncio.get_running_loop().create_task(self._answers(session))

    async def _answers(self, session: Session) -> None:
        """A brief answer, then the whole one, until the text has come to rest."""
        done: tuple[int, str, bool] | None = None
        while True:
            version, tab = session.document.version, session.tab
            brief = done is None or done[:2] != (version, tab)
            if not brief and done is not None and not done[2]:
                return
            message = await self._in(self._solver, session.solve, session.document.text, version, brief)
            done = (version, tab, brief)
            if (session.document.version, session.tab) == (version, tab):
                for client in [one for one in self.clients if one.session is session]:
                    await client.send(message)

    async def _in(self, pool: ThreadPoolExecutor, function: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(pool, function, *args)


def bound_socket(port: int) -> socket.socket:
    """A socket on the loopback interface; port 0 takes a free one."""
    # the protocol is named, for only then does asyncio send small messages without delay
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
    except OSError as error:
        bound.close()
        raise MuboError(
            f"cannot listen on port {port}: {error.strerror}", suggestion="Leave --port out: a free one is taken."
        ) from None
    return bound


def serve(folder: Folder, port: int, first: str, ready: Callable[[str], None]) -> None:
    """Serves a folder until interrupted; `ready` is called with the address once it listens."""
    bound = bound_socket(port)
    server = Server(folder, bound.getsockname()[1], first)
    config = uvicorn.Config(
        server.app,
        log_level="error",
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    runner = uvicorn.Server(config)

    async def run() -> None:
        task = asyncio.create_task(runner.serve(sockets=[bound]))
        while not runner.started and not task.done():
            await asyncio.sleep(0.01)
        if runner.started:
            ready(server.address)
        await task

    asyncio.run(run())
