import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { exportsOf } from "./publicCalls.js";
import { ROOT } from "./sources.js";

const SUB_PATHS = [
  "core",
  "weighted",
  "dice",
  "samples",
  "tables",
  "pools",
  "walks",
  "worlds",
  "recipes",
  "objects",
  "streams",
  "formats",
  "files",
  "wordstores",
  "jobs",
  "bullmq",
  "compat",
];
const ENTRIES = ["src/index.ts", ...SUB_PATHS.map((name) => `src/${name}/index.ts`)];

const config = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile).config as unknown;
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const program = ts.createProgram(
  ENTRIES.map((entry) => join(ROOT, entry)),
  options,
);
const checker = program.getTypeChecker();

describe.each(ENTRIES)("what %s exports is documented", (entry) => {
  const symbols = exportsOf(program, entry);

  test("there are exports", () => {
    expect(symbols.length).toBeGreaterThan(1);
  });

  test("every export has a doc comment", () => {
    const bare = symbols.filter((symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker)) === "");
    expect(bare.map(nameAndPlace), `${entry}: TSDoc on every export`).toEqual([]);
  });

  test("every public method and accessor has one", () => {
    const bare = symbols.flatMap(publicMembers).filter((member) => ts.getJSDocCommentsAndTags(member).length === 0);
    expect(bare.map(place), `${entry}: TSDoc on every public method`).toEqual([]);
  });

  test("what checks its arguments says what it throws", () => {
    const functions = symbols.flatMap((symbol) => [
      ...declared(symbol, ts.isFunctionDeclaration),
      ...publicMembers(symbol),
    ]);
    const checking = functions.filter((node) =>
      /\b(?:fail|failOnErrors|checkInteger|checkRange)\(/.test(node.getText()),
    );
    const silent = checking.filter((node) => !hasTag(node, "throws"));
    expect(silent.map(place), `${entry}: @throws`).toEqual([]);
  });
});

function declared<T extends ts.Declaration>(symbol: ts.Symbol, is: (node: ts.Node) => node is T): T[] {
  return (symbol.declarations ?? []).filter(is);
}

/**
 * Methods and accessors of a class that its users may call; of one with several signatures the first, which is
 * documented.
 */
function publicMembers(symbol: ts.Symbol): ts.ClassElement[] {
  const members = declared(symbol, ts.isClassDeclaration).flatMap((node) => [...node.members]);
  const callable = members.filter((member) => ts.isMethodDeclaration(member) || ts.isGetAccessor(member));
  return callable.filter(
    (member, i) =>
      !ts.isPrivateIdentifier(member.name) &&
      !hasTag(member, "internal") &&
      member.name.getText() !== callable[i - 1]?.name.getText(),
  );
}

function hasTag(node: ts.Node, name: string): boolean {
  return ts.getJSDocTags(node).some((tag) => tag.tagName.text === name);
}

function nameAndPlace(symbol: ts.Symbol): string {
  return `${symbol.name}, ${(symbol.declarations ?? []).map(place).join(" ")}`;
}

function place(node: ts.Node): string {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return `${source.fileName.slice(ROOT.length)}:${line + 1} ${node.getText().split("\n")[0].slice(0, 60)}`;
}
