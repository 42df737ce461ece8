import { signal, useSignal } from "@preact/signals";
import { pinned, shown, write } from "../state.js";
import { ask, drop } from "../work/ask.js";
import type { Chance, OddsOf, Shown, Work } from "../work/protocol.js";
import { look } from "./look.js";
import { Why } from "./why.js";

type OddsShown = Extract<Shown, { view: "odds" }>;

const MOST_ROWS = 500;

/** The result whose waiting times are shown. */
const chosen = signal<string | undefined>(undefined);
const waiting = signal<Work["wait"]["answer"] | { readonly problem: string } | undefined>(undefined);

export function Odds({ odds, before, samples }: OddsShown) {
  const rows = [...odds.chances, ...(odds.none === undefined ? [] : [odds.none])];
  const old = before && new Map(all(before).map((one) => [one.result, one]));
  const gone =
    old === undefined ? [] : [...old.values()].filter(({ result }) => !rows.some((one) => one.result === result));
  const most = Math.max(
    ...rows.map(({ probability }) => probability),
    ...(old ? [...old.values()].map(({ probability }) => probability) : []),
  );
  return (
    <>
      <div class="bar">
        <p>
          {odds.isExclusive ? "The chance of each result, exactly." : "The chance of at least one in a drop, exactly."}
        </p>
        <button type="button" aria-pressed={pinned.value !== undefined} onClick={pin}>
          {pinned.value === undefined ? "Pin, to compare" : "Unpin"}
        </button>
      </div>
      <table class="odds">
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col">Chance</th>
            <th scope="col" class="number">
              One in
            </th>
            {old && (
              <th scope="col" class="number">
                Change
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((one) => (
            <Row
              one={one}
              old={old && (old.get(one.result)?.probability ?? 0)}
              most={most}
              isNone={one === odds.none}
            />
          ))}
          {gone.map(({ result, probability }) => (
            <Row one={{ result, probability: 0, exact: "0" }} old={probability} most={most} isNone={false} />
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p class="quiet">
          The first {MOST_ROWS} of {rows.length} results.
        </p>
      )}
      <Waiting />
      <h3>The first results of the seed {JSON.stringify(shown.value.seed)}</h3>
      <ol class="samples" start={0}>
        {samples.map((one, k) => (
          <li key={`${k} ${one}`}>
            <Why at={k}>{one}</Why>
          </li>
        ))}
      </ol>
    </>
  );
}

function pin(): void {
  pinned.value = pinned.value === undefined ? shown.value.files : undefined;
}

function all({ chances, none }: OddsOf): Chance[] {
  return none === undefined ? [...chances] : [...chances, none];
}

interface RowProps {
  readonly one: Chance;
  readonly old: number | undefined;
  readonly most: number;
  readonly isNone: boolean;
}

function Row({ one: { result, probability, exact }, old, most, isNone }: RowProps) {
  const isChosen = chosen.value === result;
  const change = old === undefined ? 0 : probability - old;
  return (
    <tr data-none={isNone}>
      <th scope="row">
        {isNone ? (
          result
        ) : (
          <button type="button" class="plain" aria-pressed={isChosen} onClick={() => choose(result)}>
            {result}
          </button>
        )}
      </th>
      <td class="chance" title={exact}>
        <span class="track">
          <span class="fill" style={{ width: `${(100 * probability) / most}%` }} />
          {old !== undefined && <span class="mark" style={{ left: `${(100 * old) / most}%` }} />}
        </span>
        <span class="percent">{percent(probability)}</span>
      </td>
      <td class="number">{probability === 0 ? "never" : rounded(1 / probability)}</td>
      {old !== undefined && (
        <td class="number" data-change={Math.sign(change)}>
          {change === 0 ? "=" : `${change > 0 ? "+" : "−"}${percent(Math.abs(change))}`}
        </td>
      )}
    </tr>
  );
}

function percent(probability: number): string {
  const hundredth = 100 * probability;
  return `${hundredth >= 10 || hundredth === 0 ? hundredth.toFixed(1) : hundredth.toPrecision(2)} %`;
}

function rounded(number: number): string {
  return number < 10 ? number.toFixed(1) : Math.round(number).toLocaleString("en");
}

function choose(result: string): void {
  waiting.value = undefined;
  chosen.value = chosen.value === result ? undefined : result;
  if (chosen.value === undefined) {
    drop("wait");
    return;
  }
  const { files, file, seed } = shown.value;
  ask("wait", { source: { files, file, seed }, result }).then(
    (answer) => {
      waiting.value = answer;
    },
    ({ issues: [{ message }] }) => {
      waiting.value = { problem: message };
    },
  );
}

function Waiting() {
  const found = waiting.value;
  if (chosen.value === undefined) return <p class="quiet">Click a result to see how long players wait for it.</p>;
  return (
    <section class="waiting" aria-live="polite">
      <h3>Waiting for {chosen.value}</h3>
      {found === undefined && <p class="quiet">…</p>}
      {found !== undefined && "problem" in found && <p>{found.problem}</p>}
      <Target result={chosen.value} />
      {found !== undefined && "mean" in found && (
        <dl>
          <div>
            <dt>on average</dt>
            <dd>{rounded(found.mean)}</dd>
          </div>
          {found.quantiles.map(([share, tries]) => (
            <div>
              <dt>{{ "1/2": "half of the players", "9/10": "nine in ten", "99/100": "99 in 100" }[share]}</dt>
              <dd>{tries.toLocaleString("en")}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** Asks for other odds of a result: all other results keep their proportions, and the file gets the new weights. */
function Target({ result }: { readonly result: string }) {
  const problem = useSignal("");
  const kind = look.value?.kind;
  if (kind !== "list" && kind !== "table") return null;
  const set = (event: SubmitEvent) => {
    event.preventDefault();
    const tries = Number(new FormData(event.currentTarget as HTMLFormElement).get("tries"));
    const { files, file, seed } = shown.value;
    problem.value = "";
    pinned.value ??= files;
    ask("target", { source: { files, file, seed }, result, chance: `100/${Math.round(100 * tries)}` }).then(
      (answer) => {
        if (answer !== undefined) write(file, answer.text);
      },
      ({ issues: [{ message }] }) => {
        problem.value = message;
      },
    );
  };
  return (
    <form class="group target" onSubmit={set}>
      <label class="field">
        <span>Make it one in</span>
        <input name="tries" type="number" min="1.01" step="any" required />
      </label>
      <button type="submit">Set the weights</button>
      {problem.value !== "" && <span class="problem">{problem.value}</span>}
    </form>
  );
}
