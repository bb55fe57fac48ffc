// Runs an engine of a folder that girih serve --static wrote, without a browser: node engine.mjs FOLDER ENGINE. Reads requests as
// lines [operation, request] and writes each response as a line.

import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import vm from "node:vm";

const folder = process.argv[2];
const file = (name) => path.join(folder, name);
const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function ask() {
  const { value, done } = await lines.next();
  if (done) return process.stdout.write("", () => process.exit(0)); // after all that is written
  const [op, request] = JSON.parse(value);
  globalThis.onmessage({ data: { op, body: JSON.stringify(request) } });
}

// What a worker has.
globalThis.self = globalThis;
globalThis.name = process.argv[3];
globalThis.importScripts = (name) => vm.runInThisContext(fs.readFileSync(file(name), "utf8"), { filename: name });
globalThis.fetch = async (name) => new Response(fs.readFileSync(file(name)));
globalThis.postMessage = (m) => {
  if (m.work) return;
  if (m.failed !== undefined) {
    console.error(m.failed);
    process.exit(1);
  }
  if (m.ready) console.error("ready after", Math.round(performance.now()), "ms");
  else process.stdout.write(m.body + "\n");
  setImmediate(ask);
};
importScripts("engine-worker.js");
