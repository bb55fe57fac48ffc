// An error as the service gives it: the sentence with its numbers, the witness, the hint; and the notes of a value.

import type { Fault as FaultData } from "./engine";

export function Fault(p: { fault: FaultData; expr?: string }) {
  const w = p.fault.witness;
  return (
    <div class="fault" role="alert" data-testid="fault">
      <p><b>{p.fault.code}</b> {p.fault.message}</p>
      {w && <p>witness: at index {w.index}{w.coord !== String(w.index) && <>, coordinate {w.coord}</>}{w.other && <> and at {w.other}</>} the value is <b>{w.value}</b>{w.want !== "()" && <>, a layout would give <b>{w.want}</b></>}</p>}
      {p.fault.hint && <p>hint: {p.fault.hint}</p>}
    </div>
  );
}

export function Notes(p: { notes?: string[] }) {
  if (!p.notes?.length) return null;
  return <ul class="notes">{p.notes.map((n) => <li>{n}</li>)}</ul>;
}
