import { signal } from "@preact/signals";
import { ChanceCells, ChanceHeads, LeftOut, MOST_ROWS, mostOf, percent, rounded } from "../parts/chances.js";
import { Curve } from "../parts/curve.js";
import { pinned, remember, shown, write } from "../state.js";
import { ask } from "../work/ask.js";
import type { Chance, OddsOf, OddsShown } from "../work/protocol.js";
import { useAnswer } from "./answer.js";
import { Flow } from "./flow.js";
import { look } from "./look.js";
import { Scripts } from "./scripts.js";
import { Why } from "./why.js";

/** The result whose waiting times are shown. */
const chosen = signal<string | undefined>(undefined);

/** While a bar is dragged, the scale of all bars stays. */
const scale = signal<number | undefined>(undefined);

export function Odds({ odds, before, samples, table }: OddsShown) {
  const rows = [...odds.chances, ...(odds.none === undefined ? [] : [odds.none])];
  const old = before && new Map(all(before).map((one) => [one.result, one]));
  const gone =
    old === undefined ? [] : [...old.values()].filter(({ result }) => !rows.some((one) => one.result === result));
  const most = scale.value ?? mostOf([...rows, ...(old?.values() ?? [])]);
  return (
    <>
      <div class="bar">
        <p>
          {odds.isExclusive ? "The chance of each result, exactly." : "The chance of at least one in a drop, exactly."}
        </p>
        <div class="group">
          {table !== undefined && table.rows.length > 1 && <Start {...table} />}
          <button type="button" aria-pressed={pinned.value !== undefined} onClick={pin}>
            {pinned.value === undefined ? "Pin, to compare" : "Unpin"}
          </button>
        </div>
      </div>
      <table class="odds">
        <thead>
          <tr>
            <ChanceHeads most={most} />
            {/* the column is there before it is needed, so that a dragged bar keeps its place */}
            {old ? (
              <th scope="col" class="number">
                Change
              </th>
            ) : (
              <td class="number" />
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
      <LeftOut rows={rows} />
      {rows.some(({ result }) => result === chosen.value) ? (
        <Waiting key={chosen.value} result={chosen.value ?? ""} />
      ) : (
        <p class="quiet">Click a result to see how long players wait for it.</p>
      )}
      {table !== undefined && table.scripts.length > 0 && <Scripts scripts={table.scripts} />}
      {table !== undefined && table.rows.length > 1 && <Flow />}
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

function Start({ rows, start }: NonNullable<OddsShown["table"]>) {
  return (
    <label class="field">
      <span>Rolls start at</span>
      <select value={start} onChange={({ currentTarget }) => remember({ "with start": Number(currentTarget.value) })}>
        {rows.slice(0, MOST_ROWS).map((label, row) => (
          <option value={row}>{label}</option>
        ))}
      </select>
    </label>
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

function Row({ one, old, most, isNone }: RowProps) {
  const { result, probability } = one;
  const isChosen = chosen.value === result;
  const change = old === undefined ? 0 : probability - old;
  return (
    <tr data-none={isNone}>
      <th scope="row">
        {isNone ? (
          result
        ) : (
          <button
            type="button"
            class="plain"
            aria-pressed={isChosen}
            onClick={() => (chosen.value = isChosen ? undefined : result)}
          >
            {result}
          </button>
        )}
      </th>
      <ChanceCells one={one} most={most} old={old} drags={!isNone && canSet() && dragsOf(result, most)} />
      {old === undefined ? (
        <td class="number" />
      ) : (
        <td class="number" data-change={Math.sign(change)}>
          {change === 0 ? "=" : `${change > 0 ? "+" : "−"}${percent(Math.abs(change))}`}
        </td>
      )}
    </tr>
  );
}

/** Dragging a bar asks for the chance at its end. The keyboard has the field below the table. */
function dragsOf(result: string, most: number) {
  const setAt = ({ currentTarget, clientX }: { currentTarget: HTMLElement; clientX: number }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const part = Math.min(1, Math.max(0.001, (clientX - left) / width));
    setChance(result, `${Math.max(1, Math.round(1000 * most * part))}/1000`);
  };
  return {
    "data-set": true,
    onPointerDown(event: PointerEvent & { currentTarget: HTMLElement }) {
      event.currentTarget.setPointerCapture(event.pointerId);
      scale.value = most;
      setAt(event);
    },
    onPointerMove(event: PointerEvent & { currentTarget: HTMLElement }) {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) setAt(event);
    },
    onLostPointerCapture() {
      scale.value = undefined;
    },
  };
}

function Waiting({ result }: { readonly result: string }) {
  const found = useAnswer("wait", { result });
  return (
    <section class="waiting" aria-live="polite">
      <h3>Tries until the first {result}</h3>
      {found === undefined && <p class="quiet">…</p>}
      {found !== undefined && "problem" in found && <p>{found.problem}</p>}
      <Target result={result} />
      {found !== undefined && "mean" in found && (
        <Curve
          points={found.points}
          marks={found.quantiles.map(([, n]) => n)}
          label={`The share of players who have ${result}, by the number of tries`}
        />
      )}
      {found !== undefined && "mean" in found && (
        <dl>
          <div>
            <dt>on average</dt>
            <dd>{rounded(found.mean)}</dd>
          </div>
          {found.quantiles.map(([share, tries]) => (
            <div>
              <dt>{PLAYERS[share]}</dt>
              <dd>{tries.toLocaleString("en")}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

const PLAYERS: Readonly<Record<string, string>> = {
  "1/2": "half have it by",
  "9/10": "9 in 10 have it by",
  "99/100": "99 in 100 have it by",
};

/** Why the last target was not met. */
const problem = signal("");

/** Asks for other odds of a result: all other results keep their proportions, and the file gets the new weights. */
function setChance(result: string, chance: string): void {
  const { files, file } = shown.value;
  problem.value = "";
  pinned.value ??= files;
  ask("target", { result, chance }).then(
    (answer) => {
      if (answer !== undefined) write(file, answer.text);
    },
    ({ issues: [{ message }] }) => {
      problem.value = message;
    },
  );
}

function canSet(): boolean {
  return look.value?.kind === "list" || look.value?.kind === "table";
}

function Target({ result }: { readonly result: string }) {
  if (!canSet()) return null;
  const set = (event: SubmitEvent) => {
    event.preventDefault();
    const tries = Number(new FormData(event.currentTarget as HTMLFormElement).get("tries"));
    setChance(result, `100/${Math.round(100 * tries)}`);
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
