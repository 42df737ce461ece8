import { dice } from "../dice/system.js";
import { recipes } from "../recipes/system.js";
import { samples } from "../samples/system.js";
import { streams } from "../streams/system.js";
import { drops } from "../tables/drops/system.js";
import { tables } from "../tables/system.js";
import { walks } from "../walks/system.js";
import { labelled, weighted } from "../weighted/system.js";
import { worlds } from "../worlds/system.js";

/** The systems whose nouns have no state but the index of their next result. A task names a system by its index. */
export const SYSTEMS: readonly unknown[] = [
  weighted,
  labelled,
  dice,
  samples,
  tables,
  drops,
  recipes,
  walks,
  worlds,
  streams,
];
