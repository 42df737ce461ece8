import { ChanceTable } from "../parts/chances.js";
import { HistogramOf } from "../parts/histogram.js";
import { remember, shown } from "../state.js";
import type { Item, ItemsShown, Work } from "../work/protocol.js";
import { useAnswer } from "./answer.js";
import { Requests } from "./requests.js";
import { Why } from "./why.js";

/** What the requests make: the odds of each part, the numbers, and a shelf of the first items of the seed. */
export function Items({ items, fields, parts }: ItemsShown) {
  return (
    <>
      <Requests fields={fields} />
      {items.length > 0 && (
        <>
          {items.length > 1 && (
            <div class="columns even">
              <Parts parts={parts} />
              <Numbers />
            </div>
          )}
          <p class="quiet">
            The first {items.length} items of the seed {JSON.stringify(shown.value.seed)}. Press the dice for others.
          </p>
          <ul class="shelf">
            {items.map((item, k) => (
              <Shelved item={item} at={k} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Shelved({ item: { name, parts }, at }: { readonly item: Item; readonly at: number }) {
  return (
    <li>
      <h3>{name}</h3>
      <dl>
        {parts.map(([part, value]) => (
          <div>
            <dt>{part}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Why at={at} />
    </li>
  );
}

function Parts({ parts }: Pick<ItemsShown, "parts">) {
  const { value: part } = parts.find(({ value }) => value === shown.value.view.part) ?? parts[0];
  return (
    <section class="part" aria-label="Odds">
      <label class="field">
        <span>The odds of</span>
        <select value={part} onChange={({ currentTarget }) => remember({ part: currentTarget.value })}>
          {parts.map(({ value, label }) => (
            <option value={value}>{label}</option>
          ))}
        </select>
      </label>
      <PartOdds key={part} part={part} />
    </section>
  );
}

function PartOdds({ part }: { readonly part: string }) {
  const found = useAnswer("part", { part });
  if (found === undefined) return <p class="quiet">…</p>;
  if ("problem" in found) return <p class="problem">{found.problem}</p>;
  return (
    <>
      <p class="quiet">{toldOf(found)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll a long table */}
      <section class="scroll" tabIndex={0} aria-label={`The odds of ${part}`}>
        <ChanceTable {...found} />
      </section>
    </>
  );
}

function toldOf({ chances, counted, unexplored = 0, isExclusive }: Work["part"]["answer"]): string {
  const all = `The chances of ${chances.length.toLocaleString("en")} ${chances.length === 1 ? "result" : "results"}`;
  const what = isExclusive ? all : `${all}; an item can have several`;
  if (counted !== undefined) return `${what}, about: counted in ${counted.toLocaleString("en")} items.`;
  if (unexplored === 0) return `${what}, exactly.`;
  return `${what}, at least. The true chance is at most ${(100 * unexplored).toPrecision(2)} % greater.`;
}

function Numbers() {
  const found = useAnswer("numbers", {});
  if (found === undefined) return null;
  if ("problem" in found) return <p class="problem">{found.problem}</p>;
  const { counted, histograms } = found;
  return (
    <section class="numbers" aria-label="Numbers">
      <p class="quiet">The numbers of {counted.toLocaleString("en")} made items.</p>
      <div class="histograms">
        {histograms.map((one) => (
          <HistogramOf key={one.label} {...one} made={counted} />
        ))}
      </div>
    </section>
  );
}
