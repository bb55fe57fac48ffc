// The engine: the operations of the service by name, over HTTP or in a WebAssembly worker. Every call of the page
// uses call.

import { parseExact } from "./json";
import type { Transport } from "./local";
import { local, stop, Stopped } from "./local";
import { become } from "./status";

/** An error as reported by the service. */
export interface Fault {
  code: string;
  message: string;
  hint?: string;
  witness?: { coord: string; index: number; value: string; want: string; other?: string };
}

/** An operation and a request for it. */
export type Ask = [op: string, request: object];

// The interval, in milliseconds, for retrying a server that does not answer.
const patience = 1000;

// A restarted server answers as before, so requests wait for it.
const http: Transport = async (op, body) => {
  for (;;) {
    try {
      const r = await fetch("api/" + op, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      const text = await r.text();
      become("server", { kind: "ready" });
      return text;
    } catch (e) {
      if (!(e instanceof TypeError)) throw e; // fetch's error without a connection
      become("server", { kind: "failed", what: "no answer", why: "the girih serve behind this page has ended, or cannot be reached", hint: "start it again: the page goes on by itself" });
      await new Promise((done) => setTimeout(done, patience));
    }
  }
};

const kind = document.querySelector<HTMLMetaElement>('meta[name="girih-engine"]')?.content;
const transport = kind === "wasm" ? local : http;

// Answers never change, so the last ones are cached, as promises and as results.
const kept = new Map<string, Promise<unknown>>();
const come = new Map<string, unknown>();
const maxKept = 200;
const longestKept = 1 << 16; // characters of a request

/** Performs an operation of the service. It also resolves if the service refuses: then ok is false, and error says why. */
export function call<R>(op: string, request: object): Promise<R> {
  const body = JSON.stringify(request);
  const key = op + " " + body;
  const old = kept.get(key);
  if (old) return old as Promise<R>;
  const answer = transport(op, body)
    .then((text) => {
      const r = parseExact(text) as R;
      if (kept.has(key)) come.set(key, r);
      return r;
    })
    .catch((e: unknown) => {
      kept.delete(key);
      if (e instanceof Stopped) return { ok: false, error: { code: "stopped", message: e.message, hint: "reload the page to run it again, or choose smaller sizes" } } as R;
      const message = "the engine does not answer: " + (e instanceof Error ? e.message : String(e));
      return { ok: false, error: { code: "engine", message } } as R;
    });
  if (key.length > longestKept) return answer;
  kept.set(key, answer);
  if (kept.size > maxKept) {
    const oldest = kept.keys().next().value!;
    kept.delete(oldest);
    come.delete(oldest);
  }
  return answer;
}

/** Sends a request whose answer does not matter, such as one that prepares another. */
export function tell(op: string, request: object): void {
  transport(op, JSON.stringify(request)).catch(() => {});
}

/** Ends a run whose answer nobody waits for any more. A server finishes its runs. */
export function drop(op: string, request: object): void {
  stop(op, JSON.stringify(request));
}

/** The answer of an operation, if it is already there. */
export function answered<R>(op: string, request: object): R | undefined {
  return come.get(op + " " + JSON.stringify(request)) as R | undefined;
}
