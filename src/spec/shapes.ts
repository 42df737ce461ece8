import { type Code, didYouMean } from "../errors/index.js";
import type { Field, Fields, ListBounds, NumberBounds, SpecReader } from "./reader.js";

/** Exists in types only: the input that a shape accepts. */
declare const INPUT: unique symbol;

/**
 * Describes a value of a spec: how to read the value, and its JSON Schema. {@link InputOf} is the type of its input.
 * scripts/schemas.mjs writes `schemas/` and the tables of docs/formats/README.md from the exported shapes of a file and
 * the doc comments of their fields. The functions that make shapes are marked as free of side effects, so that a
 * bundler drops unused shapes.
 */
export interface Shape<Input = unknown, Spec = unknown> {
  readonly [INPUT]?: Input;
  read(reader: SpecReader, at: Field): Spec;
  /** A JSON Schema. It may contain another shape in place of the schema of that shape. */
  readonly json: Readonly<Record<string, unknown>>;
}

export interface OptionalShape<Input = unknown, Spec = unknown> extends Shape<Input, Spec> {
  readonly isOptional: true;
}

export type InputOf<S> = S extends Shape<infer Input> ? Input : never;
export type SpecOf<S> = S extends Shape<unknown, infer Spec> ? Spec : never;

type FieldShapes = Readonly<Record<string, Shape>>;
/** The values of the fields of an object after reading. A missing field without a fallback has no value here. */
export type Values<F> = {
  readonly [K in keyof F as undefined extends SpecOf<F[K]> ? never : K]: SpecOf<F[K]>;
} & { readonly [K in keyof F as undefined extends SpecOf<F[K]> ? K : never]?: Exclude<SpecOf<F[K]>, undefined> };
type FieldsInput<F> = {
  readonly [K in keyof F as F[K] extends OptionalShape ? never : K]: InputOf<F[K]>;
} & { readonly [K in keyof F as F[K] extends OptionalShape ? K : never]?: InputOf<F[K]> | undefined };

/** The shape of an object with known keys. */
export interface RecordShape<F extends FieldShapes> extends Shape<FieldsInput<F>, Values<F>> {
  readonly fields: F;
  readonly keys: readonly (keyof F & string)[];
  /** Reads the fields of an object whose keys have been checked. */
  values(reader: SpecReader, fields: Fields): Values<F>;
}

type AnyRecord = Shape &
  Pick<RecordShape<FieldShapes>, "keys"> & {
    values(reader: SpecReader, fields: Fields): object;
  };

/* @__NO_SIDE_EFFECTS__ */
export function shape<Input, Spec>(
  read: (reader: SpecReader, at: Field) => Spec,
  json: Shape["json"] | Shape,
): Shape<Input, Spec> {
  return { read, json: (typeof json.read === "function" ? json.json : json) as Shape["json"] };
}

/** A text of 1 to 256 characters, without control characters and lone surrogates. */
/* @__NO_SIDE_EFFECTS__ */
export function text(code?: Code): Shape<string, string> {
  const pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$";
  return shape((reader, at) => reader.text(at, code), { type: "string", minLength: 1, maxLength: 256, pattern });
}

export const TEXT: Shape<string, string> = text();

/** True or false. A missing field is false. */
export const FLAG: OptionalShape<boolean, boolean> = {
  ...shape((reader, at) => reader.flag(at), { type: "boolean" }),
  isOptional: true,
};

/** A value that stays a {@link Field}. The caller reads it later, for example because it refers to other fields. */
/* @__NO_SIDE_EFFECTS__ */
export function unread<Input>(json: Shape["json"] | Shape): Shape<Input, Field> {
  return shape((_, at) => at, json);
}

/* @__NO_SIDE_EFFECTS__ */
export function integer(bounds: Omit<NumberBounds, "fallback">): Shape<number, number> {
  const { least: minimum, most: maximum } = bounds;
  return shape((reader, at) => reader.integer(at, bounds), { type: "integer", minimum, maximum });
}

/* @__NO_SIDE_EFFECTS__ */
export function number(bounds: Omit<NumberBounds, "fallback">): Shape<number, number> {
  const { least: minimum, most: maximum } = bounds;
  return shape((reader, at) => reader.number(at, bounds), { type: "number", minimum, maximum });
}

/* @__NO_SIDE_EFFECTS__ */
export function choice<const T extends string>(known: readonly [T, ...T[]]): Shape<T, T> {
  return shape((reader, at) => reader.choice(at, known), { enum: known });
}

/* @__NO_SIDE_EFFECTS__ */
export function list<Input, Spec>(of: Shape<Input, Spec>, bounds: ListBounds): Shape<readonly Input[], Spec[]> {
  const { least: minItems, most: maxItems } = bounds;
  const json = { type: "array", items: of, minItems, maxItems };
  return shape((reader, at) => reader.list(at, bounds).map((entry) => of.read(reader, entry)), json);
}

/** A rule for names, and its JSON Schema. For a name that breaks the rule, `flaw` returns what was expected. */
interface NameRule {
  flaw(name: string): string | undefined;
  readonly json: Shape["json"];
}

/** An object whose keys are names of the user's choice. Reads its entries in the order of the object. */
/* @__NO_SIDE_EFFECTS__ */
export function namedValues<Input, Spec>(
  of: Shape<Input, Spec>,
  rule?: NameRule,
): Shape<{ readonly [name: string]: Input }, Map<string, Spec>> {
  return shape(
    (reader, at) => {
      const fields = reader.record(at, "an object whose keys are names");
      for (const key of fields.keys) {
        const expected = rule?.flaw(key);
        if (expected !== undefined) reader.report(fields.get(key), { problem: "invalid name", got: key, expected });
      }
      return new Map(fields.keys.map((key) => [key, of.read(reader, fields.get(key))]));
    },
    { type: "object", propertyNames: rule?.json, additionalProperties: of },
  );
}

/** A field that may be missing. A missing field is read as `fallback`, or as undefined. */
export function optional<Input, Spec>(of: Shape<Input, Spec>): OptionalShape<Input, Spec | undefined>;
export function optional<Input, Spec>(of: Shape<Input, Spec>, fallback: Spec): OptionalShape<Input, Spec>;
/* @__NO_SIDE_EFFECTS__ */
export function optional<Input, Spec>(of: Shape<Input, Spec>, fallback?: Spec): OptionalShape<Input, Spec | undefined> {
  return {
    read: (reader, at) => (at.value === undefined ? fallback : of.read(reader, at)),
    json: { shape: of },
    isOptional: true,
  };
}

/**
 * An object with known keys. Reports all other keys. `json` adds rules to the JSON Schema, such as keys that exclude
 * each other. The parser that uses the shape must check these rules.
 */
/* @__NO_SIDE_EFFECTS__ */
export function record<const F extends FieldShapes>(fields: F, json: Shape["json"] = {}): RecordShape<F> {
  const keys: readonly (keyof F & string)[] = Object.keys(fields);
  const values: RecordShape<F>["values"] = (reader, given) => {
    const read: Record<string, unknown> = {};
    for (const key of keys) {
      const value = fields[key].read(reader, given.get(key));
      if (value !== undefined) read[key] = value;
    }
    // `read` has the keys of F, each with the value that its shape reads
    return read as Values<F>;
  };
  return {
    read: (reader, at) => values(reader, reader.fields(at, keys)),
    values,
    fields,
    keys,
    json: { type: "object", fields, ...json },
  };
}

/** The one key that is present in an object, with its value. */
type Chosen<F> = { readonly [K in keyof F]: { readonly kind: K; readonly value: SpecOf<F[K]> } }[keyof F];
type ChosenInput<F> = { readonly [K in keyof F]: { readonly [Key in K]: InputOf<F[K]> } }[keyof F];

/** An object with exactly one of several keys. `expected` names the possible objects, for the message. */
/* @__NO_SIDE_EFFECTS__ */
export function oneKey<const F extends FieldShapes>(
  fields: F,
  expected: string,
): Shape<ChosenInput<F>, Chosen<F> | undefined> {
  const keys: readonly (keyof F & string)[] = Object.keys(fields);
  return shape(
    (reader, at) => {
      const before = reader.errors;
      const given = reader.fields(at, keys);
      if (reader.errors > before) return undefined;
      const [kind, ...others] = keys.filter((key) => given.has(key));
      if (kind !== undefined && others.length === 0) {
        return { kind, value: fields[kind].read(reader, given.get(kind)) } as Chosen<F>;
      }
      reader.report(at, { problem: `invalid ${at.name}`, got: at.value, expected });
      return undefined;
    },
    { oneKey: fields },
  );
}

/** The input of an object of one of several kinds. The value of the key `Key` is the kind. */
type VariantsInput<Key extends string, Kinds> = {
  readonly [K in keyof Kinds]: { readonly [name in Key]: K } & InputOf<Kinds[K]>;
}[keyof Kinds];
type Variants<Kinds> = { readonly [K in keyof Kinds]: { readonly kind: K } & SpecOf<Kinds[K]> }[keyof Kinds];

/**
 * An object of one of several kinds. The value of `key` names the kind, and each kind has its own keys. If the kind is
 * unknown, checks only that each key belongs to some kind. `noun` is for messages.
 */
/* @__NO_SIDE_EFFECTS__ */
export function variants<Key extends string, const Kinds extends Readonly<Record<string, AnyRecord>>>(
  noun: string,
  key: Key,
  kinds: Kinds,
): Shape<VariantsInput<Key, Kinds>, Variants<Kinds> | undefined> {
  const names = Object.keys(kinds) as [string, ...string[]];
  const keys = [...new Set([key, ...Object.values(kinds).flatMap((kind) => kind.keys)])];
  return shape(
    (reader, at) => {
      const fields = reader.fields(at, keys);
      const kind = reader.choice(fields.get(key), names);
      if (fields.get(key).value !== kind) return undefined;
      const own = kinds[kind];
      const others = keys.filter((one) => one !== key && !own.keys.includes(one));
      for (const other of others.filter((one) => fields.has(one))) {
        const remedy = `Remove ${JSON.stringify(other)}, or choose another ${key}`;
        const problem = `${noun} of the ${key} ${JSON.stringify(kind)} cannot have ${JSON.stringify(other)}`;
        reader.report(fields.get(other), { problem, remedy });
      }
      return { kind, ...own.values(reader, fields) } as Variants<Kinds>;
    },
    { variants: kinds, key },
  );
}

/** The name of another part of the spec. After that part has been read, {@link lookUp} finds it. */
export const REFERENCE = unread<string>({ type: "string" });

interface Unknown {
  readonly problem: string;
  readonly code?: Code;
  /** The `expected` of the message for an empty list of names. */
  readonly none?: string;
}

/** A name in `known`. Reading it gives the value that `known` has for the name. */
/* @__NO_SIDE_EFFECTS__ */
export function nameOf<const Name extends string, T>(
  known: ReadonlyMap<Name, T>,
  unknown: Unknown,
): Shape<Name, T | undefined> {
  return shape((reader, at) => lookUp(reader, at, { known, ...unknown }), { enum: [...known.keys()] });
}

/** Returns the value of a name. For an unknown name, reports an error and returns undefined. */
export function lookUp<T>(
  reader: SpecReader,
  at: Field,
  { known, problem, code, none }: Unknown & { readonly known: ReadonlyMap<string, T> },
): T | undefined {
  const { value } = at;
  const found = typeof value === "string" ? known.get(value) : undefined;
  if (found !== undefined) return found;
  const expected = known.size === 0 && none !== undefined ? none : `one of ${[...known.keys()].join(", ")}`;
  const hint = typeof value === "string" ? didYouMean(value, known.keys()) : {};
  reader.report(at, { problem, got: value, expected, ...hint }, code);
  return undefined;
}
