// What the worker of an engine says: {work} while it loads and runs, {ready} or {failed} once, and then {body}, an answer
// for each request, in their order.

export interface Said {
  ready?: boolean;
  module?: WebAssembly.Module;
  failed?: string;
  work?: { stage: "download" | "start" | "run" | "sort"; done: number; total?: number };
  body: string;
}
