/** A job that was run once without kills, and its digest. */
export interface Prepared {
  readonly root: string;
  readonly spec: string;
  readonly digest: string;
}
export function prepare(): Promise<Prepared>;
export function prepareFrom(prepared: Prepared): Promise<Prepared>;
export function prepareExtend(prepared: Prepared): Promise<Prepared>;
export function remove(prepared: Prepared): void;
export function killAtRandom(
  prepared: Prepared,
  given: { readonly folder: string; readonly threads: number; readonly most: number; readonly random: () => number },
): Promise<number>;
/** The n-th call of a kind in a thread of a job. */
export interface Call {
  readonly thread: "main" | "pool";
  readonly call: string;
  readonly n: number;
}
export function listCalls(prepared: Prepared): Promise<readonly Call[]>;
export function isFlush(call: Call): boolean;
export function killAtCalls(prepared: Prepared, calls: readonly Call[]): Promise<void>;
export function hasStrace(): boolean;
export function randomFrom(seed: number): () => number;
