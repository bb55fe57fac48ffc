// What the engines of the page are doing, for the line that says so.

/** The progress of the engine. An engine behind HTTP is ready while its server answers. */
export type EngineState =
  | { kind: "ready" }
  | { kind: "loading"; says: string; fraction?: number } // the fraction of all work, if known
  | { kind: "running"; stage: string; done: number; most: number; stop: () => void } // a request that takes seconds
  | { kind: "failed"; what: string; why: string; hint: string };

const ready: EngineState = { kind: "ready" };
const states = new Map<string, EngineState>();
const watchers = new Set<(s: EngineState) => void>();

/** The state of the engines: the most important one, if they differ. */
export function engineState(): EngineState {
  const all = [...states.values()];
  return ["failed", "loading", "running"].map((kind) => all.find((s) => s.kind === kind)).find(Boolean) ?? ready;
}

/** Calls f with each new state until the returned function is called. */
export function watchEngine(f: (s: EngineState) => void): () => void {
  watchers.add(f);
  f(engineState());
  return () => void watchers.delete(f);
}

/** Sets the state of an engine. */
export function become(engine: string, s: EngineState): void {
  if (s.kind === "ready" && !states.has(engine)) return;
  states.set(engine, s);
  if (s.kind === "ready") states.delete(engine);
  watchers.forEach((f) => f(engineState()));
}
