// Prepares a release: `node scripts/release.mjs 0.1.0`. It writes the version into package.json and the date into
// CHANGELOG.md, builds the package twice, commits and tags. Pushing the tag publishes it (.github/workflows/release.yml).
// The first release also needs `--repository https://github.com/OWNER/NAME`: package.json has no address until then.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const project = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { repository: { type: "string" } } });
const [version = ""] = positionals;

if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) stop("Give the version, such as 0.1.0.");
if (run("git", "status", "--porcelain") !== "") stop("The working tree has changes: commit or stash them first.");
if (run("git", "tag", "--list", `v${version}`) !== "") stop(`The tag v${version} exists. Choose the next version.`);

const changelog = readFileSync(`${project}CHANGELOG.md`, "utf8");
const heading = `## [${version}] - unreleased`;
if (!changelog.includes(`${heading}\n`)) stop(`CHANGELOG.md has no heading "${heading}". Write what is new below it.`);
const manifest = JSON.parse(readFileSync(`${project}package.json`, "utf8"));
const repository = values.repository ?? manifest.repository?.url.replace(/^git\+|\.git$/g, "");
if (!/^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(repository ?? ""))
  stop("package.json has no repository. Add --repository https://github.com/OWNER/NAME.");

const day = new Date().toISOString().slice(0, 10);
writeFileSync(`${project}CHANGELOG.md`, changelog.replace(heading, `## [${version}] - ${day}`));
const addresses = {
  homepage: `${repository}#readme`,
  bugs: `${repository}/issues`,
  repository: { type: "git", url: `git+${repository}.git` },
};
writeFileSync(`${project}package.json`, `${JSON.stringify({ ...manifest, version, ...addresses }, null, 2)}\n`);
run("npm", "install", "--package-lock-only", "--ignore-scripts");
execFileSync(process.execPath, ["scripts/pack-twice.mjs"], { cwd: project, stdio: "inherit" });
run("git", "commit", "--all", "--message", `Release ${version}`);
run("git", "tag", "--annotate", `v${version}`, "--message", `Rollmill ${version}`);
console.log(`Tagged v${version}. Publish it with: git push --follow-tags`);

/** Runs a program in the project, and returns its output. */
function run(program, ...args) {
  return execFileSync(program, args, { cwd: project, encoding: "utf8" });
}

/** Ends the program before it changes anything. */
function stop(message) {
  console.error(message);
  process.exit(1);
}
