import { type Command, InvalidArgumentError } from "commander";
import { error, fail, oneLine } from "../../errors/index.js";
import type { WordInput } from "../../index.js";
import { MAX_TIER } from "../../recipes/index.js";
import type { ChangedWord, TableWord, WordParts } from "../../wordstores/index.js";
import { withExamples } from "../examples.js";
import { printDocument } from "../shared/envelope.js";
import { type Io, note, print } from "../shared/io.js";
import { integer, jsonOption, keyValue } from "../shared/options.js";
import { placeIn, readRecipe, type SourceFlags, timeLimit, warnings, withRecipe, withTimeout } from "./source.js";

interface ListFlags extends SourceFlags {
  readonly tables: string;
  readonly rejected?: boolean;
}

interface WordFlags extends SourceFlags {
  readonly tables: string;
  readonly strict?: boolean;
}

/** The flags of `propose` and `edit`. */
interface PartFlags extends WordFlags {
  readonly tier?: number;
  readonly weight?: string;
  readonly stat?: Readonly<Record<string, string>>;
  readonly by?: string;
  readonly time?: Date;
  readonly word?: string;
}

type Stores = typeof import("../../wordstores/index.js");

type Change = (stores: Stores, place: string, word: TableWord) => Promise<ChangedWord>;

const PLACE = "folder of CSV files, .json or .sqlite file, or URL";

export function addWord(recipe: Command, io: Io): void {
  const word = recipe
    .command("word")
    .description("words that users propose; no item uses them until they are accepted");
  const changing = (verb: string, description: string, example: string) =>
    withTimeout(withRecipe(withExamples(word.command(verb), io, `recipe word ${verb} weapon element ${example}`)))
      .description(description)
      .argument("<table>", "table, such as element")
      .argument("<word>", "the word")
      .requiredOption("--tables <target>", PLACE)
      .addOption(jsonOption());
  addProposing(changing, io);
  const simple = { reject: "rejectWord", deactivate: "deactivateWord", activate: "activateWord" } as const;
  const descriptions = {
    reject: "reject a proposal, or take back an accepted word; the row remains, and accept undoes this",
    deactivate: "stop picking an accepted word at random; requests still find it",
    activate: "pick an inactive word at random again",
  };
  for (const verb of ["reject", "deactivate", "activate"] as const) {
    const example = `${verb === "reject" ? "foggy" : "rimed"} --tables words.json`;
    changing(verb, descriptions[verb], example).action((name: string, table: string, text: string, flags: WordFlags) =>
      run(io, { verb, name, table, text, flags }, (stores, place, found) => stores[simple[verb]](place, found)),
    );
  }
  withTimeout(withRecipe(withExamples(word.command("list"), io, "recipe word list weapon --tables words.json")))
    .description("list the proposals: table, word, status, and the other columns")
    .argument("[table]", "only proposals for this table")
    .requiredOption("--tables <source>", PLACE)
    .option("--rejected", "list the rejected words instead")
    .addOption(jsonOption())
    .action((name: string, table: string | undefined, flags: ListFlags) => list(io, name, { ...flags, table }));
}

function addProposing(changing: (verb: string, description: string, example: string) => Command, io: Io): void {
  const strict = (command: Command) =>
    command.option("--strict", "fail if the word looks like another word of the table");
  const parts = (command: Command) =>
    strict(command)
      .option("--tier <tier>", "tier of the word", integer(0, MAX_TIER))
      .option("--weight <number>", "weight of the word: a word of weight 2 is picked twice as often as one of weight 1")
      .option("--stat <stat=number>", "number that the word adds to a stat; repeatable", keyValue);
  parts(changing("propose", "store a word as a proposal", "foggy --stat magic=1 --by Ann --tables words.json"))
    .option("--by <name>", "the person who proposes the word")
    .option("--time <time>", "time of the proposal, such as 2026-11-22T06:00:00Z (default: now)", timeOf)
    .action((name: string, table: string, text: string, flags: PartFlags) =>
      run(io, { verb: "propose", name, table, text, flags }, (stores, place, word) => {
        const { by: proposer, time: proposed = new Date(), strict: isStrict = false } = flags;
        const origin = { ...(proposer !== undefined && { proposer }), proposed };
        return stores.proposeWord(place, { ...word, ...origin, ...partsOf(flags), strict: isStrict });
      }),
    );
  const accepting = "accept a proposed or rejected word, unless it would break the recipe";
  strict(changing("accept", accepting, "foggy --tables words.json")).action(
    (name: string, table: string, text: string, flags: WordFlags) =>
      run(io, { verb: "accept", name, table, text, flags }, (stores, place, word) =>
        stores.acceptWord(place, { ...word, strict: flags.strict === true }),
      ),
  );
  const editing = "change the text, the tier, the weight or the stats of a word";
  parts(changing("edit", editing, "foggy --stat magic=2 --tables words.json"))
    .option("--word <text>", "the new text")
    .action((name: string, table: string, text: string, flags: PartFlags) =>
      run(io, { verb: "edit", name, table, text, flags }, (stores, place, word) => {
        const change = { ...partsOf(flags), ...(flags.word !== undefined && { word: flags.word }) };
        return stores.editWord(place, { ...word, change, strict: flags.strict === true });
      }),
    );
}

interface WordRequest {
  readonly verb: string;
  readonly name: string;
  readonly table: string;
  readonly text: string;
  readonly flags: WordFlags;
}

async function run(io: Io, request: WordRequest, change: Change): Promise<void> {
  const { verb, table, text, flags } = request;
  const { name, spec } = await readRecipe(io, request.name, flags);
  const stores = await import("../../wordstores/index.js");
  const word = { recipe: name, spec, table, word: text, onIssue: warnings(io), ...timeLimit(flags) };
  const { row, lookAlikes } = await change(stores, placeIn(io, flags.tables), word);
  const head = { command: `recipe word ${verb}`, seed: null, name };
  if (flags.json) await printDocument(io, head, { table, ...row, lookAlikes });
  else await print(io, rowLine(table, row));
  for (const { word: other, id, status, reasons } of lookAlikes) {
    note(io, `the word looks like ${JSON.stringify(other)} (${status}, id ${id}); differences: ${reasons.join(", ")}`);
  }
}

async function list(io: Io, recipe: string, flags: ListFlags & { readonly table: string | undefined }): Promise<void> {
  const { name, spec } = await readRecipe(io, recipe, flags);
  const { listProposals } = await import("../../wordstores/index.js");
  const only = flags.table === undefined ? {} : { table: flags.table };
  const status = flags.rejected ? "rejected" : "proposed";
  const options = { recipe: name, spec, status, ...only, onIssue: warnings(io), ...timeLimit(flags) } as const;
  const proposals = await listProposals(placeIn(io, flags.tables), options);
  const head = { command: "recipe word list", seed: null, name };
  const rows = proposals.map((proposal) => ({ table: proposal.table, ...proposal.row }));
  if (flags.json) await printDocument(io, head, rows);
  else await print(io, proposals.map((proposal) => rowLine(proposal.table, proposal.row)).join(""));
}

/** Table, word, status (or "inactive"), and the numbers other than 0; for a proposal, also its time and its proposer. */
function rowLine(table: string, row: WordInput): string {
  const { id: _, word, active, status = "accepted", proposer = "", proposed, ...columns } = row;
  const shown = status === "accepted" && active !== true ? "inactive" : status;
  const parts = Object.entries(columns).filter(([, value]) => value !== 0);
  const numbers = parts.map(([column, value]) => `${column} ${value}`).join(", ");
  const origin = proposed === undefined ? [] : [proposed, proposer];
  // a word that another program has stored can have a line break
  return `${[table, word, shown, numbers, ...origin].map(oneLine).join("\t")}\n`;
}

function partsOf({ tier, weight, stat = {} }: PartFlags): WordParts {
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
  return fail(error("cli.usage", { problem: `the value of ${flag} is not a number`, got: text, expected }));
}
