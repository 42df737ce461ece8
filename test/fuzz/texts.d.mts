/** The sub-paths of the package that the texts need, and the module of the command line. */
export type Library = Readonly<Record<"." | "./formats" | "./jobs" | "./recipes" | "cli", object>>;

/** Valid texts of a format, by name, and a function that opens them. */
export interface Format {
  readonly texts: Readonly<Record<string, string>>;
  readonly use: (library: Library, texts: Readonly<Record<string, string>>) => unknown;
}

export const FORMATS: Readonly<Record<string, Format>>;

/** Returns case k of a seed: its name, and the call that opens its texts. */
export function textCase(
  seed: number,
  k: number,
): {
  readonly name: string;
  readonly call: {
    readonly prepare: (library: Library) => {
      readonly args: readonly unknown[];
      readonly invoke: (args: readonly unknown[]) => unknown;
    };
  };
};
