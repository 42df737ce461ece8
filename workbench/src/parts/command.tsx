import { useSignal } from "@preact/signals";
import { stemOf } from "../document.js";
import { download } from "../download.js";
import { hasWords } from "../served.js";
import { shown } from "../state.js";
import { look } from "../views/look.js";
import { ask } from "../work/ask.js";
import type { Failure, NounKind, Shown } from "../work/protocol.js";
import { codeOf, type Taken } from "./code.js";

/** What to take away: the command lines that print what the page shows, the code that does the same, and the files. */
export function Command() {
  const problem = useSignal("");
  const kind = look.value?.kind;
  // the address of the words is for the author, and may have a password
  if (kind === undefined || hasWords) return null;
  const { file, files, seed, view } = shown.value;
  const items = itemsIn(look.value?.shown);
  const name = file.slice(file.lastIndexOf("/") + 1);
  const savePlan = () => {
    problem.value = "";
    ask("plan", {}).then(
      (answer) => answer && download(`${stemOf(file)}.plan`, answer.bytes),
      ({ issues: [{ message }] }: Failure) => {
        problem.value = message;
      },
    );
  };
  return (
    <footer class="command">
      <details>
        <summary>Take it away</summary>
        <div class="group">
          <button type="button" onClick={() => download(name, files[file])}>
            {name}
          </button>
          <button type="button" onClick={savePlan} title="For engines without JavaScript, or without a parser">
            Plan file
          </button>
        </div>
        {problem.value !== "" && <p class="problem">{problem.value}</p>}
        {items === undefined ? (
          <p class="quiet">The requests cannot be met, so no command makes these items.</p>
        ) : (
          <>
            <p class="quiet">The same on the command line</p>
            {commandsOf(kind, { file, seed, view, items }).map((line) => (
              <code>npx {line}</code>
            ))}
            <p class="quiet">The same in a program</p>
            <pre>{codeOf(kind, { file, seed, view, items })}</pre>
          </>
        )}
      </details>
    </footer>
  );
}

/** The number of items, and the options with which they are made; undefined if the requests cannot be met. */
function itemsIn(found: Shown | undefined): Taken["items"] | undefined {
  if (found?.view !== "items") return { count: 0, options: {} };
  return found.items.length === 0 ? undefined : { count: found.items.length, options: found.options };
}

function commandsOf(kind: NounKind, { file, seed, view, items }: Taken): readonly string[] {
  const path = quoted(file);
  const own = `--seed ${quoted(seed)}`;
  const options = tableOptions(view);
  const words = quoted(file.replace(/\.[^./]*$/, ""));
  const lines: Record<typeof kind, readonly string[]> = {
    list: [`rollmill pick ${path} --odds`, `rollmill pick ${path} -n 24 ${own}`],
    table: [`rollmill table odds ${path}${options}`, `rollmill table roll ${path} -n 24 ${own}${options}`],
    drops: [`rollmill drops ${path} --odds`, `rollmill drops ${path} -n 12 ${own}`],
    pools: [`rollmill pool odds ${path} ${quoted(firstPool())}`],
    recipe: [`rollmill recipe make ${path} --tables ${words} ${own}${itemOptions(items)}`],
    objects: [`rollmill object make ${quoted(file.replace(/[^/]*$/, "") || ".")} ${own}${itemOptions(items)}`],
    walk: [`rollmill walk run ${path} ${own} -o map.png`],
    world: [`rollmill world picture ${path} ${own} -o map.png`],
  };
  return lines[kind];
}

function firstPool(): string {
  const found = look.value?.shown;
  return found?.view === "pools" ? (found.nodes[0]?.path ?? "") : "";
}

/** The options of tables: where rolls start, and the weights of scripts. */
function tableOptions(view: Taken["view"]): string {
  const start = view["with start"] === undefined ? "" : ` --start ${view["with start"]}`;
  const weights = Object.entries(view).flatMap(([name, weight]) => {
    return name.startsWith("with script ") ? [` --weight ${name.slice("with script ".length)}=${weight}`] : [];
  });
  return start + weights.join("");
}

function itemOptions({ count, options }: Taken["items"]): string {
  const words = Object.entries(options).flatMap(([name, value]) => argumentsOf(flagOf(name), value));
  return ["-n", String(count), ...words].map((word) => ` ${quoted(word)}`).join("");
}

const DECIMAL = new Intl.NumberFormat("en", { useGrouping: false, maximumFractionDigits: 20 });

/** A list and the words of slots repeat the flag. */
function argumentsOf(flag: string, value: unknown): readonly string[] {
  if (value === true) return [`--${flag}`];
  if (value === false) return [`--no-${flag}`];
  // the command takes no exponents
  if (typeof value === "number") return [`--${flag}`, DECIMAL.format(value)];
  if (Array.isArray(value)) return value.flatMap((one) => [`--${flag}`, String(one)]);
  if (typeof value !== "object" || value === null) return [`--${flag}`, String(value)];
  return Object.entries(value).flatMap(([slot, word]) => [`--${flag}`, `${slot}=${word}`]);
}

function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
