// Keeps values of a loop in registers. V8 (11.3) computes a pure expression, such as an address or a splat, again in
// every round of the loop that uses it. It does not do so for a value that was loaded from memory.

const cell = memory.data(4, 16);

/** Stores a value and returns its address, to load it from there as a scalar or as a splat. */
export function cellOf(value: u32): usize {
  store<u32>(cell, value);
  return cell;
}

/** Returns the address that it takes, after a load from memory, so that V8 keeps it in a register. */
export function inRegister(address: usize): usize {
  return load<u32>(cellOf(<u32>address));
}
