/** The modules of the package, by sub-path. */
type Library = Readonly<Record<string, object>>;

interface PreparedCall {
  readonly args: readonly unknown[];
  readonly invoke: (args: readonly unknown[]) => unknown;
}

export interface SurfaceCall {
  readonly name: string;
  /** The place of the options, for a call that takes a signal. */
  readonly long?: number;
  readonly prepare: (library: Library) => PreparedCall;
}

export const ELSEWHERE: readonly string[];
export function callsOf(): readonly SurfaceCall[];
export function differences(library: Library): readonly string[];
