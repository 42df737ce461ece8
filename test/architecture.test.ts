import ts from "typescript";
import { describe, expect, test } from "vitest";
import { SYSTEMS as MUTATED } from "../scripts/project-copy.mjs";
import { SCHEMAS } from "../scripts/schema-list.mjs";
import {
  expectNone,
  exportsOf,
  expressionsIn,
  filesIn,
  importCycle,
  importsOf,
  isInFunction,
  namesIn,
  namesTakenBy,
  neighboursOf,
  parsed,
  propertiesIn,
  read,
  type Shape,
  type SourceFile,
  shapesIn,
} from "./architecture/sources.js";

const sources = filesIn("src", [".ts"]);
const kernelSources = filesIn("assembly", [".ts"]);
const tests = filesIn("test", [".ts", ".mjs"]);
/** The page, a package of its own. */
const workbench = filesIn("workbench", [".ts", ".tsx", ".mjs"]);
const scripts = [...filesIn("scripts", [".mjs"]), ...filesIn("examples", [".mjs"])];
const everything = [
  ...sources,
  ...kernelSources,
  ...tests,
  ...scripts,
  ...filesIn("bench", [".ts", ".mjs", ".c", ".h"]),
];

/**
 * The parts of src/ from the top down. A part imports parts of lower lines only: the parts of one line are siblings.
 */
const KERNEL_FRONTS = ["src/kernel/index.ts", "src/kernel/layout.ts", "src/kernel/embedded.ts", "src/kernel/plans.ts"];
const LINES = [
  ["cli"],
  ["bullmq"],
  ["index", "wordstores", "compat", "jobs", "threads"],
  ["mill"],
  ["instruments"],
  ["core"],
  ["snapshot"],
  ["plans"],
  ["worlds"],
  ["tables", "pools", "walks", "recipes", "objects", "weighted", "dice", "samples", "streams"],
  ["formats", "localTime"],
  ["amounts"],
  ["calls"],
  ["address"],
  ["kernel"],
  ["files"],
  ["decimals"],
  ["spec", "sha256"],
  ["factors"],
  ["fractions"],
  ["errors"],
];

const SYSTEMS = ["weighted", "dice", "samples", "tables", "pools", "walks", "recipes", "objects", "worlds"];

/** The wings that a wing imports besides itself and core. */
const WINGS_OF: Readonly<Record<string, readonly string[]>> = {
  worlds: ["walks"],
  plans: ["dice", "objects", "pools", "recipes", "samples", "tables", "walks", "weighted", "worlds"],
};

/** Constants of assembly that are numbers but neither offsets nor sizes of records. */
const UNITS = /(?:^|_)(?:SHIFT|BITS|SLOTS|PAGES|SIDE|MASK|ALIGNMENT)$|^(?:LANE|ROW|PAGE)_BYTES$/;

describe("imports go one way", () => {
  test("every part of src has its line", () => {
    expect([...new Set(sources.map(partOf))].sort(), "src/: each folder and file is named in LINES").toEqual(
      LINES.flat().sort(),
    );
  });

  test("no part imports a sibling or a part above it", () => {
    expectNone(sources, "imports of src/ go down the LINES", (file) =>
      partsImportedBy(file)
        .filter((part) => lineOf(part) <= lineOf(partOf(file)))
        .map((part) => `imports ${part}`),
    );
  });

  test("formats know no system and no kernel", () => {
    const allowed = ["errors", "spec", "fractions", "decimals"];
    // long calls of a format look at a signal and report progress as those of a system do
    const watch = "src/calls/watch.ts";
    const rule = `src/formats imports src/errors, src/spec, exact numbers and ${watch} only`;
    expectNone(inside("formats"), rule, (file) =>
      neighboursOf(file, { types: true })
        .filter((path) => path !== watch && ![...allowed, "formats"].includes(partOf({ path })))
        .map((path) => `imports ${path}`),
    );
  });

  test("the law of objects stands at the bottom", () => {
    const law = "src/objects/law/";
    const above = (path: string) => path.startsWith("src/objects/") && !path.startsWith(law);
    expectNone(inside("objects"), `${law} imports no other part of src/objects but its types`, (file) =>
      (file.path.startsWith(law) ? neighboursOf(file, { types: true }) : [])
        .filter((path) => above(path) && path !== "src/objects/types.ts")
        .map((path) => `imports ${path}`),
    );
  });

  test("no files import one another in a cycle, type-only imports included", () => {
    expect(importCycle(sources, { types: true }), "src/: no cycle of imports").toBeUndefined();
  });

  test("formats declare no type of a system again", () => {
    const own = SYSTEMS.flatMap(inside).flatMap(shapesIn);
    expectNone(inside("formats"), "src/formats takes columns and cells; adapters belong to the system", (file) =>
      shapesIn(file).flatMap((shape) => own.filter((other) => declaresAgain(shape, other)).map(pairOf(shape))),
    );
  });
});

describe("the kernel's wings are separate", () => {
  test("each wing is a system of src", () => {
    const wings = new Set(kernelSources.map(wingOf).filter((wing) => wing !== "" && wing !== "core"));
    expect([...wings].filter((wing) => ![...SYSTEMS, "plans", "scalar"].includes(wing))).toEqual([]);
  });

  test("mutation tests run the tests of every wing", () => {
    const wings = new Set(kernelSources.map(wingOf).filter((wing) => !["", "core", "scalar"].includes(wing)));
    expect([...MUTATED].sort()).toEqual([...wings].sort());
    const untested = MUTATED.filter((name) => !tests.some(({ path }) => path.startsWith(`test/${name}/`)));
    expect(untested).toEqual([]);
  });

  test("core imports no wing, and a wing imports itself, core and what WINGS_OF lists", () => {
    const inWings = kernelSources.filter((file) => wingOf(file) !== "");
    expectNone(inWings, "assembly/<wing> imports itself, assembly/core and WINGS_OF[<wing>]", (file) =>
      neighboursOf(file, { types: true })
        .filter((path) => ![wingOf(file), "core", ...(WINGS_OF[wingOf(file)] ?? [])].includes(wingOf({ path })))
        .map((path) => `imports ${path}`),
    );
  });

  test("no files import one another in a cycle", () => {
    expect(importCycle(kernelSources, { types: true }), "assembly/: no cycle of imports").toBeUndefined();
  });
});

describe("addresses and offsets have one source", () => {
  test("only src/kernel computes addresses", () => {
    expectNone(outside("kernel"), "use within(), Layout.offsets, or a method of Kernel", (file) => [
      ...expressionsIn(file, isAddressArithmetic),
      ...expressionsIn(file, (node) => ts.isAsExpression(node) && node.type.getText() === "Address" && !isZero(node)),
    ]);
  });

  test("a system's layouts are known to its kernel and compile files alone", () => {
    const layouts = kernelSources.filter(({ path }) => path.endsWith("/layout.ts")).flatMap(shapesIn);
    const names = new Set(layouts.map(({ name }) => name));
    const others = SYSTEMS.flatMap(inside).filter(({ path }) => !/\/(?:kernel|compile)[./]/.test(path));
    expectNone(others, "elsewhere, only constants of a public limit come from src/kernel", (file) =>
      namesTakenBy(file)
        .map((taken) => taken.split(" "))
        .filter(([path, name]) => path === "src/kernel/layout.ts" && names.has(name))
        .map(([, name]) => `imports ${name}`),
    );
  });

  test("no offset or size of a record is written as a number in assembly", () => {
    expectNone(kernelSources, "declare an @unmanaged class; use its fields and offsetof", (file) => [
      ...expressionsIn(file, isOffsetConstant),
      ...expressionsIn(file, hasLiteralOffset),
    ]);
  });
});

describe("the core runs anywhere", () => {
  const core = sources.filter((file) => !["cli", "files", "formats", "wordstores", "jobs"].includes(partOf(file)));

  test("it imports relative files, the loader and seedrandom only", () => {
    const allowed = ["@assemblyscript/loader", "seedrandom"];
    expectNone(
      core,
      "outside src/cli, src/formats, src/jobs and src/wordstores no other package may be imported",
      (file) =>
        importsOf(file)
          .filter(({ name }) => !name.startsWith(".") && !allowed.includes(name))
          .map(({ name }) => `imports ${name}`),
    );
  });

  test("nothing but the command line, files, databases and jobs needs Node", () => {
    const globals = ["process", "Buffer", "require", "__dirname", "__filename", "global"];
    const anywhere = outside("cli").filter((file) => !["files", "wordstores", "jobs"].includes(partOf(file)));
    expectNone(
      anywhere,
      "Node's modules and globals belong to src/cli, src/files, src/wordstores and src/jobs",
      (file) => [
        ...namesIn(file, globals),
        ...importsOf(file)
          .filter(({ name }) => name.startsWith("node:"))
          .map(({ name }) => `imports ${name}`),
      ],
    );
  });

  test("a command gets everything of its process from its Io", () => {
    const entry = ["src/cli/process.ts", "src/cli/processIo.ts"];
    const commands = inside("cli").filter(({ path }) => !entry.includes(path));
    expectNone(commands, "in src/cli, only process.ts and processIo.ts use process and console", (file) =>
      namesIn(file, ["process", "console"]),
    );
  });

  test("databases are reached through kysely, and drivers load when one is", () => {
    const allowed = ["kysely", "better-sqlite3", "pg", "mysql2"];
    const drivers = allowed.slice(1).flatMap((name) => [`from "${name}"`, `require("${name}")`]);
    expectNone(
      inside("wordstores"),
      "src/wordstores imports Node, kysely and, where one is opened, its drivers",
      (file) => [
        ...importsOf(file)
          .filter(({ name }) => !/^(?:\.|node:)/.test(name) && !allowed.includes(name))
          .map(({ name }) => `imports ${name}`),
        ...expressionsIn(
          file,
          (node) =>
            ts.isImportDeclaration(node) &&
            node.importClause?.isTypeOnly !== true &&
            drivers.some((driver) => node.getText().includes(driver)),
        ),
      ],
    );
  });

  test("CommonJS can require it: no await at the top of a module", () => {
    expectNone(outside("cli"), "no top-level await", (file) =>
      expressionsIn(file, (node) => (ts.isAwaitExpression(node) || isForAwait(node)) && !isInFunction(node)),
    );
  });

  test("only src/kernel sees WebAssembly and its memory", () => {
    expectNone(outside("kernel"), "WebAssembly and an instance's memory belong to src/kernel", (file) => [
      ...namesIn(file, ["WebAssembly", "KERNEL_TEXT", "instantiateKernel"]),
      ...propertiesIn(file, ["memory"]),
      ...importsOf(file)
        .filter(({ name }) => name === "@assemblyscript/loader")
        .map(({ name }) => `imports ${name}`),
      ...neighboursOf(file, { types: true })
        .filter((path) => path.startsWith("src/kernel/") && !KERNEL_FRONTS.includes(path))
        .map((path) => `imports ${path}`),
    ]);
  });

  test("the seed alone decides: no clock and no other randomness", () => {
    // random_default needs a time: read once a mill, in one place, and recorded
    // a long call looks at the clock to look at its signal often enough; its results do not depend on that
    const clocks = new Map([
      ["src/core/mill.ts", 1],
      ["src/calls/watch.ts", 1],
    ]);
    // locks and logs have a time, and temporary files a random name, which reach no result
    const anywhere = outside("cli").filter((file) => !["files", "jobs"].includes(partOf(file)));
    expectNone(anywhere, "no Math.random, clock or crypto outside src/cli", (file) => {
      const found = [...expressionsIn(file, isChance), ...namesIn(file, ["crypto", "performance"])];
      return found.length === clocks.get(file.path) ? [] : found;
    });
  });
});

describe("the kernel decides by integers", () => {
  test("there is no floating point in it", () => {
    const floats = ["f32", "f64", "f32x4", "f64x2", "Math", "Mathf", "NativeMath", "NativeMathf", "number"];
    expectNone(kernelSources, "assembly/ has no f32, f64 or Math", (file) => [
      ...namesIn(file, floats),
      ...expressionsIn(file, (node) => node.kind === ts.SyntaxKind.NumberKeyword),
    ]);
  });

  test("it manages no memory of the runtime's", () => {
    const managed = ["Array", "StaticArray", "Map", "Set", "String", "Uint8Array", "Uint32Array", "Error"];
    expectNone(kernelSources, "assembly/ has no strings, arrays or classes", (file) => [
      ...namesIn(file, managed),
      ...expressionsIn(file, (node) => ts.isNewExpression(node) || ts.isThrowStatement(node)),
    ]);
  });

  test("its compiler's flags stand in asconfig.json alone", () => {
    const { scripts: npm } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const calls = Object.values(npm).filter((line) => /\basc\b/.test(line));
    expect(calls, "package.json: scripts/build-kernel.mjs calls asc, with an entry and a target").toEqual([]);
    expectNone([...scripts, ...tests], "asc's flags stand in asconfig.json", ({ path, text }) =>
      path === "test/architecture.test.ts"
        ? []
        : (text.match(/--(?:enable|runtime|optimize\w*|converge|noAssert|initialMemory|maximumMemory)\b/g) ?? []),
    );
  });
});

describe("every file keeps the house's habits", () => {
  test("exports have names, and are listed one by one", () => {
    // a declaration file says how somebody else exports
    const files = everything.filter(({ path }) => /\.(?:ts|mjs)$/.test(path) && !path.endsWith(".d.ts"));
    expectNone(files, "no default exports, no export *", (file) => expressionsIn(file, isNamelessExport));
  });

  test("an index lists exports and does nothing else", () => {
    const indexes = [...sources, ...kernelSources].filter(({ path }) => path.endsWith("/index.ts"));
    expectNone(indexes, "an index only re-exports", (file) =>
      parsed(file)
        .statements.filter((node) => !ts.isExportDeclaration(node))
        .map((node) => `has ${node.getText().slice(0, 40)}`),
    );
  });

  test("every export of src is used in another file, or in a test", () => {
    const modules = everything.filter(({ path }) => /\.(?:ts|mjs)$/.test(path));
    // scripts/schemas.mjs imports the shapes, and reads the comments of their types
    const shapes = Object.values(SCHEMAS).flatMap((schema) => Object.values(schema.shapes));
    const described = shapes.flatMap(([file, ...names]) => names.map((name) => `src/${file}.ts ${name}`));
    const taken = new Set([...[...modules, ...workbench].flatMap(namesTakenBy), ...described]);
    const isUsed = (path: string, name: string) => taken.has(`${path} ${name}`) || taken.has(`${path} *`);
    const own = sources.filter(({ path }) => !path.endsWith("/index.ts"));
    expectNone(own, "keep a name that no other file uses in its file", (file) =>
      exportsOf(file)
        .filter((name) => !isUsed(file.path, name))
        .map((name) => `exports ${name}`),
    );
  });

  test("every file is named for what it holds", () => {
    expectNone(everything, "no utils", ({ path }) =>
      /(?:^|\/)(?:utils?|helpers?|misc|common)(?:\.\w+)?$/.test(path) ? ["is a landfill"] : [],
    );
  });

  test("no spread of a literal inside an array dodges the formatter", () => {
    const files = everything.filter(({ path }) => /\.(?:ts|mjs)$/.test(path));
    expectNone(files, "write the entries themselves", (file) =>
      expressionsIn(file, (node) => ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression)),
    );
  });

  test("no work is left in comments", () => {
    expectNone(everything, "nothing is put off", ({ path, text }) =>
      path === "test/architecture.test.ts" ? [] : (text.match(/\b(?:TODO|FIXME|XXX|HACK)\b/g) ?? []),
    );
  });

  test("no type is any, and nothing is asserted away", () => {
    const isHole = (node: ts.Node) => node.kind === ts.SyntaxKind.AnyKeyword || ts.isNonNullExpression(node);
    expectNone([...sources, ...tests], "no any, no non-null !, no @ts-ignore", (file) => [
      ...expressionsIn(file, isHole),
      ...(file.path === "test/architecture.test.ts" ? [] : (file.text.match(/@ts-(?:ignore|nocheck)/g) ?? [])),
    ]);
  });
});

function inside(part: string): SourceFile[] {
  return sources.filter((file) => partOf(file) === part);
}

function outside(part: string): SourceFile[] {
  return sources.filter((file) => partOf(file) !== part);
}

/** The part of src/ that a file belongs to: its folder there, or its own name. */
function partOf({ path }: { readonly path: string }): string {
  return path.split("/")[1].replace(/\.ts$/, "");
}

function partsImportedBy(file: SourceFile): string[] {
  const parts = neighboursOf(file, { types: true }).map((path) => partOf({ path }));
  return parts.filter((part) => part !== partOf(file));
}

function lineOf(part: string): number {
  return LINES.findIndex((parts) => parts.includes(part));
}

/** The wing of a file of assembly/: its folder there; "" for assembly/index.ts. */
function wingOf({ path }: { readonly path: string }): string {
  const parts = path.split("/");
  return parts.length > 2 ? parts[1] : "";
}

/** Whether two declarations are one type: all members of one are members of the other, or the same tuple or union. */
function declaresAgain(shape: Shape, other: Shape): boolean {
  if (shape.text !== "") return /[[|]/.test(shape.text) && shape.text === other.text;
  if (other.bases.includes(shape.name)) return false;
  return shape.members.length >= 3 && shape.members.every((member) => other.members.includes(member));
}

function pairOf(shape: Shape): (other: Shape) => string {
  return (other) => `declares ${shape.name}, which is ${other.name} of ${other.file.path}`;
}

/** Arithmetic with an address: shifts to an index of a view, and sums with a number. */
function isAddressArithmetic(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !/^[\w.#]*(?:address|pointer)$/i.test(node.left.getText())) return false;
  const operators = [
    ts.SyntaxKind.PlusToken,
    ts.SyntaxKind.AsteriskToken,
    ts.SyntaxKind.SlashToken,
    ts.SyntaxKind.GreaterThanGreaterThanToken,
    ts.SyntaxKind.GreaterThanGreaterThanGreaterThanToken,
  ];
  return operators.includes(node.operatorToken.kind);
}

/** `0 as Address`: the address that a failed build returns. */
function isZero({ expression }: ts.AsExpression): boolean {
  return expression.getText() === "0";
}

/** `const ROWS: usize = 4` at the top of a file: an offset or a size, unless its name says otherwise. */
function isOffsetConstant(node: ts.Node): boolean {
  if (!ts.isVariableDeclaration(node) || node.type?.getText() !== "usize" || node.initializer === undefined)
    return false;
  if (!ts.isSourceFile(node.parent.parent.parent)) return false;
  const isConstant = (node.parent.flags & ts.NodeFlags.Const) !== 0;
  return isConstant && ts.isNumericLiteral(node.initializer) && !UNITS.test(node.name.getText());
}

/** A load or store whose constant offset is a number: offsets come from `offsetof`, `sizeof` and named constants. */
function hasLiteralOffset(node: ts.Node): boolean {
  if (!ts.isCallExpression(node)) return false;
  const callee = node.expression.getText();
  const call = /^(?:v128\.)?(load|store)(?:\d|_|$)/.exec(callee);
  if (call === null) return false;
  // a call for one lane has the vector and the number of the lane before the offset
  const place = callee.endsWith("_lane") ? 3 : call[1] === "load" ? 1 : 2;
  const offset = node.arguments[place];
  return offset !== undefined && ts.isNumericLiteral(offset);
}

function isForAwait(node: ts.Node): boolean {
  return ts.isForOfStatement(node) && node.awaitModifier !== undefined;
}

function isChance(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return /^(?:Math\.random|Date\.now)$/.test(node.getText());
  return ts.isNewExpression(node) && node.expression.getText() === "Date" && (node.arguments ?? []).length === 0;
}

function isNamelessExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportDeclaration(node)) return node.exportClause === undefined || ts.isNamespaceExport(node.exportClause);
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(isDefault);
}

function isDefault(modifier: ts.Modifier): boolean {
  return modifier.kind === ts.SyntaxKind.DefaultKeyword;
}
