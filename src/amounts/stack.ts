/** A result and its quantity: what a list or a table gives if one of its entries has a quantity. */
export interface Stack<Label extends string = string> {
  readonly result: Label;
  readonly quantity: number;
}

/** Returns a stack if there is a quantity, otherwise the label. A null label stays null. */
export function stackOf(label: string | null, quantity: number | undefined): string | Stack | null {
  return quantity === undefined || label === null ? label : { result: label, quantity };
}

/** The form of a result with a quantity; null stays null. */
export type StackOf<Label> = Label extends string ? Stack<Label> : Label;

/** Whether the type of an entry says that the entry has a quantity. */
export type QuantityIn<Entry> = Entry extends { readonly quantity: number | string }
  ? "yes"
  : "quantity" extends keyof Entry
    ? "perhaps"
    : "no";

/**
 * The form of results. `Quantity` is {@link QuantityIn} of their entries: if one entry has a quantity, all results are
 * stacks.
 */
export type FormOf<Label, Quantity> = "yes" extends Quantity
  ? StackOf<Label>
  : "perhaps" extends Quantity
    ? Label | StackOf<Label>
    : Label;
