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
  expect(readdirSync(made).sort()).toEqual(readdirSync(GALLERY).sort());
  const differing = readdirSync(GALLERY).filter(
    (file) => !readFileSync(join(made, file)).equals(readFileSync(join(GALLERY, file))),
  );
  expect(differing).toEqual([]);
});
