// Values that a loop keeps in a register. V8 (11.3) computes pure expressions again in every round of a loop that uses
// them, addresses and splats among them; a value that was loaded from memory it keeps.

const cell = memory.data(4, 16);

/** Stores a value and returns its address, to load it from there as it is or as a splat. */
export function cellOf(value: u32): usize {
  store<u32>(cell, value);
  return cell;
}

/** The same address, loaded from memory. */
export function inRegister(address: usize): usize {
  return load<u32>(cellOf(<u32>address));
}
