/** How a package is inlined: its file in dist/vendor, the names that src imports, and the platform of the code. */
interface Inlined {
  readonly file: string;
  readonly names: readonly string[];
  readonly platform: "browser" | "node";
}

/** The packages whose code is copied into dist, by the import path in src. */
export declare const INLINED: Readonly<Record<string, Inlined>>;
