// The engines of a page without a server: WebAssembly modules, each in a worker of its own.

import type { Begun } from "./begun";
import type { Said } from "./said";
import { become } from "./status";

export type Transport = (op: string, body: string) => Promise<string>;

// A first visit waits for one engine. It has these operations, and answers what needs more with this code; then the
// second engine is loaded, which has everything but the simulator. The third runs kernels. Only a site has it: on other
// pages the first engine says that it is missing.
const firstOps = ["complete", "eval", "grid", "inspect", "link", "tokens", "version"];
const runOps = ["follow", "kernel", "sim"];
const needsLarger = '"code":"larger_engine"';

// The engines, with the sizes of their modules in bytes: browsers that unpack a file do not say how long it is.
const sizes = new Map(document.querySelector<HTMLMetaElement>('meta[name="girih-sizes"]')?.content.split(",").map((x) => x.trim().split(" ") as [string, string]));

// How long the larger engine waits for another request of the same kind, in milliseconds: a half written expression is
// mostly an error, whose text it would have to write.
const pause = 600;

let before: Promise<void> = Promise.resolve();

/** Loads no engine before something else is done. */
export function waitFor(other: Promise<void>): void {
  before = other;
  become("engine", { kind: "loading", says: "", fraction: 0 });
}

let first: Engine | undefined;
const larger = new Map<string, Engine>();
const newest = new Map<string, string>();

/** Asks the smallest engine that has the operation. */
export const local: Transport = async (op, body) => {
  newest.set(op, body);
  await before;
  if (runOps.includes(op) && sizes.has("kernels")) return askLarger("kernels", op, body);
  if (!larger.has("programs") && firstOps.includes(op)) {
    const text = await (first ??= new Engine("engine")).ask(op, body);
    if (!text.includes(needsLarger)) return text;
    if (!larger.has("programs")) await new Promise((done) => setTimeout(done, pause));
    if (!larger.has("programs") && newest.get(op) !== body) throw new Error("another request came");
  }
  // The first engine comes first: its failure is the one to show.
  if (!larger.has("programs")) await (first ??= new Engine("engine")).ask("version", "{}");
  else if (first?.broken) throw first.broken;
  return askLarger("programs", op, body);
};

async function askLarger(name: string, op: string, body: string): Promise<string> {
  const engine = larger.get(name) ?? new Engine(name);
  larger.set(name, engine);
  try {
    return await engine.ask(op, body);
  } catch (e) {
    if (engine.broken && larger.get(name) === engine) {
      larger.delete(name); // the next request tries again
      become(name, { kind: "ready" });
    }
    throw e;
  }
}

/** Ends a run whose answer nobody waits for any more. */
export function stop(op: string, body: string): void {
  larger.get("kernels")?.stop((w) => w.op === op && w.body === body);
}

/** The error of a request that was stopped. */
export class Stopped extends Error {
  constructor() {
    super("the run was stopped");
  }
}

interface Waiting {
  op: string;
  body: string;
  done: (text: string) => void;
  fail: (e: Error) => void;
}

/** The worker that the first script has started, if it is of this engine. */
function taken(name: string): Begun | undefined {
  const page = window as { girihBegun?: Begun };
  const begun = page.girihBegun;
  if (begun?.name !== name) return undefined;
  page.girihBegun = undefined;
  return begun;
}

/** An engine. Requests wait until it is ready. */
class Engine {
  broken: Error | undefined; // why it does not start
  private worker: Worker | undefined;
  private module: WebAssembly.Module | undefined;
  private ready = false;
  private readonly waiting: Waiting[] = []; // the first were sent to the worker
  private sent = 0;
  // A run takes seconds. So the worker that runs kernels gets one request at a time, and a request can be stopped.
  private readonly most: number;

  constructor(private readonly name: string) {
    this.most = name === "kernels" ? 1 : Infinity;
    become(name, { kind: "loading", says: "", fraction: 0 });
    this.start();
  }

  ask(op: string, body: string): Promise<string> {
    return new Promise((done, fail) => {
      if (this.broken) return fail(this.broken);
      this.waiting.push({ op, body, done, fail });
      this.send();
    });
  }

  /** Ends the requests that which names. The module of a worker that had one goes on in another worker. */
  stop(which: (w: Waiting) => boolean): void {
    const [all, sent] = [this.waiting.splice(0), this.sent];
    const ended = all.filter(which);
    this.waiting.push(...all.filter((w) => !which(w)));
    if (this.ready && this.module && all.slice(0, sent).some(which)) {
      this.worker?.terminate();
      become(this.name, { kind: "ready" });
      this.start();
    }
    ended.forEach((w) => w.fail(new Stopped()));
  }

  private start(): void {
    [this.ready, this.sent] = [false, 0];
    const begun = taken(this.name);
    if (begun) return this.listen(begun.worker, begun);
    let worker: Worker;
    try {
      if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly, or is told not to use it");
      worker = new Worker("engine-worker.js", { name: this.name + " " + (this.module ? "given" : (sizes.get(this.name) ?? "")) });
    } catch (e) {
      return this.fail(e instanceof Error ? e.message : String(e), "girih serve has the engine in the server and needs none in the browser");
    }
    if (this.module) worker.postMessage(this.module);
    this.listen(worker);
  }

  private listen(worker: Worker, begun?: Begun): void {
    this.worker = worker;
    const broke = (why: string) => {
      if (!this.ready) this.fail("engine-worker.js is missing or does not run" + (why ? ": " + why : ""));
    };
    worker.onerror = (e) => broke(e.message);
    worker.onmessage = (e: MessageEvent<Said>) => {
      if (this.worker === worker) this.hear(e.data);
    };
    begun?.said.forEach((x) => this.hear(x));
    if (begun?.broken !== undefined) broke(begun.broken);
  }

  private hear(said: Said): void {
    if (said.work) return this.show(said.work);
    if (said.failed !== undefined) return this.fail(said.failed);
    become(this.name, { kind: "ready" });
    if (said.ready) {
      this.ready = true;
      this.module = said.module;
    } else {
      this.sent--;
      this.waiting.shift()?.done(said.body);
    }
    this.send();
  }

  private send(): void {
    while (this.ready && this.sent < Math.min(this.most, this.waiting.length)) {
      const { op, body } = this.waiting[this.sent++];
      this.worker?.postMessage({ op, body });
    }
  }

  private fail(why: string, hint = "the folder has to have all files that girih serve --static wrote: write it again, or reload the page"): void {
    become(this.name, { kind: "failed", what: "the engine does not start", why, hint });
    const broken = (this.broken = new Error(why));
    this.waiting.splice(0).forEach((w) => w.fail(broken));
  }

  private show(w: NonNullable<Said["work"]>): void {
    if (w.stage === "start") return become(this.name, { kind: "loading", says: "starting", fraction: 1 });
    if (w.stage === "download") {
      const mb = (n: number) => (n / 1e6).toFixed(1);
      const says = w.total ? `downloading: ${mb(w.done)} of ${mb(w.total)} MB` : `downloading: ${mb(w.done)} MB`;
      return become(this.name, { kind: "loading", says, fraction: w.total ? Math.min(w.done / w.total, 1) : undefined });
    }
    const running = this.waiting[0];
    become(this.name, { kind: "running", stage: w.stage, done: w.done, most: w.total ?? 0, stop: () => this.stop((x) => x === running) });
  }
}
