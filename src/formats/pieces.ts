import { error, fail, reading } from "../errors/index.js";

/** Values that arrive one by one, for example because they are read from files. */
export type Pieces<T> = Iterable<T> | AsyncIterable<T>;

/**
 * Checks that a value is an iterable or an asynchronous iterable, and returns its iterator as an iterable. What the
 * iterator throws later, such as an error of a file or the reason of a signal, passes unchanged.
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
      return { [Symbol.asyncIterator]: () => asynchronous(iterator) };
    }
    const expected = "an iterable or an asynchronous iterable";
    return fail(error("argument.type", { problem: `${name} cannot be read`, got: given, expected }));
  });
}

/**
 * Returns an iterator as an asynchronous one. Does not await its values, as `for await` would: a value that cannot be
 * read, such as a revoked proxy, then reaches the checks of the reader.
 */
function asynchronous<T>(iterator: Iterator<T>): AsyncIterator<T> {
  return {
    next: async () => {
      const { done = false, value } = iterator.next();
      return { done, value };
    },
    return: async () => {
      iterator.return?.();
      return { done: true, value: undefined };
    },
  };
}
