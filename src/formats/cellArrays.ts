import { error, fail } from "../errors/index.js";
import { arrayType, refuseArgument } from "../spec/index.js";

export function checkCells(
  name: string,
  value: unknown,
  { type, length }: { readonly type: string; readonly length?: number },
): void {
  if (arrayType(value) !== type) refuseArgument(name, value, `a ${type}`);
  if (length !== undefined) checkLength(name, (value as Uint8Array).length, length);
}

export function checkLength(name: string, got: number, length: number): void {
  if (got === length) return;
  fail(error("argument.range", { problem: `"${name}" has a wrong length`, got, expected: `${length}` }));
}
