// What a single call cannot do without, if its result were known before: the object that it returns.

const KNOWN = 64;
const NAMES = ["NW", "NE", "E", "SE", "SW", "W"];

/** Returns {step}: two calls, one of which goes on and the other returns the position as an object. */
export function knownPositions() {
  const run = new KnownRun();
  return { step: () => run.advance(1).position(0) };
}

class KnownRun {
  #taken = 0;
  #places = Int32Array.from({ length: 3 * KNOWN }, (_, i) => i % 6);

  advance(steps) {
    this.#taken = (this.#taken + steps) % KNOWN;
    return this;
  }

  position(walker) {
    const at = 3 * this.#taken + walker;
    return { row: this.#places[at], col: this.#places[at + 1], heading: NAMES[this.#places[at + 2]] };
  }
}

/**
 * Returns a function that copies an item whose names are known when the program runs: a loop over the names for the
 * item and for each object in it.
 */
export function knownItems(item) {
  const fieldsOf = (object) => ({ names: Object.keys(object), values: Object.values(object) });
  const isGroup = (value) => typeof value === "object" && value !== null && !("met" in value);
  const groups = Object.entries(item).filter(([, value]) => isGroup(value));
  const inner = groups.map(([name, value]) => ({ name, fields: fieldsOf(value) }));
  const own = fieldsOf(Object.fromEntries(Object.entries(item).filter(([, value]) => !isGroup(value))));

  function copy({ names, values }) {
    const object = {};
    for (let i = 0; i < names.length; i++) object[names[i]] = values[i];
    return object;
  }

  return () => {
    const made = copy(own);
    for (const { name, fields } of inner) made[name] = copy(fields);
    return made;
  };
}
