/** What the page and the worker say to each other: requests with answers, and lines to tables with frames. */

export type ToServer =
  | { kind: "start"; build: string }
  | { kind: "ask"; number: number; method: string; path: string; body: string }
  | { kind: "open"; number: number; address: string }
  | { kind: "say"; number: number; raw: string }
  | { kind: "close"; number: number };

export type FromServer =
  | { kind: "ready" }
  | { kind: "failed" }
  | { kind: "answer"; number: number; status: number; body: Uint8Array<ArrayBuffer> }
  | { kind: "frame"; number: number; text: string }
  | { kind: "closed"; number: number; text: string };
