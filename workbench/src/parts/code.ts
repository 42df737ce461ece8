// The lines of a program for Node that prints what the page shows.

import { type Document, stemOf } from "../document.js";
import type { NounKind } from "../work/protocol.js";

export type Taken = Pick<Document, "file" | "seed" | "view"> & {
  /** How many items are shown, and the options with which the library makes them. */
  readonly items: { readonly count: number; readonly options: Readonly<Record<string, unknown>> };
};

/** Lists and tables come from the plan file; other nouns from the files themselves. */
export function codeOf(kind: NounKind, { file, seed, view, items: { count, options } }: Taken): string {
  const [name, path, seedText] = [stemOf(file), file, seed].map((text) => JSON.stringify(text));
  const words = JSON.stringify(file.replace(/\.[^./]*$/, ""));
  const inFolder = file.slice(0, file.lastIndexOf("/") + 1);
  const [folderText, folderName] = [inFolder, inFolder.slice(0, -1) || "objects"].map((text) => JSON.stringify(text));
  const made = Object.keys(options).length === 0 ? count : `${count}, ${literalOf(options)}`;
  const lines: Record<NounKind, readonly string[]> = {
    list: rolled(name, seedText),
    table: rolled(name, seedText),
    pools: [
      ...reading(),
      `const pools = ${mill(seedText)}.pools(${name}, read(${path}), { file: ${path} });`,
      "for (const root of pools.roots) console.log(pools.pool(root).draw());",
    ],
    drops: [
      ...reading("loadTable", "rollmill/tables"),
      `const drops = JSON.parse(read(${path}));`,
      "const { spec: table } = await loadTable(drops.table, read);",
      `const noun = ${mill(seedText)}.drops(${name}, { ...drops, table });`,
      "for (let at = 0; at < 12; at++) console.log(noun.roll({ at }));",
    ],
    recipe: [
      ...reading("loadTables", "rollmill/wordstores"),
      `const spec = JSON.parse(read(${path}));`,
      `const tables = await loadTables(${words}, { recipe: ${name}, spec });`,
      `const items = ${mill(seedText)}.recipe(${name}, spec, { tables }).makeMany(${made});`,
      "for (let k = 0; k < items.length; k++) console.log(items.name(k));",
    ],
    objects: [
      ...reading("FILE_NAMES", "rollmill/objects"),
      `const texts = Object.entries(FILE_NAMES).map(([key, file]) => [key, read(${folderText} + file)]);`,
      `const maker = ${mill(seedText)}.objects(${folderName}, Object.fromEntries(texts));`,
      `const made = maker.makeMany(${made});`,
      "for (let k = 0; k < made.length; k++) console.log(made.name(k));",
    ],
    walk: [
      ...reading(),
      `const spec = JSON.parse(read(${path}));`,
      `const { total } = ${mill(seedText)}.walk(spec.name ?? ${name}, spec).run();`,
      "console.log(total.bounds);",
    ],
    world: [
      ...reading("loadWorld", "rollmill/worlds"),
      `const { spec } = await loadWorld(${path}, read);`,
      `const world = ${mill(seedText)}.world(spec.name ?? ${name}, spec);`,
      `console.log(world.at(${Number(view.row ?? 0)}, ${Number(view.col ?? 0)}));`,
    ],
  };
  return lines[kind].join("\n");
}

function literalOf(options: object): string {
  return `{ ${Object.entries(options)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")
    // a slot may have this name, which would set the prototype
    .replaceAll('"__proto__":', '["__proto__"]:')} }`;
}

function mill(seed: string): string {
  return `createMill({ seed: ${seed} })`;
}

function rolled(name: string, seed: string): readonly string[] {
  return [
    ...opened(name, seed),
    `const noun = plan.noun(${name});`,
    "for (const result of noun.many(24)) console.log(noun.label(result));",
  ];
}

function opened(name: string, seed: string): readonly string[] {
  return [
    'import { readFileSync } from "node:fs";',
    'import { openPlan } from "rollmill/plans";',
    "",
    `const plan = await openPlan(readFileSync(${name.slice(0, -1)}.plan"), { seed: ${seed} });`,
  ];
}

function reading(call?: string, path?: string): readonly string[] {
  return [
    'import { existsSync, readFileSync } from "node:fs";',
    'import { createMill } from "rollmill";',
    ...(call === undefined ? [] : [`import { ${call} } from "${path}";`]),
    "",
    'const read = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);',
  ];
}
