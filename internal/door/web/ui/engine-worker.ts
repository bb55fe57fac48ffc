// The worker of a page that has no server: it downloads and unpacks the engine, saying {work} now and then, starts it, and answers
// {id, body} to {id, op, body}, after {ready: true} once, or {failed: why}.

import { unpack } from "./unpack";

// What wasm_exec.js of the Go distribution and cmd/girih-wasm define, and the worker's own functions.
interface GoProgram {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}
declare const self: {
  importScripts(url: string): void;
  postMessage(message: unknown): void;
  onmessage: (e: MessageEvent<{ id: number; op: string; body: string }>) => void;
  Go: new () => GoProgram;
  girihDo: (op: string, body: string) => string;
};

/** Compiles the engine. What is unpacked is kept where the browser allows it, so that only the first visit unpacks. */
async function engine(): Promise<WebAssembly.Module> {
  const packed = await download();
  const store = await open();
  const key = "engine-" + Array.from(packed.subarray(11, 19), (b) => b.toString(16).padStart(2, "0")).join(""); // length and checksum
  const old = await store?.match(key);
  if (old) return WebAssembly.compile(await old.arrayBuffer());
  let said = 0;
  const module = unpack(packed, (part) => {
    if (part - said < 0.01) return;
    said = part;
    self.postMessage({ work: { stage: "unpack", part } });
  });
  void keep(store, key, module);
  self.postMessage({ work: { stage: "start" } });
  return WebAssembly.compile(module);
}

/** The packed engine. */
async function download(): Promise<Uint8Array> {
  let r: Response;
  try {
    r = await fetch("engine.bin");
  } catch (e) {
    throw new Error("engine.bin did not arrive: " + (e instanceof Error ? e.message : String(e)));
  }
  if (!r.ok) throw new Error(`engine.bin is missing: the file server says ${r.status} ${r.statusText}`.trim());
  if (!r.body) return new Uint8Array(await r.arrayBuffer());
  // A length of what was compressed on the way says nothing of what comes out.
  const total = r.headers.get("Content-Encoding") ? undefined : Number(r.headers.get("Content-Length")) || undefined;
  const pieces: Uint8Array[] = [];
  let done = 0;
  let said = 0;
  const reader = r.body.getReader();
  for (;;) {
    const piece = await reader.read().catch(() => {
      throw new Error(`engine.bin broke off after ${done} bytes`);
    });
    if (piece.done) break;
    pieces.push(piece.value);
    done += piece.value.length;
    if (done - said < 20_000) continue;
    said = done;
    self.postMessage({ work: { stage: "download", done, total } });
  }
  const all = new Uint8Array(done);
  let at = 0;
  for (const p of pieces) {
    all.set(p, at);
    at += p.length;
  }
  return all;
}

async function open(): Promise<Cache | undefined> {
  try {
    return await caches.open("girih");
  } catch {
    return undefined; // not over plain http, nor where the user forbids it
  }
}

async function keep(store: Cache | undefined, key: string, module: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    for (const k of (await store?.keys()) ?? []) await store?.delete(k);
    await store?.put(key, new Response(module));
  } catch {
    // there is no room: the next visit unpacks again
  }
}

/** Starts the engine, anew if there was one before. */
async function run(module: WebAssembly.Module): Promise<void> {
  const go = new self.Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  void go.run(instance).catch(() => {}); // do says what happened
}

// Requests are answered in their order, also while the engine starts anew.
let turn: Promise<void> = Promise.resolve();

/** Answers a request. An engine that breaks, out of stack or memory, is replaced: requests do not depend on each other. */
async function answer(module: WebAssembly.Module, id: number, op: string, body: string): Promise<void> {
  try {
    const text: unknown = self.girihDo(op, body);
    if (typeof text !== "string") throw new Error("the engine has stopped");
    self.postMessage({ id, body: text });
  } catch (e) {
    const why = e instanceof RangeError ? "it nests deeper than the browser allows" : "it needs more memory than there is";
    const error = { code: "limit", message: "the evaluation broke off: " + why, hint: "girih serve and the command line allow more" };
    self.postMessage({ id, body: JSON.stringify({ ok: false, error }) });
    await run(module);
  }
}

async function start(): Promise<void> {
  try {
    self.importScripts("wasm_exec.js");
  } catch {
    throw new Error("wasm_exec.js is missing or does not run");
  }
  const module = await engine();
  await run(module);
  self.onmessage = ({ data: { id, op, body } }) => {
    turn = turn.then(() => answer(module, id, op, body));
  };
  self.postMessage({ ready: true });
}

start().catch((e: unknown) => self.postMessage({ failed: e instanceof Error ? e.message : String(e) }));
