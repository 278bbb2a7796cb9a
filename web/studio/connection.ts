// The transport: a WebSocket to the server that served this page. It reconnects by itself; nothing else knows of sockets.
import type { Message, Request } from "./messages";

const AGAIN = [200, 500, 1000, 2000]; // milliseconds before another attempt

export class Connection {
  private socket: WebSocket | null = null;
  private attempts = 0;
  private listeners: ((message: Message) => void)[] = [];

  // `opened` is called at every connection, `lost` when it breaks.
  constructor(
    private opened: () => void,
    private lost: () => void,
  ) {
    this.connect();
  }

  listen(listener: (message: Message) => void): void {
    this.listeners.push(listener);
  }

  get open(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(request: Request): boolean {
    if (!this.open) return false;
    this.socket!.send(JSON.stringify(request));
    return true;
  }

  private connect(): void {
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}${location.pathname}socket`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.attempts = 0;
      this.opened();
    });
    socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data as string) as Message;
      for (const listener of this.listeners) listener(message);
    });
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
