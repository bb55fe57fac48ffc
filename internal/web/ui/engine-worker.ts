// The worker of a page that has no server: it unpacks the engine, starts it, and answers {id, body} to {id, op, body}, after {ready: true}
// once, or {failed: why}.

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
  const r = await fetch("engine.bin");
  if (!r.ok) throw new Error(`engine.bin: ${r.status} ${r.statusText}`);
  const packed = new Uint8Array(await r.arrayBuffer());
  const store = await open();
  const key = "engine-" + Array.from(packed.subarray(11, 19), (b) => b.toString(16).padStart(2, "0")).join(""); // length and checksum
  const old = await store?.match(key);
  if (old) return WebAssembly.compile(await old.arrayBuffer());
  const module = unpack(packed);
  void keep(store, key, module);
  return WebAssembly.compile(module);
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

async function start(): Promise<void> {
  self.importScripts("wasm_exec.js");
  const go = new self.Go();
  const instance = await WebAssembly.instantiate(await engine(), go.importObject);
  void go.run(instance);
  self.onmessage = ({ data: { id, op, body } }) => self.postMessage({ id, body: self.girihDo(op, body) });
  self.postMessage({ ready: true });
}

start().catch((e: unknown) => self.postMessage({ failed: e instanceof Error ? e.message : String(e) }));
