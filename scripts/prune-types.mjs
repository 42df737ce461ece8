// Leaves out of the declarations all that no entry point of the package reaches. The compiler writes the declarations of
// every file, also of functions that only the library itself calls. Their types name optional peers and internal fields,
// which a program without `skipLibCheck` cannot resolve.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** Rewrites the declaration files with these paths, and deletes those of which nothing is left. */
export function pruneTypes(paths, entries) {
  const modules = new Map(paths.map((path) => [path, moduleOf(path)]));
  for (const entry of entries) for (const name of modules.get(entry).exports) keep(modules, entry, name);
  for (const [path, module] of modules) {
    const text = textOf(module);
    if (text === "") rmSync(path);
    else writeFileSync(path, text);
  }
}

/**
 * Reads a declaration file.
 *
 * - `declared`: the statements that declare a name.
 * - `imported`: the import or the re-export that brings a name in: its file, and the name there. The file is undefined
 *   if the name comes from a package.
 * - `exports`: the names that other files can import.
 * - `kept`: the statements and the imported names that are needed.
 */
function moduleOf(path) {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const module = { path, source, declared: new Map(), imported: new Map(), exports: [], kept: new Set() };
  for (const statement of source.statements) {
    const list = statement.exportClause ?? statement.importClause?.namedBindings;
    if (list?.elements === undefined) {
      for (const name of namesOf(statement)) {
        module.declared.set(name, [...(module.declared.get(name) ?? []), statement]);
        module.exports.push(name);
      }
      continue;
    }
    const specifier = statement.moduleSpecifier?.text;
    for (const { name, propertyName } of list.elements) {
      // `export { a }` may follow an import of a
      if (specifier !== undefined || !module.imported.has(name.text))
        module.imported.set(name.text, { file: fileOf(path, specifier), name: (propertyName ?? name).text });
      if (ts.isExportDeclaration(statement)) module.exports.push(name.text);
    }
  }
  return module;
}

/** The names that a statement declares. */
function namesOf(statement) {
  if (!ts.isVariableStatement(statement)) return statement.name === undefined ? [] : [statement.name.text];
  return statement.declarationList.declarations.map(({ name }) => name.text);
}

/** The declaration file that a file imports, or the file itself for `export { a }`; undefined for a package. */
function fileOf(path, specifier) {
  if (specifier === undefined) return path;
  return specifier.startsWith(".") ? join(dirname(path), specifier.replace(/\.js$/, ".d.ts")) : undefined;
}

/** Keeps a name of a file, and all that its declarations refer to. */
function keep(modules, path, name) {
  const { declared, imported, kept } = modules.get(path);
  if (imported.has(name) && !kept.has(name)) {
    kept.add(name);
    const { file, name: there } = imported.get(name);
    // `export { a }` without a file names a declaration of this file, which the loop below keeps
    if (file !== undefined && (file !== path || there !== name)) keep(modules, file, there);
  }
  for (const statement of declared.get(name) ?? []) {
    if (kept.has(statement)) continue;
    kept.add(statement);
    visit(statement);
  }

  function visit(node) {
    if (ts.isIdentifier(node)) keep(modules, path, node.text);
    if (ts.isImportTypeNode(node)) {
      const file = fileOf(path, node.argument.literal.text);
      if (file !== undefined) keep(modules, file, node.qualifier.text);
    }
    ts.forEachChild(node, visit);
  }
}

/** The text of a file without what is not kept; empty if nothing is kept. */
function textOf({ source, kept }) {
  if (kept.size === 0) return "";
  const head = source.text.match(/^(?:\/\/\/.*\n)*/)[0];
  const texts = source.statements.map((statement) => {
    const list = statement.exportClause ?? statement.importClause?.namedBindings;
    if (list?.elements === undefined) {
      const isNeeded = kept.has(statement) || namesOf(statement).length === 0;
      return isNeeded ? statement.getFullText().replace(/^\/\/\/.*\n/gm, "") : "";
    }
    // `export {}` marks a file as a module
    if (list.elements.length === 0) return statement.getFullText();
    const unneeded = list.elements.filter(({ name }) => !kept.has(name.text));
    if (unneeded.length === list.elements.length) return "";
    const names = list.elements.filter((element) => !unneeded.includes(element)).map((element) => element.getText());
    const text = statement.getFullText();
    const from = list.getStart() - statement.getFullStart();
    return `${text.slice(0, from)}{ ${names.join(", ")} }${text.slice(from + list.getWidth())}`;
  });
  const text = texts.join("").replace(/^\n+/, "");
  return text.trim() === "" ? "" : `${head}${text}${text.endsWith("\n") ? "" : "\n"}`;
}
