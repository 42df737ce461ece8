import { readdirSync, readFileSync } from "node:fs";
import { extname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect } from "vitest";

/** The root folder of the project. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Files that each build makes from assembly/; no rule applies to them. */
const GENERATED = /^src\/kernel\/(?:bytes\/.+|exports|layout)\.ts$/;

/** A file of the project. */
export interface SourceFile {
  /** Path from the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** A module that a file imports, or exports from. */
export interface Import {
  readonly name: string;
  /** Whether it imports types only, so that nothing of it is left at run time. */
  readonly typesOnly: boolean;
}

/** The files of a folder and its subfolders with these extensions, without generated ones. */
export function filesIn(folder: string, extensions: readonly string[]): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extensions.includes(extname(entry.name)))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((path) => !GENERATED.test(path) && !path.includes("/node_modules/"))
    .sort()
    .map((path) => ({ path, text: read(path) }));
}

/** The text of a file, by its path from the root. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Expects that no file breaks a rule. A failure lists every offence. */
export function expectNone(
  files: readonly SourceFile[],
  rule: string,
  offences: (file: SourceFile) => readonly string[],
): void {
  expect(files.length, `${rule}: there are files to check`).toBeGreaterThan(0);
  const found = files.flatMap((file) => offences(file).map((offence) => `${file.path} ${offence}`));
  expect(found, [rule, ...found].join("\n  ")).toEqual([]);
}

const trees = new WeakMap<SourceFile, ts.SourceFile>();

/** The syntax tree of a file; each file is parsed once. */
export function parsed(file: SourceFile): ts.SourceFile {
  const tree = trees.get(file) ?? ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  trees.set(file, tree);
  return tree;
}

/** Everything that a file imports, or exports from elsewhere. */
export function importsOf(file: SourceFile): Import[] {
  const found: Import[] = [];
  visit(parsed(file), (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ name: node.moduleSpecifier.text, typesOnly: bindsTypesOnly(node.importClause) });
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier !== undefined &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      found.push({ name: node.moduleSpecifier.text, typesOnly: node.isTypeOnly || namesTypesOnly(node.exportClause) });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [name] = node.arguments;
      if (ts.isStringLiteral(name)) found.push({ name: name.text, typesOnly: false });
    }
  });
  return found;
}

/**
 * The files of the project that a file imports, as paths from the root. Assembly imports files without an extension.
 */
export function neighboursOf(file: SourceFile, { types }: { readonly types: boolean }): string[] {
  return importsOf(file)
    .filter(({ name, typesOnly }) => name.startsWith(".") && (types || !typesOnly))
    .map(({ name }) => posix.join(posix.dirname(file.path), name).replace(/\.js$/, ""))
    .map((path) => (path.endsWith(".ts") ? path : `${path}.ts`));
}

/** A cycle of files that import one another, or undefined. */
export function importCycle(
  files: readonly SourceFile[],
  { types }: { readonly types: boolean },
): string[] | undefined {
  const next = new Map(files.map((file) => [file.path, neighboursOf(file, { types })]));
  const done = new Set<string>();
  const search = (path: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const to of next.get(path) ?? []) {
      const cycle = search(to, [...trail, path]);
      if (cycle !== undefined) return cycle;
    }
    done.add(path);
    return undefined;
  };
  for (const { path } of files) {
    const cycle = search(path, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** The members of an interface, a class or a type of object: names without `#private` ones. */
export interface Shape {
  readonly file: SourceFile;
  readonly name: string;
  readonly members: readonly string[];
  /** What it extends or implements. */
  readonly bases: readonly string[];
  /** The text of a type that has no members: a tuple or a union, without white space. */
  readonly text: string;
}

/** Every interface, class and type that a file declares at its top. */
export function shapesIn(file: SourceFile): Shape[] {
  return parsed(file).statements.flatMap((node): Shape[] => {
    if (ts.isInterfaceDeclaration(node) || (ts.isClassDeclaration(node) && node.name !== undefined)) {
      const members = [...node.members].flatMap(({ name }) =>
        name !== undefined && ts.isIdentifier(name) ? [name.text] : [],
      );
      const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types.map((type) => type.expression.getText()));
      return [{ file, name: node.name?.text ?? "", members: [...new Set(members)], bases, text: "" }];
    }
    if (!ts.isTypeAliasDeclaration(node)) return [];
    return [{ file, name: node.name.text, members: [], bases: [], text: node.type.getText().replace(/\s+/g, "") }];
  });
}

/** The names that a file declares and exports. */
export function exportsOf(file: SourceFile): string[] {
  return parsed(file).statements.flatMap((node) => {
    const isExported = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isExport) === true;
    if (!isExported) return [];
    if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText());
    return "name" in node ? [(node.name as ts.Identifier).text] : [];
  });
}

/**
 * What a file imports by name, or exports from elsewhere, as "path name"; "path *" for an import of all. A file of dist/ or
 * build/modules/ counts as its source.
 */
export function namesTakenBy(file: SourceFile): string[] {
  const found: string[] = [];
  const take = (from: ts.Expression, names: readonly string[]) => {
    if (!ts.isStringLiteral(from)) return;
    const path = posix
      .join(posix.dirname(file.path), from.text)
      .replace(/^(?:dist|build\/modules)\//, "src/")
      .replace(/\.js$/, ".ts");
    found.push(...names.map((name) => `${path} ${name}`));
  };
  visit(parsed(file), (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      take(node.arguments[0], ["*"]);
    if (!(ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) || node.moduleSpecifier === undefined) return;
    const list = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
    const isListed = list !== undefined && (ts.isNamedImports(list) || ts.isNamedExports(list));
    take(
      node.moduleSpecifier,
      isListed ? list.elements.map((element) => (element.propertyName ?? element.name).text) : ["*"],
    );
  });
  return found;
}

function isExport({ kind }: ts.ModifierLike): boolean {
  return kind === ts.SyntaxKind.ExportKeyword;
}

/** Uses of names as identifiers: not as members of objects or types, and not in text. */
export function namesIn(file: SourceFile, names: readonly string[]): string[] {
  const found: string[] = [];
  visit(parsed(file), (node) => {
    if (!ts.isIdentifier(node) || !names.includes(node.text) || isMemberName(node)) return;
    found.push(`uses ${node.text} at line ${lineOf(node)}`);
  });
  return found;
}

/** Uses of properties with some names, `x.name`. */
export function propertiesIn(file: SourceFile, names: readonly string[]): string[] {
  const found: string[] = [];
  visit(parsed(file), (node) => {
    if (ts.isPropertyAccessExpression(node) && names.includes(node.name.text)) {
      found.push(`uses .${node.name.text} at line ${lineOf(node)}`);
    }
  });
  return found;
}

/** The nodes of a file's syntax tree that match. */
export function expressionsIn(file: SourceFile, matches: (node: ts.Node) => boolean): string[] {
  return nodesIn(file)
    .filter(matches)
    .map((node) => `has ${node.getText().slice(0, 40)} at line ${lineOf(node)}`);
}

/** All nodes of a file's syntax tree. */
export function nodesIn(file: SourceFile): ts.Node[] {
  const found: ts.Node[] = [];
  visit(parsed(file), (node) => found.push(node));
  return found;
}

/** Whether a node is inside a function, so that it does not run when its module loads. */
export function isInFunction(node: ts.Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) if (ts.isFunctionLike(at)) return true;
  return false;
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node;
}

function bindsTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  return clause.isTypeOnly || (clause.name === undefined && namesTypesOnly(clause.namedBindings));
}

function namesTypesOnly(names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (names === undefined || !(ts.isNamedImports(names) || ts.isNamedExports(names))) return false;
  return names.elements.length > 0 && names.elements.every((element) => element.isTypeOnly);
}
