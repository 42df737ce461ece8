import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { folderUnder, pathUnder } from "../../../src/jobs/queue/root.js";
import { codeOf } from "../../refusal.js";

const place = realpathSync(mkdtempSync(join(tmpdir(), "rollmill-root-")));
afterAll(() => rmSync(place, { recursive: true }));
const root = join(place, "root");
mkdirSync(join(root, "maps/isle/parts"), { recursive: true });
mkdirSync(join(place, "root2/isle"), { recursive: true });

describe("folderUnder", () => {
  test("finds a folder below the root", () => {
    expect(folderUnder(root, "maps/isle")).toBe(join(root, "maps/isle"));
  });

  test.each([
    "..",
    "../root2/isle",
    "maps/../../root2/isle",
    "/etc",
    join(place, "root2/isle"),
    "",
    ".",
    "maps//isle",
    "maps\\..\\..\\root2",
    "maps/isle\0",
    "maps/nothing",
    "C:/maps",
    undefined,
    null,
    5,
    ["maps", "isle"],
    { toString: () => "maps/isle" },
  ])("refuses %j", (path) => {
    expect(codeOf(() => folderUnder(root, path))).toBe("queue.root");
  });

  test("a link to a folder inside the root is followed", () => {
    symlinkSync(join(root, "maps/isle"), join(root, "inside"));
    expect(folderUnder(root, "inside")).toBe(join(root, "inside"));
  });

  test.each(["link", "link/isle"])("a link that leaves the root is refused: %s", (path) => {
    rmSync(join(root, "link"), { force: true });
    symlinkSync(join(place, "root2"), join(root, "link"));
    expect(codeOf(() => folderUnder(root, path))).toBe("queue.root");
  });

  test.each(["parts", "exports", "events.ndjson", "parts/cells"])(
    "a link inside the job that leaves the root: %s",
    (name) => {
      const job = join(root, `job-${name.replace("/", "-")}`);
      mkdirSync(join(job, ...name.split("/").slice(0, -1)), { recursive: true });
      expect(folderUnder(root, job.slice(root.length + 1))).toBe(job);
      writeFileSync(join(place, "outside"), "");
      symlinkSync(name.includes(".") ? join(place, "outside") : join(place, "root2"), join(job, name));
      expect(codeOf(() => folderUnder(root, job.slice(root.length + 1)))).toBe("queue.root");
    },
  );
});

describe("pathUnder", () => {
  test("returns the path from the root", () => {
    expect(pathUnder(root, join(root, "maps/isle"))).toBe("maps/isle");
    expect(pathUnder(join(root, "maps"), join(root, "maps/isle"))).toBe("isle");
  });

  test.each([root, place, join(place, "root2/isle"), join(root, "nothing")])("refuses %s", (folder) => {
    expect(codeOf(() => pathUnder(root, folder))).toBe("queue.root");
  });
});
