import { error, fail, reading } from "../errors/index.js";
import { entriesOf } from "./columns.js";

/** Values that arrive one by one, for example because they are read from files. */
export type Pieces<T> = Iterable<T> | AsyncIterable<T>;

export function readPieces<T>(name: string, given: Pieces<T>): AsyncIterable<T> {
  const { iterator, next } = reading(name, () => iteratorOf(name, given));
  const asynchronous: AsyncIterator<T> = {
    next: async () => {
      const result: unknown = await next();
      if (typeof result !== "object" || result === null) refusePieces(name, result, "an object from `next`");
      const { done = false, value } = result as IteratorResult<T>;
      return { done, value };
    },
    return: async () => {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => asynchronous };
}

function iteratorOf<T>(name: string, given: Pieces<T>) {
  const expected = "an iterable or an asynchronous iterable";
  if (typeof given !== "object" || given === null) return refusePieces(name, given, expected);
  const keys = given as Partial<Iterable<T> & AsyncIterable<T>>;
  const open: (() => Iterator<T> | AsyncIterator<T>) | undefined = keys[Symbol.asyncIterator] ?? keys[Symbol.iterator];
  const isList = Array.isArray(given) && keys[Symbol.asyncIterator] === undefined;
  const iterator: Iterator<T> | AsyncIterator<T> | undefined = isList ? entriesOf(name, given) : open?.call(given);
  const read: unknown = iterator?.next;
  if (iterator === undefined || typeof read !== "function") return refusePieces(name, given, expected);
  const next = (): unknown => read.call(iterator);
  const isArray = Array.isArray(given) || ArrayBuffer.isView(given);
  return { iterator, next: isArray ? () => reading(name, next) : next };
}

function refusePieces(name: string, got: unknown, expected: string): never {
  return fail(error("argument.type", { problem: `${name} cannot be read`, got, expected }));
}
