/** A job that was run once without kills, and its digest. */
export interface Prepared {
  readonly root: string;
  readonly spec: string;
  readonly digest: string;
}
export function prepare(): Promise<Prepared>;
export function remove(prepared: Prepared): void;
export function killAtRandom(
  prepared: Prepared,
  given: { readonly folder: string; readonly threads: number; readonly most: number; readonly random: () => number },
): Promise<number>;
export function countCalls(prepared: Prepared): Readonly<Record<string, number>>;
export function killAtCalls(
  prepared: Prepared,
  calls: readonly { readonly call: string; readonly n: number }[],
): Promise<void>;
export function hasStrace(): boolean;
export function randomFrom(seed: number): () => number;
