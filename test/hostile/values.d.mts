/** The name of a value, and a function that makes it. */
export const VALUES: readonly (readonly [name: string, make: () => unknown])[];
export function outcomeOf(
  library: { readonly RollmillError: unknown },
  invoke: (args: readonly unknown[]) => unknown,
  args: readonly unknown[],
): Promise<Error | undefined>;
export function withDeadline(
  call: { readonly long?: number },
  args: readonly unknown[],
  milliseconds: number,
): readonly unknown[];
