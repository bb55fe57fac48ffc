// What the first script hands to the page's script.

import type { Said } from "./said";

/** A worker that was started before the page's script was there. */
export interface Begun {
  name: string; // of its engine
  worker: Worker;
  said: Said[]; // so far
  broken?: string; // the message of an error
}
