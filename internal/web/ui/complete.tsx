// What helps while one types: the call that the cursor is in, with its argument marked, and the names that may stand at the cursor.

import { parameters } from "./signature";

export interface Candidate {
  name: string;
  class: string;
  signature?: string;
  summary?: string;
}

interface Props {
  id: string; // of the list; options have it as prefix
  list: Candidate[]; // empty if only the call is shown
  at: number;
  inside: { candidate: Candidate; argument: number } | null;
  onChoose: (c: Candidate) => void;
}

export function Complete(p: Props) {
  const chosen = p.list[p.at];
  const inside = p.inside;
  return (
    <div class={"complete" + (chosen ? "" : " only-call")}>
      {inside?.candidate.signature && (
        <p class="in-call" role="status" data-testid="in-call">
          <code>{parameters(inside.candidate.signature, inside.argument).map((x) => (x.on ? <mark>{x.text}</mark> : x.text))}</code>
          <span class="quiet">{inside.candidate.summary}</span>
        </p>
      )}
      {chosen && (
        <div class="offers">
          <ul id={p.id} role="listbox" aria-label="names">
            {p.list.map((c, i) => (
              <li
                key={c.name} id={`${p.id}-${i}`} role="option" aria-selected={i === p.at} class={i === p.at ? "on" : ""}
                ref={(e) => { if (e && i === p.at) e.scrollIntoView({ block: "nearest" }); }}
                onMouseDown={(e) => e.preventDefault()} // the text keeps the focus
                onClick={() => p.onChoose(c)}
              >
                {c.name}
              </li>
            ))}
          </ul>
          {chosen.signature && <div class="complete-help" id={p.id + "-help"}><code>{chosen.signature}</code><p>{chosen.summary}</p></div>}
        </div>
      )}
    </div>
  );
}
