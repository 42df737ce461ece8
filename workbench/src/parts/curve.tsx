type Point = readonly [n: number, share: number];

interface CurveProps {
  readonly points: readonly Point[];
  /** Numbers of tries that stand below the curve, with a line to it. */
  readonly marks: readonly number[];
  readonly label: string;
}

const [WIDTH, HEIGHT, LEFT, TOP, BASE] = [640, 190, 56, 12, 160];

/** A rising curve of shares, from 0 to 1. */
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
      {marks.map((n) => (
        <>
          <path class="guide" d={`M${x(n)} ${y(shareAt(points, n))}V${BASE}`} />
          <circle cx={x(n)} cy={y(shareAt(points, n))} r={4} />
          <text x={x(n)} y={BASE + 20} text-anchor="middle">
            {n.toLocaleString("en")}
          </text>
        </>
      ))}
    </svg>
  );
}

/** The height of the line at a number, which is between two points. */
function shareAt(points: readonly Point[], n: number): number {
  const right = points.findIndex(([tries]) => tries >= n);
  const [to, high] = points[right];
  const [from, low] = points[right - 1] ?? [0, 0];
  return to === from ? high : low + ((high - low) * (n - from)) / (to - from);
}
