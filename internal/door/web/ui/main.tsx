import { render } from "preact";
import { App } from "./app";
import { loadEarly } from "./early";
import { call } from "./engine";
import { pageOf } from "./pages/index";
import { now, readLong } from "./state";
import { engineState } from "./status";

// The first value is requested before the page is drawn, and awaited briefly: drawing the page without its value and
// then with it takes longer.
const patience = 60; // milliseconds
loadEarly();
await readLong();
const asked = (pageOf(now()).asks?.(now()) ?? []).map(([op, request]) => call(op, request));
if (engineState().kind === "ready") await Promise.race([Promise.all(asked), new Promise((done) => setTimeout(done, patience))]);

const root = document.getElementById("app")!;
root.textContent = ""; // the content says that nothing has started
render(<App />, root);
