import type { Status } from "./layout.js";

/** A byte address in the kernel's memory. The owner of a plan keeps it; {@link Kernel} alone reads and writes there. */
export type Address = number & { readonly __address: unique symbol };

/** The address `bytes` bytes behind another one. */
export function within(base: Address, bytes: number): Address {
  return (base + bytes) as Address;
}

/**
 * The boundary: everything that assembly/index.ts exports. Numbers are u32 unless said otherwise and arrive signed, so an
 * address or a count is read through `>>> 0`. A build returns address 0 when memory runs out; a call returns a
 * {@link Status}.
 */
export interface KernelExports extends Record<string, unknown> {
  readonly memory: { readonly buffer: ArrayBuffer };

  // memory
  limitMemory(pages: number): void;
  allocate(bytes: number): Address;
  windowAddress(): Address;
  countCode(wide: number, count: number, code: number): number;
  countWindow(wide: number, count: number, counts: Address): void;

  // words
  setKey(k0: number, k1: number): void;
  fillWindow(purpose: number, plane: number, block: number, end: number): void;
  belowAt(purpose: number, plane: number, block: number, offset: number, m: number): number;
  wordAt(purpose: number, plane: number, block: number, offset: number): number;

  // failures
  failedOffset(): number;
  failedRow(): number;

  // weighted lists
  createAlias(n: number): Address;
  aliasWeights(list: Address): Address;
  buildAlias(list: Address, n: number): Status;
  pickList(list: Address, purpose: number, block: number, offset: number, count: number): void;

  // tables
  createTable(rows: number, columns: number, dead: number): Address;
  tableRows(plan: Address): Address;
  tableSums(plan: Address): Address;
  tableTargets(plan: Address): Address;
  tableWide(plan: Address): number;
  buildTable(plan: Address): void;
  rollTable(
    plan: Address,
    start: number,
    maxHops: number,
    purpose: number,
    block: number,
    offset: number,
    count: number,
  ): Status;
  pickColumn(columns: number, purpose: number, hop: number, block: number, offset: number): number;

  // pools
  createRoot(records: number): Address;
  rootRecords(root: Address): Address;
  createPool(root: Address, n: number): Address;
  poolEntries(pool: Address): Address;
  buildRoot(root: Address): number;
  poolTotal(pool: Address): number;
  quantityOf(root: Address, record: number): number;
  setQuantity(root: Address, record: number, quantity: number): void;
  refreshPool(pool: Address): void;
  drawPool(pool: Address, purpose: number, block: number, offset: number, count: number): number;
  refreshCount(): number;

  // recipes
  createRecipe(bytes: number, columns: number, groups: number, lists: number): Address;
  recipePlan(recipe: Address): Address;
  recipeBatch(): number;
  makeItems(recipe: Address, purpose: number, block: number, offset: number, count: number): void;
  itemColumn(recipe: Address, column: number): Address;
  itemStat(recipe: Address, group: number, lane: number, narrow: number): Address;

  // objects
  buildObjects(plan: Address): Status;
  makeObjects(plan: Address, purpose: number, first: number, count: number, from: number, most: number): number;
  attemptsMade(): number;
  wordsOfObject(): number;
  replayArtifacts(plan: Address, purpose: number, first: number, count: number): void;
  openObject(plan: Address, purpose: number, index: number, from: number): number;
  nextAffix(): number;
  nextTheme(): number;
  undo(): void;
  showObject(i: number): void;
  closeObject(): void;
  addToObject(plan: Address, purpose: number, index: number, affix: number): void;

  // walks
  createMap(kind: number, rows: number, cols: number, tiled: number, firstVisits: number): Address;
  closeChunk(map: Address, chunkRow: number, chunkCol: number): Status;
  createTensor(): Address;
  tensorWeights(tensor: Address): Address;
  buildTensor(tensor: Address): void;
  createWalkers(count: number): Address;
  placeWalker(map: Address, walkers: Address, walker: number, row: number, col: number, heading: number): Status;
  advance(
    map: Address,
    tensor: Address,
    walkers: Address,
    first: number,
    count: number,
    purpose: number,
    plane: number,
    block: number,
    offset: number,
    steps: number,
  ): Status;
  readWalker(map: Address, walkers: Address, walker: number): void;
  visitsAt(map: Address, row: number, col: number): number;
  firstVisitAt(map: Address, row: number, col: number): number;
  nextTile(map: Address, tile: Address): Address;
  chunksInTile(map: Address): number;
  readChunk(map: Address, tile: Address, chunk: number): number;
}
