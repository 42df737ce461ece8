/** A result and its quantity. A list or a table returns stacks if one of its entries has a quantity. */
export interface Stack<Label extends string = string> {
  readonly result: Label;
  readonly quantity: number;
}

/** A null label stays null. */
export function stackOf(label: string | null, quantity: number | undefined): string | Stack | null {
  return quantity === undefined || label === null ? label : { result: label, quantity };
}

export type StackOf<Label> = Label extends string ? Stack<Label> : Label;

export type QuantityIn<Entry> = Entry extends { readonly quantity: number | string }
  ? "yes"
  : "quantity" extends keyof Entry
    ? "perhaps"
    : "no";

/**
 * `Quantity` is the union of {@link QuantityIn} over all entries. If one entry has a quantity, all results are stacks.
 */
export type FormOf<Label, Quantity> = "yes" extends Quantity
  ? StackOf<Label>
  : "perhaps" extends Quantity
    ? Label | StackOf<Label>
    : Label;
