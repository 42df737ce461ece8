// Keeps values in registers during a loop. V8 (11.3) computes a pure expression, such as an address or a splat, again
// in every round of a loop. But it keeps a value in a register if the value was loaded from memory.

const cell = memory.data(4, 16);

/**
 * Stores a value and returns the address of the stored value. Load the value from this address, as a scalar or as a
 * splat.
 */
export function cellOf(value: u32): usize {
  store<u32>(cell, value);
  return cell;
}

/** Returns `address`, but loaded from memory: V8 keeps a loaded value in a register. */
export function inRegister(address: usize): usize {
  return load<u32>(cellOf(<u32>address));
}
