import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({ "loot.2da": "", "walk.json": "" });

/** Whether the tests of a shell can run. In CI they must. */
const has = (shell: string) => process.env.CI !== undefined || spawnSync(shell, ["--version"]).status === 0;
const titleOf = (shell: string) => `rollmill completion ${shell}${has(shell) ? "" : `: ${shell} is not installed`}`;

/** Writes the script for a shell to a file, and returns the path of the file. */
async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await rollmill(["completion", shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const file = join(cwd, `.completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

/** What a shell should suggest after each line. `<files>` stands for the files of the folder. */
const LINES: readonly (readonly [line: string, words: readonly string[]])[] = [
  ["rollmill pi", ["pick", "pity"]],
  ["rollmill table ", ["check", "odds", "roll"]],
  ["rollmill recipe word rej", ["reject"]],
  ["rollmill walk ends --wa", ["--walkers"]],
  ["rollmill recipe make we", ["weapon"]],
  ["rollmill recipe make --on-unknown ", ["roll", "throw"]],
  ["rollmill completion ", ["bash", "fish", "zsh"]],
  ["rollmill table roll ", ["<files>"]],
  ["rollmill walk run walk.json -o ", ["<files>"]],
  ["rollmill table roll -n ", []],
  ["rollmill table odds --rows loot.2da --sc", ["--script", "--script-arg"]],
];

describe("rollmill completion bash", () => {
  let script: string;
  beforeAll(async () => {
    script = await scriptFor("bash");
  });

  test.each(LINES)("%s", (line, words) => {
    const before = line.split(" ");
    // completes the last word; bash itself lists the files if the function asks for that
    const program = `source "$1"; shift; compopt() { echo "<files>"; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
      _rollmill; [[ \${#COMPREPLY[@]} == 0 ]] || printf '%s\\n' "\${COMPREPLY[@]}"`;
    const found = execFileSync("bash", ["-c", program, "bash", script, ...before], { encoding: "utf8", cwd });
    const lines = found.split("\n").filter((one) => one !== "");
    expect(lines.filter((one) => one !== "<files>" || lines.length === 1).toSorted()).toEqual(words);
  });

  test("bash calls the function", () => {
    const program = 'source "$1"; complete -p rollmill';
    expect(execFileSync("bash", ["-c", program, "bash", script], { encoding: "utf8" })).toContain("-F _rollmill");
  });
});

describe.runIf(has("fish"))(titleOf("fish"), () => {
  let script: string;
  beforeAll(async () => {
    script = await scriptFor("fish");
  });

  test.each(LINES)("%s", (line, words) => {
    const program = `source "$argv[1]"; complete -C "$argv[2]"`;
    const found = execFileSync("fish", ["--no-config", "-c", program, script, line], { encoding: "utf8", cwd });
    const lines = found.split("\n").flatMap((one) => (one === "" ? [] : [one.split("\t")[0]]));
    const files = ["loot.2da", "walk.json"];
    expect(lines.toSorted()).toEqual(words.flatMap((word) => (word === "<files>" ? files : [word])));
  });
});

describe.runIf(has("zsh"))(titleOf("zsh"), () => {
  test("is loaded by zsh, and sets the words of every command", async () => {
    const script = await scriptFor("zsh");
    const stubs = `compdef() { :; }; _files() { print -r -- "<files>"; }; compadd() { print -rl -- "$@"; }
      _describe() { print -rl -- \${\${(P)2}%%:*}; }`;
    const program = `${stubs}; source "$1"; shift; words=("$@"); CURRENT=$#; PREFIX=$words[CURRENT]; _rollmill`;
    for (const [line, wanted] of LINES) {
      const found = execFileSync("zsh", ["-fc", program, "zsh", script, ...line.split(" ")], { encoding: "utf8", cwd });
      const prefix = line.slice(line.lastIndexOf(" ") + 1);
      const lines = found.split("\n").filter((one) => one !== "" && one.startsWith(prefix));
      expect(lines.toSorted(), line).toEqual(wanted);
    }
  });
});
