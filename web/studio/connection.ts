// The transport: a WebSocket to the server that served this page, or the notebook whose cell this page is in. It reconnects
// by itself; nothing else knows of sockets.
import type { Message, Request } from "./messages";

const AGAIN = [200, 500, 1000, 2000]; // milliseconds before another attempt
const IN_CELL = location.protocol === "about:"; // the page is the content of a frame, not of an address

export class Connection {
  private socket: WebSocket | null = null;
  private attempts = 0;
  private listeners: ((message: Message) => void)[] = [];

  // `opened` is called at every connection, `lost` when it breaks.
  constructor(
    private opened: () => void,
    private lost: () => void,
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
      this.lost();
      setTimeout(() => this.connect(), AGAIN[Math.min(this.attempts++, AGAIN.length - 1)]);
    });
  }
}

// Requests of which only the newest counts: one is under way, the last one waits, those between are dropped.
export class Lane {
  private busy = false;
  private next: Request | null = null;

  constructor(private connection: Connection) {}

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
