import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import type { Io } from "./shared/io.js";

declare const TYPE: unique symbol;

/** An option of a command. `Form` is its usage, such as `--layer <name>`, and `T` is the type of its value. */
export type Flag<Form extends string = string, T = unknown> = Option & { readonly [TYPE]?: readonly [Form, T] };

type Camel<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Name;
type Bare<Form extends string> = Form extends `${string}--no-${infer Name}`
  ? Name
  : Form extends `${string}--${infer Name}`
    ? Name
    : Form extends `-${infer Name}`
      ? Name
      : Form;
type NameOf<Form extends string> = Camel<Bare<Form> extends `${infer Name} ${string}` ? Name : Bare<Form>>;

/** The values of options by name: `maxWork` for `--max-work`. */
export type Flags<Options extends readonly Flag[]> = {
  readonly [One in Options[number] as One extends Flag<infer Form, unknown> ? NameOf<Form> : never]: One extends Flag<
    string,
    infer T
  >
    ? T
    : never;
};

type Parse<T> = (text: string, before?: T) => T;
type Unparsed<Form> = Form extends `${string}<${string}`
  ? string | undefined
  : Form extends `--no-${string}`
    ? boolean
    : boolean | undefined;

/** Creates an option. Without `parse`, its value is a text, or a boolean if the form has no value. */
export function option<Form extends string>(form: Form, about: string): Flag<Form, Unparsed<Form>>;
export function option<Form extends string, T>(form: Form, about: string, parse: Parse<T>): Flag<Form, T | undefined>;
export function option<Form extends string, T>(form: Form, about: string, parse: Parse<T>, fallback: T): Flag<Form, T>;
export function option(form: string, about: string, parse?: Parse<unknown>, fallback?: unknown): Option {
  const made = new Option(form, about).default(fallback);
  return parse === undefined ? made : made.argParser(parse);
}

export function required<Form extends string>(form: Form, about: string): Flag<Form, string>;
export function required<Form extends string, T>(form: Form, about: string, parse: Parse<T>): Flag<Form, T>;
export function required(form: string, about: string, parse?: Parse<unknown>): Option {
  return option(form, about, parse as Parse<unknown>).makeOptionMandatory();
}

export function choice<Form extends string, const Choice extends string>(
  form: Form,
  about: string,
  choices: readonly Choice[],
): Flag<Form, Choice | undefined> {
  return new Option(form, about).choices(choices);
}

type Argument = readonly [form: string, description: string];
type ArgumentOf<Form extends string> = Form extends `${string}...${string}`
  ? readonly string[]
  : Form extends `<${string}`
    ? string
    : string | undefined;

type Values<Arguments extends readonly Argument[]> = { [K in keyof Arguments]: ArgumentOf<Arguments[K][0]> };

/** A command: its help, its arguments and options, and the function that runs with their values. */
interface Definition<Arguments extends readonly Argument[], Options extends readonly Flag[]> {
  /** A path in braces, such as {data/loot.2da}, is a file of the package: the help shows its real path. */
  readonly examples: readonly string[];
  readonly description?: string;
  readonly takes?: Arguments;
  readonly options?: Options;
  readonly run: (flags: Flags<Options>, ...given: Values<Arguments>) => Promise<void>;
}

export function define<const Arguments extends readonly Argument[] = [], const Options extends readonly Flag[] = []>(
  command: Command,
  io: Io,
  { examples, description, takes, options, run }: Definition<Arguments, Options>,
): Command {
  if (description !== undefined) command.description(description);
  for (const [form, what] of takes ?? []) command.argument(form, what);
  for (const one of options ?? []) command.addOption(one);
  // commander passes the arguments, the options and the command
  const action = (...given: unknown[]) => run(command.opts(), ...(given.slice(0, -2) as Values<Arguments>));
  return withExamples(command, io, ...examples).action(action);
}

/** The folder of the package. */
export const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));
const EXAMPLES = new WeakMap<Command, readonly string[]>();

export function withExamples(command: Command, { cwd = "" }: Io, ...examples: readonly string[]): Command {
  const placeOf = (path: string) => {
    const absolute = join(PACKAGE, path);
    const near = relative(cwd, absolute);
    return shellWord(near.length < absolute.length ? near : absolute);
  };
  const shown = examples.map((one) => `rollmill ${one.replace(/\{([^{}]+)\}/g, (_, path) => placeOf(path))}`);
  EXAMPLES.set(command, shown);
  return command.addHelpText("after", helpText(shown));
}

/** Adds the first example of each command to the help of a group and its subgroups. Returns the first example. */
export function withFirstExamples(group: Command): readonly string[] {
  const own = EXAMPLES.get(group);
  if (own !== undefined) return own.slice(0, 1);
  const examples = group.commands.flatMap(withFirstExamples);
  group.addHelpText("after", helpText(examples));
  return examples.slice(0, 1);
}

function helpText(examples: readonly string[]): string {
  return `\n${examples.length === 1 ? "Example" : "Examples"}:\n${examples.map((line) => `  ${line}`).join("\n")}`;
}

const IS_WINDOWS = sep === "\\";
/** Words that no shell changes. On Windows, a backslash separates folders; elsewhere, it escapes. */
const PLAIN = IS_WINDOWS ? /^[\w./:@+\\-]+$/ : /^[\w./:@+-]+$/;

/**
 * Returns a text as one word of a command line. Every path and name in a printed command passes through here: otherwise
 * a folder named `$(…)` would run as a command. Single quotes protect every other character. Sources: POSIX, Shell
 * Command Language, section 2.2.2; about_Quoting_Rules of PowerShell.
 */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", IS_WINDOWS ? "''" : "'\\''")}'`;
}
