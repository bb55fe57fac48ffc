// Run-time integers: a field for the value of each, like --set on the command line.

/** The values in a text of the state, M=8,?1=4, as fields of a request; incomplete ones are omitted. */
export function given(text: string | undefined): { set?: string[] } {
  const list = (text ?? "").split(",").filter((x) => /^[^=]+=-?\d{1,19}$/.test(x));
  return list.length > 0 ? { set: list } : {};
}

interface Props {
  names: string[];
  trials: number[]; // a value for each that satisfies its facts
  text: string;
  onChange: (text: string) => void;
}

export function Symbols(p: Props) {
  const values = new Map(p.text.split(",").filter(Boolean).map((x) => {
    const at = x.indexOf("=");
    return [x.slice(0, at), x.slice(at + 1)];
  }));
  const change = (name: string, value: string) => {
    const all = p.names.map((n) => [n, n === name ? value : (values.get(n) ?? "")]);
    p.onChange(all.filter(([, v]) => v !== "").map(([n, v]) => `${n}=${v}`).join(","));
  };
  const missing = p.names.filter((n) => !values.get(n));
  return (
    <div class="ask-row symbols" data-testid="symbols">
      <span>run-time integers</span>
      {p.names.map((n) => (
        <label key={n}><code>{n}</code> = <input inputMode="numeric" size={6} aria-label={"value of " + n} placeholder="?" value={values.get(n) ?? ""} onInput={(e) => change(n, e.currentTarget.value.replace(/[^-\d]/g, ""))} /></label>
      ))}
      {missing.length > 0 && <span>give {missing.length < p.names.length ? "the others" : p.names.length > 1 ? "them values" : "it a value"} to see the elements</span>}
      {missing.length > 0 && <button type="button" class="link" onClick={() => p.onChange(p.names.map((n, k) => `${n}=${values.get(n) || p.trials[k]}`).join(","))}>try {missing.map((n) => `${n} = ${p.trials[p.names.indexOf(n)]}`).join(", ")}</button>}
    </div>
  );
}
