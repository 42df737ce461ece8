import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { FolderStore } from "../../src/jobs/folder/store.js";
import { startJob } from "../../src/jobs/index.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { BIN } from "../cli/rollmill.js";
import { finished, newFolder, REACHED, SEED, SMALL } from "./samples.js";

/** Runs a command that may mount file systems, which only it and its children see. */
const ALONE = process.getuid?.() === 0 ? ["unshare", "-m"] : ["sudo", "-n", "unshare", "-m"];

function canMount(): boolean {
  try {
    execFileSync(ALONE[0], [...ALONE.slice(1), "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Starts a job on a small disk, then makes the disk larger and goes on. Arguments: Node, the command, disk, spec. */
const SCRIPT = `
  mount -t tmpfs -o size="$5" tmpfs "$3" || exit
  "$1" "$2" job start "$4" "$3/job" --seed ${SEED} --threads 2 --yes >&2 && exit 9
  find "$3/job" -name '*.tmp.*' | sed 's/^/left: /'
  mount -o remount,size=64m "$3"
  "$1" "$2" job verify "$3/job" && "$1" "$2" job resume "$3/job" --threads 2 && "$1" "$2" job verify "$3/job"
`;

// only Linux, and only root, can mount a small disk; under CI it must be possible
test.skipIf(!canMount() && process.env.CI === undefined)(
  "a disk that is full fails the job with file.write, and with more space it goes on to the same digest",
  async () => {
    const folder = newFolder();
    const disk = join(dirname(folder), "disk");
    mkdirSync(disk);
    const spec = join(dirname(folder), "job.json");
    const job = { ...REACHED, world: { ...(REACHED.world as WorldInput), name: "isle" } };
    writeFileSync(spec, JSON.stringify(job));
    const { digest } = await finished(startJob(folder, job, { ...SMALL, seed: SEED }));
    const store = new FolderStore(folder);
    const bytes = store.list("parts").reduce((sum, name) => sum + (store.sizeOf(name) ?? 0), 0);
    // the disk fills early, in the middle, and near the end
    for (const share of [0.2, 0.5, 0.9]) {
      const size = String(Math.floor(bytes * share));
      const args = [...ALONE.slice(1), "sh", "-c", SCRIPT, "sh", process.execPath, BIN, disk, spec, size];
      const { stdout, stderr } = await promisify(execFile)(ALONE[0], args, { encoding: "utf8" });
      expect(stderr, size).toMatch(/cannot write the file \(ENOSPC.*\[file\.write\]/);
      expect(stdout, size).toContain(`digest\t${digest}\n`);
      expect(stdout, size).not.toContain("left: ");
    }
  },
  120_000,
);

/** Makes a read-only disk, and starts a job on it. Arguments: Node, the command, disk, spec. */
const READ_ONLY = `
  mount -t tmpfs -o ro tmpfs "$3" || exit
  "$1" "$2" job start "$4" "$3/maps/job" --seed ${SEED} --threads 1 --yes
`;

test.skipIf(!canMount() && process.env.CI === undefined)("a read-only disk is reported as one (audit 4)", async () => {
  const folder = newFolder();
  const disk = join(dirname(folder), "disk");
  mkdirSync(disk);
  const spec = join(dirname(folder), "job.json");
  writeFileSync(spec, JSON.stringify(REACHED));
  const args = [...ALONE.slice(1), "sh", "-c", READ_ONLY, "sh", process.execPath, BIN, disk, spec];
  const failed = await promisify(execFile)(ALONE[0], args, { encoding: "utf8" }).catch((cause) => cause.stderr);
  expect(failed).toMatch(/cannot write the file \(EROFS.*\[file\.write\]/);
});
