// The transport: a WebSocket to the server that served this page, or the notebook whose cell this page is in. It reconnects
// by itself; nothing else knows of sockets.
import type { Message, Request } from "./messages";

const AGAIN = [200, 500, 1000, 2000]; // milliseconds before another attempt
const IN_CELL = location.protocol === "about:"; // the page is the content of a frame, not of an address
// Why there is no connection: it broke just now; nothing listens at this address any more; or a server does that does not
// know the token of this page.
const KEPT = "Every gesture that was finished is in the file.";
const LOST = {
  broken: "The server does not answer: this page connects again by itself. Nothing is lost.",
  stopped: `The server has stopped. Start "mubo studio" again and open the new address that it prints. ${KEPT}`,
  another: `The server was started anew and does not know this page: open the address that it printed. ${KEPT}`,
};

export class Connection {
  private socket: WebSocket | null = null;
  private attempts = 0;
  private listeners: ((message: Message) => void)[] = [];
  readonly broken: (() => void)[] = []; // what is done where a connection breaks: no answer will come

  // `opened` is called at every connection; `lost` with a sentence when it breaks, and while it cannot be made again.
  constructor(
    private opened: () => void,
    private lost: (words: string) => void,
  ) {
    if (IN_CELL) this.listenToCell();
    else this.connect();
  }

  listen(listener: (message: Message) => void): void {
    this.listeners.push(listener);
  }

  get open(): boolean {
    return IN_CELL || this.socket?.readyState === WebSocket.OPEN;
  }

  send(request: Request): boolean {
    if (!this.open) return false;
    if (IN_CELL) window.parent.postMessage({ mubo: JSON.stringify(request) }, "*");
    else this.socket!.send(JSON.stringify(request));
    return true;
  }

  private receive(text: string): void {
    const message = JSON.parse(text) as Message;
    for (const listener of this.listeners) listener(message);
  }

  // The cell of a notebook hands messages over as text.
  private listenToCell(): void {
    window.addEventListener("message", ({ data, source }) => {
      if (source === window.parent && typeof data?.mubo === "string") this.receive(data.mubo);
    });
    setTimeout(() => {
      window.parent.postMessage({ mubo: '{"do": "files"}' }, "*");
      this.opened();
    });
  }

  private connect(): void {
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}${location.pathname}socket`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.attempts = 0;
      this.opened();
    });
    socket.addEventListener("message", (event) => this.receive(event.data as string));
    socket.addEventListener("close", () => {
      for (const act of this.broken) act();
      if (this.attempts < AGAIN.length) this.lost(LOST.broken);
      else void this.ask();
      setTimeout(() => this.connect(), AGAIN[Math.min(this.attempts++, AGAIN.length - 1)]);
    });
  }

  // Whether nothing answers at this address, or a server that refuses the token of this page.
  private async ask(): Promise<void> {
    const answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (!this.open) this.lost(LOST[answer?.status === 403 ? "another" : answer ? "broken" : "stopped"]);
  }
}

// Requests of which only the newest counts: one is under way, the last one waits, those between are dropped.
export class Lane {
  private busy = false;
  private next: Request | null = null;

  constructor(private connection: Connection) {
    connection.broken.push(() => ([this.busy, this.next] = [false, null]));
  }

  ask(request: Request): void {
    if (this.busy) this.next = request;
    else this.busy = this.connection.send(request);
  }

  // The answer of the one under way has come.
  answered(): void {
    this.busy = false;
    const { next } = this;
    this.next = null;
    if (next) this.ask(next);
  }

  get waiting(): boolean {
    return this.busy || this.next !== null;
  }
}
