import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { JobFolder } from "./jobFolder.js";

const GALLERY = fileURLToPath(new URL("../../docs/gallery", import.meta.url));

const job = new JobFolder("gallery.mjs");

test("the gallery makes the committed pictures, byte for byte (audit 14)", async () => {
  expect(await job.run("made")).toMatchObject({ code: 0, stderr: "" });
  const made = join(job.path, "made");
  // the pictures of the workbench are those of a browser
  const committed = readdirSync(GALLERY).filter((file) => !file.startsWith("workbench-"));
  expect(readdirSync(made).sort()).toEqual(committed.sort());
  const differing = committed.filter(
    (file) => !readFileSync(join(made, file)).equals(readFileSync(join(GALLERY, file))),
  );
  expect(differing).toEqual([]);
});
