/** The page's end of the server in the page: requests and sockets as everywhere, which go to a worker instead of a network. */
import type { Ways } from "../here.svelte.ts";
import type { FromServer, ToServer } from "./messages.ts";

const REFUSED = 1008; // as a server closes a line that leads nowhere

/** Start Python in a worker, and answer with the ways to it. What is asked before it is there waits. */
export function openServer(note: (state: "ready" | "failed") => void): Ways {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "server" });
  const answers = new Map<number, { done: (answer: Response) => void; fail: (error: Error) => void }>();
  let hasFailed = false;
  const lines = new Map<number, Line>();
  const said = (message: ToServer) => worker.postMessage(message);
  let count = 0;

  worker.onmessage = ({ data }: MessageEvent<FromServer>) => {
    if (data.kind === "ready") note("ready");
    else if (data.kind === "failed") failed();
    else if (data.kind === "answer") {
      answers.get(data.number)?.done(new Response(data.body, { status: data.status }));
      answers.delete(data.number);
    } else if (data.kind === "frame") lines.get(data.number)?.hear(data.text);
    else lines.get(data.number)?.shut(REFUSED, data.text);
  };
  worker.onerror = () => failed();
  said({ kind: "start", build: "here" });
  document.documentElement.dataset["alone"] = "yes"; // what needs a server hides by it
  addEventListener("click", (event) => void saved(event, ways.fetch), { capture: true });

  const ways: Ways = {
    async fetch(path, init) {
      if (hasFailed) throw new TypeError("there is no server");
      const number = ++count;
      const body = init.body instanceof Blob ? await init.body.text() : String(init.body ?? "");
      const answer = new Promise<Response>((done, fail) => answers.set(number, { done, fail }));
      said({ kind: "ask", number, method: init.method ?? "GET", path, body });
      return answer;
    },
    socket(address) {
      const number = ++count;
      const line = new Line((message) => said({ ...message, number }), () => lines.delete(number));
      lines.set(number, line);
      const { pathname, search } = new URL(address);
      said({ kind: "open", number, address: pathname + search });
      return line as unknown as WebSocket; // all of it that a table needs
    },
  };
  return ways;

  function failed(): void {
    hasFailed = true;
    for (const { fail } of answers.values()) fail(new TypeError("there is no server"));
    note("failed");
  }
}

/** A link to a file of the server, such as a record: there is no address to fetch it from, so the page makes the file. */
async function saved(event: MouseEvent, ask: Ways["fetch"]): Promise<void> {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.download || !link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  const file = document.createElement("a");
  file.download = link.download;
  file.href = URL.createObjectURL(await (await ask(link.pathname + link.search, { method: "GET" })).blob());
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 10_000);
}

type Said = { kind: "say"; raw: string } | { kind: "close" };

/** A socket, as far as a table knows one. It is open at once: what is said waits for the server. */
class Line {
  readyState: number = WebSocket.OPEN;
  binaryType = "";
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  #say: (said: Said) => void;
  #forget: () => void;

  constructor(say: (said: Said) => void, forget: () => void) {
    this.#say = say;
    this.#forget = forget;
    queueMicrotask(() => this.onopen?.());
  }

  send(raw: string): void {
    if (this.readyState === WebSocket.OPEN) this.#say({ kind: "say", raw });
  }

  hear(data: string): void {
    if (this.readyState === WebSocket.OPEN) this.onmessage?.({ data });
  }

  close(): void {
    this.readyState = WebSocket.CLOSED;
    this.#forget();
    this.#say({ kind: "close" });
  }

  shut(code: number, reason: string): void {
    this.readyState = WebSocket.CLOSED;
    this.#forget();
    this.onclose?.({ code, reason });
  }
}
