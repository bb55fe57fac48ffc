// The worker of a page without a server. It compiles the engine while it downloads, or gets the module from the page,
// reporting progress with {work}, and starts it. It sends {ready: true, module} or {failed: why} once, and then answers
// {op, body} with {body}. During requests that take seconds it reports progress, too.

export {}; // makes this file a module, so that its declarations are local

// Definitions of wasm_exec.js of the Go distribution and of cmd/girih-wasm, and the worker's own functions.
interface GoProgram {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
  _scheduledTimeouts: Map<number, number>;
}
declare const self: {
  importScripts(url: string): void;
  name: string;
  postMessage(message: unknown): void;
  close(): void;
  onmessage: (e: MessageEvent<{ op: string; body: string }>) => void;
  addEventListener(type: "message", f: (e: MessageEvent<WebAssembly.Module>) => void, options: { once: true }): void;
  girihWatch: (stage: string, done: number, total: number) => void;
  Go: new () => GoProgram;
  girihDo: (op: string, body: string) => string;
};

// The page names the worker after its engine, and the size of the module, or "given" if the page will send the module.
const [engineName, moduleSize] = self.name.split(" ");
const gzipFile = engineName + ".wasm.gz";
const brotliFile = engineName + ".wasm.br";

/** A file of the engine, and how the browser unpacks it. */
interface Source {
  file: string;
  unpack?: CompressionFormat;
}

/**
 * The smallest file that this browser can unpack: Brotli, if it is unpacked as a stream or the server sends it as
 * content that is encoded so, and gzip otherwise.
 */
async function source(): Promise<Source> {
  const brotli = "brotli" as CompressionFormat; // TypeScript does not know it yet
  try {
    new DecompressionStream(brotli);
    return { file: brotliFile, unpack: brotli };
  } catch {
    // This browser unpacks Brotli only in what a server sends as encoded.
  }
  const head = await fetch(brotliFile, { method: "HEAD" }).catch(() => undefined);
  return head?.headers.get("Content-Encoding") === "br" ? { file: brotliFile } : { file: gzipFile, unpack: "gzip" };
}

/** Compiles the engine while it arrives, compressed or decompressed by the server or the browser. */
async function engine(): Promise<WebAssembly.Module> {
  const { file, unpack } = await source();
  let r: Response;
  try {
    r = await fetch(file);
  } catch (e) {
    throw new Error(`${file} did not arrive: ` + (e instanceof Error ? e.message : String(e)));
  }
  if (!r.ok) throw new Error(`${file} is missing: the file server says ${r.status} ${r.statusText}`.trim());
  const reader = r.body!.getReader();
  const first = (await reader.read()).value ?? new Uint8Array();
  const plain = first[0] === 0 && first[1] === 0x61; // a module that was decompressed on the way
  if (!plain && (!unpack || (unpack === "gzip" && first[0] !== 0x1f))) {
    throw new Error(`${file} is another file: it begins neither as ${unpack ?? "br"} nor as WebAssembly`);
  }
  const total = (plain ? Number(moduleSize) : Number(r.headers.get("Content-Length"))) || undefined;
  let done = 0;
  let said = "";
  let broken = "";
  const came = (n: number) => {
    done += n;
    const megabytes = (done / 1e6).toFixed(1); // rounded as the page shows them
    if (megabytes === said) return;
    said = megabytes;
    self.postMessage({ work: { stage: "download", done, total } });
  };
  came(first.length);
  const arriving = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (to) => to.enqueue(first),
    async pull(to) {
      try {
        const piece = await reader.read();
        if (piece.done) return to.close();
        to.enqueue(piece.value);
        came(piece.value.length);
      } catch (e) {
        broken = `${file} broke off after ${done} bytes`;
        to.error(e);
      }
    },
  });
  const module = plain || !unpack ? arriving : arriving.pipeThrough(new DecompressionStream(unpack));
  try {
    return await WebAssembly.compileStreaming(new Response(module, { headers: { "Content-Type": "application/wasm" } }));
  } catch (e) {
    throw new Error(broken || `${file} did not arrive whole, or is not the one of this page: ` + (e instanceof Error ? e.message : String(e)));
  }
}

let go: GoProgram | undefined;

/** Starts the engine. An earlier engine stopped in the middle of its work and must not continue. */
async function run(module: WebAssembly.Module): Promise<void> {
  go?._scheduledTimeouts.forEach((timer) => clearTimeout(timer));
  go = new self.Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  void go.run(instance).catch(() => {}); // the function do reports the error
}

// Requests are answered in order, also while the engine restarts.
let turn: Promise<void> = Promise.resolve();

/** Answers a request. If the engine runs out of stack or memory, it is replaced: requests do not depend on each other. */
async function answer(module: WebAssembly.Module, op: string, body: string): Promise<void> {
  try {
    const text: unknown = self.girihDo(op, body);
    if (typeof text !== "string") throw new Error("the engine has stopped");
    self.postMessage({ body: text });
  } catch (e) {
    const why = e instanceof RangeError ? "it nests deeper than the browser allows" : "it needs more memory than there is";
    const error = { code: "limit", message: "the evaluation broke off: " + why, hint: "girih serve and the command line allow more" };
    self.postMessage({ body: JSON.stringify({ ok: false, error }) });
    await run(module);
  }
}

/** The module that the page has. */
function given(): Promise<WebAssembly.Module> {
  return new Promise((done) => self.addEventListener("message", (e) => done(e.data), { once: true }));
}

async function start(): Promise<void> {
  const arriving = moduleSize === "given" ? given() : engine();
  arriving.catch(() => {}); // the functions that wait for it report the error
  try {
    self.importScripts("wasm_exec.js");
  } catch {
    throw new Error("wasm_exec.js is missing or does not run");
  }
  const module = await arriving;
  if (moduleSize !== "given") self.postMessage({ work: { stage: "start" } });
  self.girihWatch = (stage, done, total) => self.postMessage({ work: { stage, done, total } });
  await run(module);
  self.onmessage = ({ data: { op, body } }) => {
    turn = turn.then(() => answer(module, op, body));
  };
  self.postMessage({ ready: true, module });
}

start().catch((e: unknown) => {
  self.postMessage({ failed: e instanceof Error ? e.message : String(e) });
  self.close(); // the rest of the download is irrelevant
});
