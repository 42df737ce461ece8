import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "./sources.js";

/** A function, method or getter that users may call. */
interface PublicCall {
  /** Such as `parseTable` or `Table.roll`. */
  readonly name: string;
  readonly declarations: readonly ts.Declaration[];
}

/** The functions that some entries export, and the methods and getters of the classes, inherited ones too; each once. */
export function publicCalls(program: ts.Program, entries: readonly string[]): PublicCall[] {
  const calls = entries.flatMap((entry) => exportsOf(program, entry)).flatMap((symbol) => callsOf(program, symbol));
  return [...new Map(calls.map((call) => [call.declarations[0], call])).values()];
}

/** What a module exports, without aliases. `entry` is relative to the root of the project. */
export function exportsOf(program: ts.Program, entry: string): ts.Symbol[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(join(ROOT, entry));
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} is no module`);
  return checker.getExportsOfModule(module).map((symbol) => unaliased(checker, symbol));
}

/** The declarations that a file names: what it calls, reads or takes out of an object, but not what it only imports. */
export function declarationsIn(program: ts.Program, file: string): ts.Declaration[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`${file} is not in the program`);
  const found: ts.Declaration[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isIdentifier(node)) found.push(...declarationsOf(checker, node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function callsOf(program: ts.Program, symbol: ts.Symbol): PublicCall[] {
  const { name, flags, declarations = [], exports: statics } = symbol;
  if ((flags & ts.SymbolFlags.Function) !== 0) return [{ name, declarations }];
  if ((flags & ts.SymbolFlags.Class) === 0) return [];
  const properties = program.getTypeChecker().getDeclaredTypeOfSymbol(symbol).getProperties();
  const members = [...properties, ...(statics?.values() ?? [])].filter(isPublicCall);
  return members.map((member) => ({ name: `${name}.${member.name}`, declarations: member.declarations ?? [] }));
}

function isPublicCall({ flags, declarations: [first] = [] }: ts.Symbol): boolean {
  if ((flags & (ts.SymbolFlags.Method | ts.SymbolFlags.GetAccessor)) === 0) return false;
  const name = ts.getNameOfDeclaration(first);
  if (name === undefined || !ts.isIdentifier(name)) return false; // #private, or [Symbol.iterator]
  if ((ts.getCombinedModifierFlags(first) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0)
    return false;
  return !ts.getJSDocTags(first).some(({ tagName }) => tagName.text === "internal");
}

function declarationsOf(checker: ts.TypeChecker, node: ts.Identifier): readonly ts.Declaration[] {
  const symbol = checker.getSymbolAtLocation(node);
  const named = symbol === undefined ? [] : (unaliased(checker, symbol).declarations ?? []);
  if (!ts.isBindingElement(node.parent)) return named;
  const key = node.parent.propertyName ?? node;
  const property = checker.getTypeAtLocation(node.parent.parent).getProperty(key.getText());
  return [...named, ...(property?.declarations ?? [])];
}

function unaliased(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}
