/** A part of the build. All paths are relative to the root. */
export interface Part {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly isOutput?: (file: string) => boolean;
  readonly stamp: string;
}

/** Runs a part of the build, unless it is up to date. Returns whether it ran. */
export declare function runPart(
  root: string,
  part: Part,
  options: { readonly force?: boolean; readonly run: () => void },
): boolean;
