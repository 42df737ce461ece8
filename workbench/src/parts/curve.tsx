type Point = readonly [n: number, share: number];

interface CurveProps {
  readonly points: readonly Point[];
  /** Points whose numbers stand below the curve. */
  readonly marks: readonly Point[];
  readonly label: string;
}

const [WIDTH, HEIGHT, LEFT, TOP, BASE] = [640, 190, 56, 12, 160];

/** A rising curve of shares, from 0 to 1. Lines lead from the marks to the axes. */
export function Curve({ points, marks, label }: CurveProps) {
  const last = points.at(-1)?.[0] ?? 1;
  const x = (n: number) => LEFT + (n / last) * (WIDTH - LEFT - 50);
  const y = (share: number) => BASE - share * (BASE - TOP);
  return (
    <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {[0, 0.5, 1].map((share) => (
        <>
          <path class="grid" d={`M${LEFT} ${y(share)}H${WIDTH}`} />
          <text x={LEFT - 8} y={y(share) + 4} text-anchor="end">
            {100 * share} %
          </text>
        </>
      ))}
      <path class="line" d={`M${[[0, 0] as const, ...points].map(([n, share]) => `${x(n)} ${y(share)}`).join("L")}`} />
      {marks.map(([n, share]) => (
        <>
          <path class="guide" d={`M${x(n)} ${y(share)}V${BASE}`} />
          <circle cx={x(n)} cy={y(share)} r={4} />
          <text x={x(n)} y={BASE + 20} text-anchor="middle">
            {n.toLocaleString("en")}
          </text>
        </>
      ))}
    </svg>
  );
}
