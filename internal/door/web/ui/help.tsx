// The keys and the glossary, in a dialog that ? opens.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Glossary } from "./glossary";
import { useSwitch, useTexts } from "./lang";
import { arrows } from "./use";

const keys: [string, [string, string][]][] = [
  ["Anywhere", [["?", "this list"], ["/", "to the expression"], ["Tab", "from control to control"], ["← →", "among tabs, operations and on sliders"], ["Esc", "close what is open"]]],
  ["In the expression", [
    ["↑ ↓", "what was asked before"], ["Ctrl Space", "all names that may stand here"], ["Enter", "keep it in the history"], ["Shift Enter", "another line"],
    ["drag", "a number: to the left less, to the right more, with Shift by factors of 2"], ["Alt ↑ ↓", "the same for the number at the cursor"],
    ["paste", "an error, a dump, C++: girih lists what it finds in it"],
  ]],
  ["While names are offered", [["↑ ↓", "from name to name"], ["Tab Enter", "take it"], ["Esc", "close the list, and then the help of the call"]]],
  ["In a grid", [
    ["← ↑ → ↓", "from element to element"], ["Enter", "select; the selection is in the link"], ["Esc", "let go"],
    ["+ −", "zoom; also Ctrl and the wheel, or two fingers"], ["0", "fit; also a double click"], ["drag", "move"],
  ]],
  ["In the lessons", [["n", "the next step"], ["b", "the step before"]]],
  ["On the kernel page", [["n", "one step further"], ["b", "one step back"], ["p", "play, pause"]]],
  ["In an opened page", [["↑ ↓", "from line to line"], ["Enter", "another line"], ["n", "the next slip or error"], ["b", "the one before"]]],
];

/** The dialog; with a term it opens at the glossary. */
export function Help(p: { open: boolean; term: string; onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  const { texts: { words } } = useTexts();
  const other = useSwitch();
  const [tab, turn] = useState<"keys" | "glossary">("keys");
  useLayoutEffect(() => {
    if (p.open && p.term) turn("glossary");
  }, [p.open, p.term]);
  const own = useRef(false); // closed from here: its event arrives later, perhaps when the dialog is open again
  useLayoutEffect(() => {
    const d = box.current!;
    if (p.open && !d.open) d.showModal();
    if (!p.open && d.open) {
      own.current = true;
      d.close();
    }
  }, [p.open]);
  const closed = () => (own.current ? (own.current = false) : p.onClose());
  return (
    <dialog class={"help" + (tab === "glossary" ? " wide" : "")} ref={box} aria-labelledby="help-title" onCancel={(e) => { e.preventDefault(); p.onClose(); }} onClose={closed} onClick={(e) => e.target === box.current && p.onClose()}>
      <form method="dialog">
        <div role="tablist" id="help-title" aria-label="help" onKeyDown={arrows}>
          {(["keys", "glossary"] as const).map((x) => <button type="button" role="tab" key={x} aria-selected={x === tab} tabIndex={x === tab ? 0 : -1} onClick={() => turn(x)}>{words[x]}</button>)}
        </div>
        {tab === "glossary" && <button type="button" class="link" lang={other.language} onClick={other.next}>{other.name}</button>}
        <button type="button" class="icon" aria-label="close" onClick={p.onClose}>×</button>
      </form>
      {p.open && tab === "glossary" && <Glossary key={p.term} term={p.term} onClose={p.onClose} />}
      {tab === "keys" && keys.map(([title, list]) => (
        <section key={title}><h3>{title}</h3><dl>{list.map(([k, what]) => <><dt>{k.split(" ").map((x) => <kbd>{x}</kbd>)}</dt><dd>{what}</dd></>)}</dl></section>
      ))}
      {tab === "keys" && <p class="quiet small">The address bar has the whole state: a link shows what you see.</p>}
    </dialog>
  );
}

/** Whether a key press is meant for a text. */
export function typing(e: KeyboardEvent): boolean {
  const t = e.target as HTMLElement | null;
  return t !== null && (t.matches("input, textarea, select") || t.isContentEditable);
}
