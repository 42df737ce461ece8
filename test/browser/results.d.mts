import type { LayerMap, Mill } from "../../src/index.js";

export function resultsOf(mill: Mill): { readonly results: unknown; readonly map: LayerMap };
export function sum(bytes: Uint8Array): number;
