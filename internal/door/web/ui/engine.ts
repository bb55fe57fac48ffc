// The engine: the operations of the service by name, over HTTP or in a WebAssembly worker. Every call of the page
// uses call.

import { parseExact } from "./json";

/** An error as reported by the service. */
export interface Fault {
  code: string;
  message: string;
  hint?: string;
  witness?: { coord: string; index: number; value: string; want: string; other?: string };
}

/** An operation and a request for it. */
export type Ask = [op: string, request: object];

type Transport = (op: string, body: string) => Promise<string>;

// The interval, in milliseconds, for retrying a server that does not answer.
const patience = 1000;

// A restarted server answers as before, so requests wait for it.
const http: Transport = async (op, body) => {
  for (;;) {
    try {
      const r = await fetch("api/" + op, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      const text = await r.text();
      if (state.kind !== "ready") become({ kind: "ready" });
      return text;
    } catch (e) {
      if (!(e instanceof TypeError)) throw e; // fetch's error without a connection
      become({ kind: "failed", what: "no answer", why: "the girih serve behind this page has ended, or cannot be reached", hint: "start it again: the page goes on by itself" });
      await new Promise((done) => setTimeout(done, patience));
    }
  }
};

/** The progress of the engine. An engine behind HTTP is ready while its server answers. */
export type EngineState =
  | { kind: "ready" }
  | { kind: "loading"; says: string; fraction?: number } // the fraction of all work, if known
  | { kind: "failed"; what: string; why: string; hint: string };

let state: EngineState = { kind: "ready" };
const watchers = new Set<(s: EngineState) => void>();

export function engineState(): EngineState {
  return state;
}

/** Calls f with each new state until the returned function is called. */
export function watchEngine(f: (s: EngineState) => void): () => void {
  watchers.add(f);
  f(state);
  return () => void watchers.delete(f);
}

function become(s: EngineState): void {
  state = s;
  watchers.forEach((f) => f(s));
}

// The progress of the worker: bytes received, and their total if known.
type Work = { stage: "download"; done: number; total?: number } | { stage: "start" };

function loading(w: Work): EngineState {
  if (w.stage === "start") return { kind: "loading", says: "starting", fraction: 1 };
  const mb = (n: number) => (n / 1e6).toFixed(1);
  const says = w.total ? `downloading: ${mb(w.done)} of ${mb(w.total)} MB` : `downloading: ${mb(w.done)} MB`;
  return { kind: "loading", says, fraction: w.total ? Math.min(w.done / w.total, 1) : undefined };
}

// A page without a server has two engines, since a first visit waits for one. The first has these operations, and answers
// what needs more with this code; the second has everything, and is loaded then.
const firstOps = ["complete", "eval", "grid", "inspect", "link", "tokens", "version"];
const needsLarger = '"code":"larger_engine"';

// How long the larger engine waits for another request of the same kind, in milliseconds: a half written expression is
// mostly an error, whose text it would have to write.
const pause = 600;

let before: Promise<void> = Promise.resolve();

/** Loads no engine of the page's own before something else is done. */
export function waitFor(other: Promise<void>): void {
  before = other;
  become({ kind: "loading", says: "", fraction: 0 });
}

function wasm(): Transport {
  let first: Transport | undefined;
  let larger: Transport | undefined;
  let broken: unknown; // why the first engine does not start: the larger one cannot replace it
  const newest = new Map<string, string>();
  return async (op, body) => {
    newest.set(op, body);
    await before;
    if (!larger && firstOps.includes(op)) {
      const text = await (first ??= load("engine"))(op, body).catch((e: unknown) => {
        broken = e;
        throw e;
      });
      if (!text.includes(needsLarger)) return text;
      if (!larger) await new Promise((done) => setTimeout(done, pause));
      if (!larger && newest.get(op) !== body) throw new Error("another request came");
    }
    // The first engine comes first: its failure is the one to show.
    if (!larger) await (first ??= load("engine"))("version", "{}").catch((e: unknown) => (broken = e));
    if (broken) throw broken;
    try {
      return await (larger ??= load("programs"))(op, body);
    } catch (e) {
      larger = undefined; // the next request tries again
      become({ kind: "ready" });
      throw e;
    }
  };
}

// Starts a worker with an engine. The worker sends {ready: true} or {failed: why} once, and then answers {id, op, body}
// with {id, body}. Before that it sends {work}.
const sizes = new Map(document.querySelector<HTMLMetaElement>('meta[name="girih-sizes"]')?.content.split(",").map((x) => x.trim().split(" ") as [string, string]));

function load(engine: string): Transport {
  const waiting = new Map<number, (body: string) => void>();
  let next = 0;
  let started: () => void = () => {};
  let refuse: (e: Error) => void = () => {};
  const ready = new Promise<void>((done, fail) => ([started, refuse] = [done, fail]));
  ready.catch(() => {}); // the functions that wait for it report the error
  const failed = (why: string, hint = "the folder has to have all files that girih serve --static wrote: write it again, or reload the page") => {
    become({ kind: "failed", what: "the engine does not start", why, hint });
    refuse(new Error(why));
  };
  become({ kind: "loading", says: "", fraction: 0 });
  let worker: Worker;
  try {
    if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly, or is told not to use it");
    worker = new Worker("engine-worker.js", { name: engine + " " + (sizes.get(engine) ?? "") });
  } catch (e) {
    failed(e instanceof Error ? e.message : String(e), "girih serve has the engine in the server and needs none in the browser");
    return async () => (await ready, "");
  }
  worker.onerror = (e) => {
    if (state.kind === "loading") failed("engine-worker.js is missing or does not run" + (e.message ? ": " + e.message : ""));
  };
  worker.onmessage = (e: MessageEvent<{ ready?: boolean; failed?: string; work?: Work; id: number; body: string }>) => {
    if (e.data.work) return become(loading(e.data.work));
    if (e.data.ready) {
      become({ kind: "ready" });
      return started();
    }
    if (e.data.failed !== undefined) return failed(e.data.failed);
    waiting.get(e.data.id)?.(e.data.body);
    waiting.delete(e.data.id);
  };
  return async (op, body) => {
    await ready;
    return new Promise((done) => {
      waiting.set(++next, done);
      worker.postMessage({ id: next, op, body });
    });
  };
}

const kind = document.querySelector<HTMLMetaElement>('meta[name="girih-engine"]')?.content;
const transport = kind === "wasm" ? wasm() : http;

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

/** The answer of an operation, if it is already there. */
export function answered<R>(op: string, request: object): R | undefined {
  return come.get(op + " " + JSON.stringify(request)) as R | undefined;
}
