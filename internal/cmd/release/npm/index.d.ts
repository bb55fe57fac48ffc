/** The answer of an operation: what `girih COMMAND --json` prints. Without ok, error says why. */
export interface Answer {
  ok?: boolean;
  error?: { code: string; message: string; hint?: string };
  [field: string]: unknown;
}

/** Answers an operation, such as `girih("eval", { expr: "(4,2):(1,4) o 2:1" })`. */
export type Girih = (operation: string, request?: object) => Answer;

/** Starts the engine, from the package or from another address. */
export function load(url?: URL): Promise<Girih>;
