import { webcrypto } from "node:crypto";
import { readFile } from "node:fs/promises";

globalThis.crypto ??= webcrypto; // for wasm_exec.js; Node 18 does not define it

export const read = readFile; // fetch of Node does not read files
