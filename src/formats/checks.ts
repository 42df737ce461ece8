import { error, fail, show } from "../errors/index.js";
import { arrayType, refuseArgument } from "../spec/index.js";

export function checkCells(name: string, value: unknown, type: string, length?: number): void {
  if (arrayType(value) !== type) refuseArgument(name, value, `a ${type}`);
  if (length !== undefined) checkLength(name, (value as Uint8Array).length, length);
}

export function checkLength(name: string, got: number, length: number): void {
  if (got === length) return;
  fail(error("argument.range", { problem: `"${name}" has a wrong length`, got, expected: `${length}` }));
}

export function checkNumbers(name: string, value: unknown): asserts value is Uint8Array | Uint32Array {
  if (["Uint8Array", "Uint32Array"].includes(arrayType(value))) return;
  refuseArgument(name, value, "a Uint8Array or a Uint32Array");
}

export function checkChoice<Choice extends string>(
  name: string,
  value: unknown,
  choices: readonly Choice[],
): asserts value is Choice {
  if (choices.includes(value as Choice)) return;
  const expected = `one of ${choices.map((choice) => show(choice)).join(", ")}`;
  fail(error("argument.range", { problem: `invalid ${name}`, got: value, expected }));
}

/** Values that arrive one by one, for example because they are read from files. */
export type Pieces<T> = Iterable<T> | AsyncIterable<T>;

export function readPieces<T>(name: string, given: Pieces<T>): Pieces<T> {
  const isList = typeof given === "object" && given !== null;
  if (isList && (Symbol.asyncIterator in given || Symbol.iterator in given)) return given;
  return refuseArgument(name, given, "an iterable or an asynchronous iterable");
}
