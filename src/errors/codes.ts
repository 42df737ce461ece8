/**
 * Every code that an {@link Issue} can carry: a closed set, safe to switch on.
 * A code is `<noun>.<what>`; `argument.*` is about a call's own parameters.
 */
export type Code =
  // calls
  | "argument.type"
  | "argument.range"
  | "argument.name-taken"
  | "argument.name-collision"
  | "argument.disposed"
  // numbers that must be exact
  | "weights.invalid"
  | "weights.empty"
  | "weights.overflow"
  | "weights.decimals"
  // the kernel and its memory
  | "kernel.unsupported"
  | "kernel.memory"
  | "kernel.trap"
  | "snapshot.invalid"
  | "snapshot.version"
  // the 2DA format
  | "twoda.header"
  | "twoda.columns"
  | "twoda.limit"
  | "twoda.quote"
  | "twoda.cells"
  | "twoda.row-number"
  // tables
  | "table.columns"
  | "table.result"
  | "table.jump"
  | "table.weight"
  | "table.gap"
  | "table.start"
  | "table.endless"
  | "table.unknown-script"
  | "table.script"
  | "table.hops"
  | "table.dead"
  | "table.live-from"
  // walks
  | "walk.spec"
  | "walk.tensor"
  | "walk.closed-start"
  | "walk.off-grid"
  | "walk.coordinates"
  | "walk.mismatch"
  // files and the command line
  | "file.read"
  | "file.write"
  | "file.json"
  | "cli.usage";
