/** The documents that have a generated schema. */
export declare const SCHEMAS: Readonly<
  Record<
    string,
    {
      readonly title: string;
      readonly description: string;
      readonly shapes: Readonly<Record<string, readonly [file: string, shape: string, type?: string]>>;
    }
  >
>;
