// The effect of a swizzle on the bits of an offset: unchanged bits, changed bits, and the bits that change them.

export function BitDiagram(p: { b: number; m: number; s: number; bits: string }) {
  const up = Math.max(p.s, 0);
  const down = Math.max(-p.s, 0);
  const n = Math.max(p.b + p.m + Math.max(up, down), 8);
  const w = 34;
  const x = (bit: number) => (n - 1 - bit) * w + 4;
  const target = (k: number) => p.m + down + k; // the bits that change
  const source = (k: number) => p.m + up + k;
  const lines = Array.from({ length: p.b }, (_, k) => k);
  const overlap = p.b > Math.abs(p.s) && p.b > 0;
  return (
    <div class="bits-box">
      <svg viewBox={`0 0 ${n * w + 8} 136`} width={n * w + 8} role="img" aria-label={`bits ${p.m + up} to ${p.m + up + p.b - 1} are added without carries to bits ${p.m + down} to ${p.m + down + p.b - 1}`}>
        {Array.from({ length: n }, (_, bit) => {
          const isSource = lines.some((k) => source(k) === bit);
          const isTarget = lines.some((k) => target(k) === bit);
          return (
            <g class={"bit" + (isSource ? " from" : "") + (isTarget ? " to" : "")}>
              <rect x={x(bit)} y={18} width={w - 4} height={26} rx={4} />
              <text x={x(bit) + (w - 4) / 2} y={31} dy=".35em" text-anchor="middle">{bit}</text>
              <rect x={x(bit)} y={96} width={w - 4} height={26} rx={4} />
              <text x={x(bit) + (w - 4) / 2} y={109} dy=".35em" text-anchor="middle">{bit}</text>
              <line x1={x(bit) + (w - 4) / 2} x2={x(bit) + (w - 4) / 2} y1={44} y2={isTarget ? 82 : 96} />
            </g>
          );
        })}
        {lines.map((k) => {
          const a = x(source(k)) + (w - 4) / 2;
          const b = x(target(k)) + (w - 4) / 2;
          return (
            <g class="xor">
              <path d={`M${a},44 C${a},70 ${b},56 ${b},82`} />
              <circle cx={b} cy={88} r={6} />
              <path d={`M${b - 6},88 h12 M${b},82 v12`} />
            </g>
          );
        })}
        <text class="axis" x={4} y={9}>offset</text>
        <text class="axis" x={4} y={134}>swizzled</text>
      </svg>
      {p.b === 0 && <p class="quiet">B is 0: the identity.</p>}
      {overlap && <p class="quiet">B is more than |S|: the bits that change and those that change them overlap; CuTe refuses such a swizzle.</p>}
    </div>
  );
}
