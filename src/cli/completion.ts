import type { Command, Option } from "commander";
import { SHIPPED_RECIPES } from "../recipes/shipped.js";
import { withExamples } from "./command.js";
import { type Io, write } from "./shared/io.js";

interface Word {
  readonly word: string;
  readonly description: string;
}

interface Flag extends Word {
  readonly forms: readonly string[];
  readonly value: Value;
}

type Value = "none" | "file" | "text" | readonly string[];

interface Node {
  /** The path of the command, with a space before each name, such as " table roll". */
  readonly at: string;
  readonly commands: readonly Word[];
  readonly words: readonly string[];
  readonly files: boolean;
  readonly flags: readonly Flag[];
}

const SCRIPTS = { bash, zsh, fish } as const;
type Shell = keyof typeof SCRIPTS;

const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];
/** Placeholders of option values that are paths. */
const FILE_VALUES = /^<(?:file|source|target|folder|script)>$/;

export function addCompletion(completion: Command, io: Io, load: () => Promise<Command>): void {
  withExamples(completion, io, ...SHELLS.map((shell) => `completion ${shell}`))
    .addArgument(completion.createArgument("<shell>", "bash, zsh or fish").choices(SHELLS))
    .addHelpText(
      "after",
      "\nAdd one line to the start file of your shell:\n" +
        '  ~/.bashrc                   eval "$(rollmill completion bash)"\n' +
        '  ~/.zshrc, after compinit    eval "$(rollmill completion zsh)"\n' +
        "  ~/.config/fish/config.fish  rollmill completion fish | source",
    )
    .action(async (shell: Shell) => write(io, SCRIPTS[shell](nodesOf(await load(), ""))));
}

function nodesOf(command: Command, at: string): readonly Node[] {
  const commands = command.commands.map((one) => ({ word: one.name(), description: firstPhrase(one.description()) }));
  const words = command.registeredArguments.flatMap((argument) =>
    argument.name() === "recipe" ? SHIPPED_RECIPES : (argument.argChoices ?? []),
  );
  const files = command.registeredArguments.some(({ argChoices }) => argChoices === undefined);
  const help: Flag = { word: "--help", forms: ["-h", "--help"], description: "display help", value: "none" };
  const flags = [...command.options.map(flagOf), help];
  const node: Node = { at, commands, words, files, flags };
  return [node, ...command.commands.flatMap((one) => nodesOf(one, `${at} ${one.name()}`))];
}

function flagOf({ short, long, flags, description, argChoices }: Option): Flag {
  const forms = [short, long].filter((form) => form !== undefined);
  const value = flags.split(/ (?=[<[])/)[1];
  const kind = value === undefined ? "none" : FILE_VALUES.test(value) ? "file" : "text";
  return { word: forms[forms.length - 1], forms, description: firstPhrase(description), value: argChoices ?? kind };
}

/** Returns the part before the first `;`, `:` or `(`, because a shell shows only one line for each word. */
function firstPhrase(description: string): string {
  return description.split(/[;:(]/)[0].trim();
}

function pathsOf(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap(({ at }) => (at === "" ? [] : [quoted(at)]));
}

/** Returns a shell pattern for each spelling of an option whose value is of this kind, such as ' table roll -o'. */
function patternsOf(nodes: readonly Node[], kind: "file" | "text"): readonly string[] {
  return nodes.flatMap(({ at, flags }) =>
    flags.filter(({ value }) => value === kind).flatMap(({ forms }) => forms.map((form) => quoted(`${at} ${form}`))),
  );
}

function choicesOf(nodes: readonly Node[], branch: (pattern: string, words: string) => string): readonly string[] {
  return nodes.flatMap(({ at, flags }) =>
    flags.flatMap(({ forms, value }) =>
      typeof value === "string" ? [] : forms.map((form) => branch(quoted(`${at} ${form}`), value.join(" "))),
    ),
  );
}

/** Quotes a text. Shells escape `\` and `'` in different ways, so other characters replace these two. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "/").replaceAll("'", "’")}'`;
}

function bash(nodes: readonly Node[]): string {
  const branches = nodes.map(({ at, commands, words, files, flags }) => {
    const known = quoted([...commands.map(({ word }) => word), ...words].join(" "));
    const forms = quoted(flags.flatMap((flag) => flag.forms).join(" "));
    return `    ${quoted(at)}) words=${known} files=${files ? 1 : 0} flags=${forms} ;;`;
  });
  return `# Completion of rollmill for bash
_rollmill() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} at= word words= files=0 flags=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$at $word" in
      ${pathsOf(nodes).join(" | ")}) at="$at $word" ;;
    esac
  done
  COMPREPLY=()
  case "$at $before" in
${choicesOf(nodes, (pattern, words) => `    ${pattern}) COMPREPLY=($(compgen -W ${quoted(words)} -- "$current")); return ;;`).join("\n")}
    ${patternsOf(nodes, "file").join(" | ")}) compopt -o default; return ;;
    ${patternsOf(nodes, "text").join(" | ")}) return ;;
  esac
  case "$at" in
${branches.join("\n")}
  esac
  if [[ $current == -* ]]; then words=$flags; elif [[ $files == 1 ]]; then compopt -o default; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _rollmill rollmill
`;
}

function zsh(nodes: readonly Node[]): string {
  const entry = ({ word, description }: Word) => quoted(`${word.replaceAll(":", "\\:")}:${description}`);
  const branches = nodes.map(({ at, commands, words, files, flags }) => {
    const known = [...commands.map(entry), ...words.map((word) => quoted(word))].join(" ");
    return `    (${quoted(at)}) known=(${known}) files=${files ? 1 : 0} flags=(${flags.map(entry).join(" ")}) ;;`;
  });
  return `#compdef rollmill
# Completion of rollmill for zsh
_rollmill() {
  local at='' word files=0
  local -a known flags
  for word in $words[2,CURRENT-1]; do
    case "$at $word" in
      (${pathsOf(nodes).join("|")}) at="$at $word" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${choicesOf(nodes, (pattern, words) => `    (${pattern}) compadd ${words}; return ;;`).join("\n")}
    (${patternsOf(nodes, "file").join("|")}) _files; return ;;
    (${patternsOf(nodes, "text").join("|")}) return ;;
  esac
  case "$at" in
${branches.join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then _describe option flags; return; fi
  if (( $#known )); then _describe command known; fi
  if (( files )); then _files; fi
}
compdef _rollmill rollmill
`;
}

function fish(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ at, commands, words, files, flags }) => {
    const complete = `complete -c rollmill -n ${quoted(`__rollmill_at "${at}"`)}`;
    return [
      ...commands.map(({ word, description }) => `${complete} -f -a ${quoted(word)} -d ${quoted(description)}`),
      ...words.map((word) => `${complete} ${files ? "" : "-f "}-a ${quoted(word)}`),
      ...flags.map(({ forms, description, value }) => {
        const names = forms.map((form) => (form.startsWith("--") ? `-l ${form.slice(2)}` : `-s ${form.slice(1)}`));
        return `${complete} ${names.join(" ")}${fishValue(value)} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# Completion of rollmill for fish
function __rollmill_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${pathsOf(nodes).join(" ")}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c rollmill -e
${lines.join("\n")}
`;
}

function fishValue(value: Value): string {
  if (value === "none") return "";
  if (value === "file") return " -r -F";
  return value === "text" ? " -x" : ` -x -a ${quoted(value.join(" "))}`;
}
