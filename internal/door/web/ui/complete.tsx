// Help while typing: the call around the cursor with its argument marked, and the names that are possible at the
// cursor.

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
  more: number; // the number of further names
  at: number; // the name chosen with the arrow keys; -1 for none: Tab then takes the first
  fault?: string; // an error elsewhere, which the list covers
  inside: { candidate: Candidate; argument: number } | null;
  onChoose: (c: Candidate) => void;
}

export function Complete(p: Props) {
  const chosen = p.list[Math.max(p.at, 0)];
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
                key={c.name} id={`${p.id}-${i}`} role="option" aria-selected={i === p.at} class={i === p.at ? "on" : i === 0 && p.at < 0 ? "first" : ""}
                ref={(e) => { if (e && i === p.at) e.scrollIntoView({ block: "nearest" }); }}
                onMouseDown={(e) => e.preventDefault()} // the text keeps the focus
                onClick={() => p.onChoose(c)}
              >
                {c.name}
              </li>
            ))}
            {p.more > 0 && <li class="quiet" role="presentation">and {p.more} more: type on</li>}
          </ul>
          {(chosen.signature || chosen.summary) && <div class="complete-help" id={p.id + "-help"}>{chosen.signature && <code>{chosen.signature}</code>}<p>{chosen.summary}</p></div>}
        </div>
      )}
      {chosen && p.fault && <p class="elsewhere">{p.fault}</p>}
    </div>
  );
}
