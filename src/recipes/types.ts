/**
 * When a roll succeeds. A roll is an integer 0 … 100, all 101 equally likely, times the caller's power: `atLeast: 95` at power 1
 * is 95 … 100, 6 of 101.
 */
export type ChanceSpec = { readonly atLeast: number } | { readonly above: number };

/** A number that an item has. */
export interface StatSpec {
  readonly name: string;
  /** Where it ends up, both ends included, whatever the parts add to it. */
  readonly clamp?: readonly [least: number, most: number];
}

/** A word that may take a slot instead of a random one, active or not: found out by a roll of its own. */
export interface SpecialSpec {
  readonly word: string;
  readonly chance: ChanceSpec;
  readonly strength: number;
}

/** From which value of a roll 0 … 100, not scaled by power, on the tier may vary by so much. */
export interface SwingSpec {
  readonly atLeast: number;
  readonly variance: number;
}

/** A slot for one word of a table. */
export interface SlotSpec {
  /** The slot's name, which requests, odds and columns go by. */
  readonly slot: string;
  /** The word table that it is filled from. */
  readonly table: string;
  /** The roll that fills it; without one it is always filled. */
  readonly chance?: ChanceSpec;
  /** What filling it adds to the strength stat. */
  readonly strength: number;
  /** What the name has before the word, such as "& ". */
  readonly text?: string;
  readonly special?: SpecialSpec;
  /** Filled only after this earlier slot of the same step got a random word; such a slot cannot be requested. */
  readonly after?: string;
  /** Its word is another than that of this earlier slot, which has the same table. */
  readonly differentFrom?: string;
  /** The slot goes by the caller's tier. Its swing takes the first entry that it reaches, in descending order; else 0. */
  readonly tiers?: readonly SwingSpec[];
}

/** Slots that belong together. With a chance, one roll opens them all; a request for one of them that is met opens them too. */
export interface SlotsStepSpec {
  readonly kind: "slots";
  readonly name: string;
  readonly chance?: ChanceSpec;
  /** What the name has before the words of an open step, such as "of ". */
  readonly text?: string;
  readonly slots: readonly SlotSpec[];
}

/**
 * A stat so far, doubled, raised or lowered: c is uniform on 0 … round(stat · share), half away from zero (from that up to 0
 * where the stat is negative); one roll may double the stat, else another adds c or takes it off.
 */
export interface ConditionStepSpec {
  readonly kind: "condition";
  readonly name: string;
  readonly stat: string;
  readonly share: number;
  readonly doubled: ChanceSpec;
  readonly up: ChanceSpec;
}

/** A rung of a bonus ladder: reached from this value of the roll on; the last has no `atLeast`. */
export interface RungSpec {
  readonly atLeast?: number;
  /** What the name ends with, such as "+5". */
  readonly text: string;
  readonly add: { readonly [stat: string]: number };
}

/** With some chance a bonus, from a ladder: a roll 1 … sides, not scaled by power, takes the first rung that it reaches. */
export interface BonusStepSpec {
  readonly kind: "bonus";
  readonly name: string;
  readonly chance: ChanceSpec;
  readonly sides: number;
  /** In descending order of `atLeast`. */
  readonly ladder: readonly RungSpec[];
}

/** A step of a recipe. Its decisions are numbered in docs/determinism.md. */
export type StepSpec = SlotsStepSpec | ConditionStepSpec | BonusStepSpec;

/** How an item is made: steps, in order, that fill slots and change stats. */
export interface RecipeSpec {
  readonly stats: readonly StatSpec[];
  /** The stat that every filled slot adds its strength to. */
  readonly strength: string;
  readonly steps: readonly StepSpec[];
}

/** A word of a table. */
export interface WordRow {
  /** Positive integer; rows are in its order. */
  readonly id: number;
  readonly word: string;
  /** Whether it is ever chosen at random. A request may name it all the same. */
  readonly active: boolean;
  /** 0 where the table has no tiers. */
  readonly tier: number;
  /** What it adds to stats, by name; 0 where there is nothing. */
  readonly stats: { readonly [stat: string]: number };
}

/** A table of accepted words, ordered by id; words differ. */
export interface WordTable {
  readonly name: string;
  readonly rows: readonly WordRow[];
}

/** The word tables of a recipe, by name. */
export type WordTables = ReadonlyMap<string, WordTable>;

/**
 * A row as it may be written: further keys are what it adds to stats. A row whose status is "proposed" is a user's proposal,
 * which nothing sees but `rollmill recipe word`.
 */
export interface WordInput {
  readonly id: number;
  readonly word: string;
  readonly active?: boolean | 0 | 1;
  readonly status?: "accepted" | "proposed";
  readonly tier?: number;
  readonly [stat: string]: unknown;
}

/** Word tables as they may be written: by name, lists of rows. */
export interface TablesInput {
  readonly [table: string]: readonly WordInput[];
}

/** What may be asked of items when they are made. */
export interface ItemOptions {
  /** Tier asked for, 0 … 255; 0 is any. Default 0. */
  readonly tier?: number | undefined;
  /** Whether the tier may vary, as the slot's swings say: any number > 0 says yes. Default 0. */
  readonly tierVariance?: number | undefined;
  /** What rolls are multiplied by, ≥ 0, exactly, in its shortest decimal form. Default 1. */
  readonly power?: number | undefined;
  /** Words asked for, by slot. */
  readonly request?: { readonly [slot: string]: string } | undefined;
  /** What a request for a word that does not exist comes to: the ordinary roll, or an error. Default "roll". */
  readonly onUnknownRequest?: "roll" | "throw" | undefined;
}
