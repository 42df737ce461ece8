// Values that a loop keeps. V8 (11.3) works pure expressions out again in every round of a loop that uses them, addresses and
// splats among them; what has been loaded it keeps in a register.

const cell = memory.data(4, 16);

/** Stores a value, and answers where: to be loaded at once, as it is or as a splat. */
export function hold(value: u32): usize {
  store<u32>(cell, value);
  return cell;
}

/** An address, as it was loaded. */
export function held(address: usize): usize {
  return load<u32>(hold(<u32>address));
}
