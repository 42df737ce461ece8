import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { checkFolder, folderUnder, pathUnder } from "../../../src/jobs/queue/root.js";
import { rejectionOf } from "../../refusal.js";

vi.mock("node:fs/promises", { spy: true });

const place = realpathSync(mkdtempSync(join(tmpdir(), "rollmill-root-")));
afterAll(() => rmSync(place, { recursive: true }));
const root = join(place, "root");
const codeOf = async (call: Promise<unknown>) => (await rejectionOf(call)).code;
/** Finds the folder of a job, and checks its links. */
async function folderOf(path: string): Promise<string> {
  const folder = await folderUnder(root, path);
  await checkFolder(root, folder);
  return folder;
}
mkdirSync(join(root, "maps/isle/parts"), { recursive: true });
mkdirSync(join(place, "root2/isle"), { recursive: true });

describe("folderUnder", () => {
  test("finds a folder below the root", async () => {
    expect(await folderUnder(root, "maps/isle")).toBe(join(root, "maps/isle"));
  });

  test.each(["..", "../root2/isle", "maps/../../root2/isle", "/etc", join(place, "root2/isle"), "maps/nothing"])(
    "refuses %j",
    async (path) => {
      expect(await codeOf(folderUnder(root, path))).toBe("queue.root");
    },
  );

  test("a link to a folder inside the root is followed", async () => {
    symlinkSync(join(root, "maps/isle"), join(root, "inside"));
    expect(await folderUnder(root, "inside")).toBe(join(root, "inside"));
  });

  test.each(["link", "link/isle"])("a link that leaves the root is refused: %s", async (path) => {
    rmSync(join(root, "link"), { force: true });
    symlinkSync(join(place, "root2"), join(root, "link"));
    expect(await codeOf(folderUnder(root, path))).toBe("queue.root");
  });

  test.each(["parts", "exports", "events.ndjson", "parts/cells", "exports/tiles", "exports/tiles/0"])(
    "a link inside the job that leaves the root: %s (audit 22)",
    async (name) => {
      const job = join(root, `job-${name.replaceAll("/", "-")}`);
      mkdirSync(join(job, ...name.split("/").slice(0, -1)), { recursive: true });
      expect(await folderOf(job.slice(root.length + 1))).toBe(job);
      writeFileSync(join(place, "outside"), "");
      symlinkSync(name.includes(".") ? join(place, "outside") : join(place, "root2"), join(job, name));
      expect(await codeOf(folderOf(job.slice(root.length + 1)))).toBe("queue.root");
    },
  );

  test("a link that leaves the root is found behind a link to a folder inside the root, also in a circle", async () => {
    mkdirSync(join(root, "behind/parts"), { recursive: true });
    mkdirSync(join(root, "aside"));
    symlinkSync(join(root, "aside"), join(root, "behind/parts/cells"));
    symlinkSync(join(root, "behind"), join(root, "aside/circle"));
    expect(await folderOf("behind")).toBe(join(root, "behind"));
    symlinkSync(join(place, "root2"), join(root, "aside/out"));
    expect(await codeOf(folderOf("behind"))).toBe("queue.root");
  });

  test("folders that no worker uses are not listed", async () => {
    mkdirSync(join(root, "used/notes"), { recursive: true });
    symlinkSync(join(place, "root2"), join(root, "used/notes/link"));
    expect(await folderOf("used")).toBe(join(root, "used"));
  });

  test.each(["realpath", "opendir"] as const)("a fault of the disk in %s may pass, and is file.read", async (name) => {
    vi.mocked(promises[name]).mockRejectedValueOnce(Object.assign(new Error("EIO"), { code: "EIO", syscall: name }));
    expect(await codeOf(folderOf("maps/isle"))).toBe("file.read");
    expect(await folderOf("maps/isle")).toBe(join(root, "maps/isle"));
  });
});

describe("pathUnder", () => {
  test("returns the path from the root", async () => {
    expect(await pathUnder(root, join(root, "maps/isle"))).toBe("maps/isle");
    expect(await pathUnder(join(root, "maps"), join(root, "maps/isle"))).toBe("isle");
  });

  test.each([root, place, join(place, "root2/isle"), join(root, "nothing")])("refuses %s", async (folder) => {
    expect(await codeOf(pathUnder(root, folder))).toBe("queue.root");
  });
});
