// Lists that fold out of a summary. Escape, a press elsewhere, or a choice closes them.

const open = () => document.querySelector<HTMLDetailsElement>("details.examples[open], details.pick[open]");

export function watchPopups(): () => void {
  const key = (e: KeyboardEvent) => {
    const d = open();
    if (e.key !== "Escape" || !d) return;
    d.open = false;
    d.querySelector("summary")?.focus();
  };
  const press = (e: Event) => {
    const d = open();
    if (d && !d.contains(e.target as Node)) d.open = false;
  };
  const choose = (e: Event) => {
    const d = open();
    if (d && (e.target as Element).closest("details.examples li button")) d.open = false;
  };
  addEventListener("keydown", key);
  addEventListener("pointerdown", press);
  addEventListener("click", choose);
  return () => {
    removeEventListener("keydown", key);
    removeEventListener("pointerdown", press);
    removeEventListener("click", choose);
  };
}
