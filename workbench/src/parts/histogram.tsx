import type { Histogram } from "../work/protocol.js";
import { percent } from "./chances.js";

const [WIDTH, HEIGHT] = [240, 80];

/** How a number is distributed among `made` items. */
export function HistogramOf({ label, bars, mean, least, most, counted, made }: Histogram & { readonly made: number }) {
  const tallest = bars.reduce((top, { share }) => Math.max(top, share), 0);
  const step = WIDTH / bars.length;
  const average = `${counted === undefined ? "exactly" : "about"} ${told(mean)} on average`;
  const having = counted === undefined || counted === made ? "" : `, of the ${told(counted)} items that have it`;
  return (
    <figure class="histogram">
      <figcaption>
        <b>{label}</b>
        <span class="quiet">
          {average}
          {having}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}, from ${told(least)} to ${told(most)}, ${average}`}
      >
        {bars.map((bar, i) => (
          <rect
            x={i * step}
            y={HEIGHT - (HEIGHT * bar.share) / tallest}
            width={0.9 * step}
            height={(HEIGHT * bar.share) / tallest}
          >
            <title>{`${rangeOf(bar)}: ${percent(bar.share)}`}</title>
          </rect>
        ))}
      </svg>
      <div class="ends quiet" aria-hidden="true">
        <span>{told(least)}</span>
        <span>{told(most)}</span>
      </div>
    </figure>
  );
}

function rangeOf({ least, most }: Histogram["bars"][number]): string {
  return least === most ? told(least) : `${told(least)} to ${told(most)}`;
}

function told(number: number): string {
  return number.toLocaleString("en", { maximumSignificantDigits: 4 });
}
