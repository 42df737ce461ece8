import type { Mill } from "../../src/index.js";

export declare const createMill: typeof import("../../src/index.js").createMill;
export declare const createMillAsync: typeof import("../../src/index.js").createMillAsync;
export function resultsOf(mill: Mill): unknown;
export function shardSums(): Promise<readonly [shard: string, read: string, cells: string]>;
