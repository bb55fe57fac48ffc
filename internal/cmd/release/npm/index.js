import { read } from "#system";
import "./wasm_exec.js"; // of the Go distribution; defines Go

export async function load(url = new URL("./programs.wasm.gz", import.meta.url)) {
  const packed = await read(url);
  let engine = new Blob([packed]).stream();
  if (packed[0] === 0x1f) engine = engine.pipeThrough(new DecompressionStream("gzip")); // a server may have decompressed it
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(await new Response(engine).arrayBuffer(), go.importObject);
  void go.run(instance); // returns when the engine waits for calls
  const answer = globalThis.girihDo;
  return (operation, request = {}) => JSON.parse(answer(operation, JSON.stringify(request)));
}
