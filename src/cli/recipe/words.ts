import { type Command, InvalidArgumentError } from "commander";
import { oneLine } from "../../errors/index.js";
import type { WordInput } from "../../index.js";
import { MAX_TIER } from "../../recipes/index.js";
import type { ChangedWord, TableWord, WordParts } from "../../wordstores/index.js";
import { define, type Flag, type Flags, option, required } from "../command.js";
import { report } from "../shared/documents.js";
import { type Io, note, printLines, refuse } from "../shared/io.js";
import { integer, JSON_DOCUMENT, keyValue } from "../shared/options.js";
import { placeIn, RECIPE, RECIPE_FILE, readRecipe, TIMEOUT, timeLimit, warnings } from "./source.js";

const PLACE = "folder of CSV files, .json or .sqlite file, or URL";

export function addTables(recipe: Command, io: Io): void {
  const tables = recipe.command("tables").description("move a recipe's words between files and databases");
  const verbs = {
    import: ["copy words into a database or files", "--to words.json"],
    export: ["copy words out of a database or files", "--from words.json --to words"],
  } as const;
  for (const [verb, [description, places]] of Object.entries(verbs)) {
    define(tables.command(verb), io, {
      examples: [`recipe tables ${verb} weapon ${places}`],
      description: `${description}, including proposals; if it fails, no table changes`,
      takes: [RECIPE],
      options: [
        RECIPE_FILE,
        TIMEOUT,
        option("--from <source>", `${PLACE} (default: the words of the shipped recipe)`),
        required("--to <target>", "target of the copy, in a form that --from accepts; created if missing"),
        option("--replace", "replace existing words"),
      ],
      async run(flags, recipe) {
        const { name, spec, shippedTables } = await readRecipe(io, recipe, flags);
        const { copyTables, saveTables } = await import("../../wordstores/index.js");
        const { replace = false } = flags;
        const options = { recipe: name, spec, replace, onIssue: warnings(io), ...timeLimit(flags) };
        const from = flags.from === undefined ? undefined : placeIn(io, flags.from);
        const to = placeIn(io, flags.to);
        if (from === undefined && shippedTables === undefined) {
          refuse("the recipe has no words", { expected: "--from with the place of the words" });
        }
        if (from === undefined) await saveTables(to, shippedTables ?? {}, options);
        const tables = from === undefined ? (shippedTables ?? {}) : await copyTables(from, to, options);
        const lines = Object.entries(tables).map(([table, rows]) => `${table}\t${rows.length}`);
        await printLines(io, lines);
        note(io, `words copied: ${Object.values(tables).reduce((sum, rows) => sum + rows.length, 0)}`);
      },
    });
  }
}

const CHANGED = [RECIPE_FILE, TIMEOUT, required("--tables <target>", PLACE), JSON_DOCUMENT] as const;
const STRICT = option("--strict", "fail if the word looks like another word of the table");
const PARTS = [
  STRICT,
  option("--tier <tier>", "tier of the word", integer(0, MAX_TIER)),
  option("--weight <number>", "weight of the word: a word of weight 2 is picked twice as often as one of weight 1"),
  option("--stat <stat=number>", "number that the word adds to a stat; repeatable", keyValue),
] as const;
const PROPOSED = [
  ...PARTS,
  option("--by <name>", "the person who proposes the word"),
  option("--time <time>", "time of the proposal, such as 2026-11-22T06:00:00Z (default: now)", timeOf),
] as const;
const EDITED = [...PARTS, option("--word <text>", "the new text")] as const;

type Stores = typeof import("../../wordstores/index.js");

/** A command that changes one word. */
interface Verb<Options extends readonly Flag[]> {
  readonly example: string;
  readonly description: string;
  readonly options: Options;
  readonly change: (stores: Stores, place: string, word: TableWord, flags: Flags<Options>) => Promise<ChangedWord>;
}

export function addWord(recipe: Command, io: Io): void {
  const group = recipe
    .command("word")
    .description("words that users propose; no item uses them until they are accepted");
  const add = <const Options extends readonly Flag[]>(verb: string, { change, ...help }: Verb<Options>) =>
    define(group.command(verb), io, {
      examples: [`recipe word ${verb} weapon element ${help.example} --tables words.json`],
      description: help.description,
      takes: [RECIPE, ["<table>", "table, such as element"], ["<word>", "the word"]],
      options: [...CHANGED, ...help.options],
      async run(given, recipe, table, word) {
        // the cast is safe: these are the options of the command
        const flags = given as unknown as Flags<typeof CHANGED> & Flags<Options>;
        const { name, spec } = await readRecipe(io, recipe, flags);
        const stores = await import("../../wordstores/index.js");
        const found = { recipe: name, spec, table, word, onIssue: warnings(io), ...timeLimit(flags) };
        const { row, lookAlikes } = await change(stores, placeIn(io, flags.tables), found, flags);
        await report(io, flags, {
          head: { command: `recipe word ${verb}`, name },
          data: () => ({ table, ...row, lookAlikes }),
          lines: () => [rowLine(table, row)],
        });
        for (const { word: other, id, status, reasons } of lookAlikes) {
          const like = `${JSON.stringify(other)} (${status}, id ${id})`;
          note(io, `the word looks like ${like}; differences: ${reasons.join(", ")}`);
        }
      },
    });
  add("propose", {
    example: "foggy --stat magic=1 --by Ann",
    description: "store a word as a proposal",
    options: PROPOSED,
    change: (stores, place, word, flags) => {
      const { by: proposer, time: proposed = new Date(), strict = false } = flags;
      const origin = { ...(proposer !== undefined && { proposer }), proposed };
      return stores.proposeWord(place, { ...word, ...origin, ...partsOf(flags), strict });
    },
  });
  add("accept", {
    example: "foggy",
    description: "accept a proposed or rejected word, unless it would break the recipe",
    options: [STRICT],
    change: (stores, place, word, { strict = false }) => stores.acceptWord(place, { ...word, strict }),
  });
  add("edit", {
    example: "foggy --stat magic=2",
    description: "change the text, the tier, the weight or the stats of a word",
    options: EDITED,
    change: (stores, place, word, { word: text, strict = false, ...flags }) => {
      const change = { ...partsOf(flags), ...(text !== undefined && { word: text }) };
      return stores.editWord(place, { ...word, change, strict });
    },
  });
  add("reject", {
    example: "foggy",
    description: "reject a proposal, or take back an accepted word; the row remains, and accept undoes this",
    options: [],
    change: (stores, place, word) => stores.rejectWord(place, word),
  });
  add("deactivate", {
    example: "rimed",
    description: "stop picking an accepted word at random; requests still find it",
    options: [],
    change: (stores, place, word) => stores.deactivateWord(place, word),
  });
  add("activate", {
    example: "rimed",
    description: "pick an inactive word at random again",
    options: [],
    change: (stores, place, word) => stores.activateWord(place, word),
  });
  define(group.command("list"), io, {
    examples: ["recipe word list weapon --tables words.json"],
    description: "list the proposals: table, word, status, and the other columns",
    takes: [RECIPE, ["[table]", "only proposals for this table"]],
    options: [
      RECIPE_FILE,
      TIMEOUT,
      required("--tables <source>", PLACE),
      option("--rejected", "list the rejected words instead"),
      JSON_DOCUMENT,
    ],
    async run(flags, recipe, table) {
      const { name, spec } = await readRecipe(io, recipe, flags);
      const { listProposals } = await import("../../wordstores/index.js");
      const proposals = await listProposals(placeIn(io, flags.tables), {
        recipe: name,
        spec,
        status: flags.rejected ? "rejected" : "proposed",
        ...(table !== undefined && { table }),
        onIssue: warnings(io),
        ...timeLimit(flags),
      });
      await report(io, flags, {
        head: { command: "recipe word list", name },
        data: () => proposals.map((proposal) => ({ table: proposal.table, ...proposal.row })),
        lines: () => proposals.map((proposal) => rowLine(proposal.table, proposal.row)),
      });
    },
  });
}

/** Returns table, word, status (or "inactive"), numbers other than 0, and the time and the proposer of a proposal. */
function rowLine(table: string, row: WordInput): string {
  const { id: _, word, active, status = "accepted", proposer = "", proposed, ...columns } = row;
  const shown = status === "accepted" && active !== true ? "inactive" : status;
  const parts = Object.entries(columns).filter(([, value]) => value !== 0);
  const numbers = parts.map(([column, value]) => `${column} ${value}`).join(", ");
  const origin = proposed === undefined ? [] : [proposed, proposer];
  // a word that another program stored can contain a line break
  return [table, word, shown, numbers, ...origin].map(oneLine).join("\t");
}

function partsOf({ tier, weight, stat = {} }: Omit<Flags<typeof PARTS>, "strict">): WordParts {
  return {
    ...(tier !== undefined && { tier }),
    ...(weight !== undefined && { weight: numberOf("--weight", weight) }),
    stats: Object.fromEntries(Object.entries(stat).map(([name, text]) => [name, numberOf(`--stat ${name}`, text)])),
  };
}

function timeOf(text: string): Date {
  const time = new Date(text);
  // without a zone, the meaning of the time would depend on the machine
  if (/^[^T]*T.*(?:Z|[+-]\d\d:\d\d)$/i.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError("Expected a time with its zone, such as 2026-11-22T06:00:00Z.");
}

function numberOf(flag: string, text: string): number {
  const value = /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  const expected = "a decimal such as 2.5";
  return refuse(`the value of ${flag} is not a number`, { got: text, expected });
}
