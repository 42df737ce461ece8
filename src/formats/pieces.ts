import { error, fail, reading } from "../errors/index.js";

/** Values that arrive one by one, for example because they are read from files. */
export type Pieces<T> = Iterable<T> | AsyncIterable<T>;

/**
 * Checks that a value is an iterable or an asynchronous iterable, and returns its iterator as an iterable. What the
 * iterator throws later, such as an error of a file or the reason of a signal, passes unchanged. An array reads no file:
 * if it throws, it is a proxy or a detached buffer, and the error says that it cannot be read.
 *
 * @throws RollmillError `argument.type` for anything else.
 */
export function readPieces<T>(name: string, given: Pieces<T>): Pieces<T> {
  return reading(name, () => {
    const isObject = typeof given === "object" && given !== null;
    if (isObject && Symbol.asyncIterator in given) {
      const iterator = given[Symbol.asyncIterator]();
      return { [Symbol.asyncIterator]: () => iterator };
    }
    if (isObject && Symbol.iterator in given) {
      const iterator = given[Symbol.iterator]();
      const isArray = Array.isArray(given) || ArrayBuffer.isView(given);
      const read = isArray ? () => reading(name, () => iterator.next()) : () => iterator.next();
      return { [Symbol.asyncIterator]: () => asynchronous(iterator, read) };
    }
    const expected = "an iterable or an asynchronous iterable";
    return fail(error("argument.type", { problem: `${name} cannot be read`, got: given, expected }));
  });
}

/**
 * Returns an iterator as an asynchronous one. Does not await its values, as `for await` would: a value that cannot be
 * read, such as a revoked proxy, then reaches the checks of the reader.
 */
function asynchronous<T>(iterator: Iterator<T>, read: () => IteratorResult<T>): AsyncIterator<T> {
  return {
    next: async () => {
      const { done = false, value } = read();
      return { done, value };
    },
    return: async () => {
      iterator.return?.();
      return { done: true, value: undefined };
    },
  };
}
