// The engine: the operations of the service, by name, over HTTP or in a WebAssembly worker. All of the page goes through call.

/** What went wrong, as the service says it. */
export interface Fault {
  code: string;
  message: string;
  hint?: string;
  witness?: { coord: string; index: number; value: string; want: string; other?: string };
}

type Transport = (op: string, body: string) => Promise<string>;

const http: Transport = async (op, body) => {
  const r = await fetch("api/" + op, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  return r.text();
};

// A worker that runs the engine answers {id, body} to {id, op, body}, after {ready: true} once, or {failed: why}.
function wasm(): Transport {
  const worker = new Worker("engine-worker.js");
  const waiting = new Map<number, (body: string) => void>();
  let next = 0;
  let started: () => void = () => {};
  let failed: (e: Error) => void = () => {};
  const ready = new Promise<void>((done, fail) => ([started, failed] = [done, fail]));
  ready.catch(() => {}); // whoever waits hears of it
  worker.onerror = () => failed(new Error("engine-worker.js does not start"));
  worker.onmessage = (e: MessageEvent<{ ready?: boolean; failed?: string; id: number; body: string }>) => {
    if (e.data.ready) return started();
    if (e.data.failed !== undefined) return failed(new Error(e.data.failed));
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

// Answers do not change, so the last ones are kept.
const kept = new Map<string, Promise<unknown>>();
const maxKept = 200;

/** Carries out an operation of the service. It resolves also where the service refuses: then ok is false and error says why. */
export function call<R>(op: string, request: object): Promise<R> {
  const body = JSON.stringify(request);
  const key = op + " " + body;
  const old = kept.get(key);
  if (old) return old as Promise<R>;
  const answer = transport(op, body)
    .then((text) => JSON.parse(text) as R)
    .catch((e: unknown) => {
      kept.delete(key);
      const message = "the engine does not answer: " + (e instanceof Error ? e.message : String(e));
      return { ok: false, error: { code: "engine", message } } as R;
    });
  kept.set(key, answer);
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
  return answer;
}
