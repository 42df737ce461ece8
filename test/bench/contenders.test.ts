import { beforeAll, describe, expect, test, vi } from "vitest";
import { benchModule } from "./modules.js";

const { SUBJECTS } = await benchModule("subjects/index");
const { assertLaw } = await benchModule("law");
const { sharedTable } = await benchModule("inputs/tables");
const { floats } = await benchModule("rivals/js/words");
const { describeCompiler } = await benchModule("rivals/c");

/** Subjects whose cases take many seconds. The bench checks each contender before it times it. */
const TOO_LONG = ["jobs", "threads", "exports", "worlds", "engines"];
/** Cases that differ from another only in size, and take hundreds of megabytes, or many draws, for it. */
const TOO_LARGE = ["torus 2048", "torus 8192", "n=256", "n=1024", "n=4096", "n=65536"];

const shared = sharedTable("rig_root_r") !== null;
const compiler = (await describeCompiler()) !== null;
const cases = SUBJECTS.flatMap((subject) => subject.cases.map((one) => ({ subject: subject.name, ...one })));

// one rival has no generator but this
beforeAll(() => {
  const seeded = floats(11);
  const spy = vi.spyOn(Math, "random").mockImplementation(seeded);
  return () => spy.mockRestore();
});

describe("every contender of the bench does the job that it is timed at", () => {
  for (const { subject, name, open } of cases.filter(
    (one) => !TOO_LONG.includes(one.subject) && !TOO_LARGE.includes(one.name),
  )) {
    const absent = name === "rig_root_r" && !shared;
    test.skipIf(absent && !process.env.CI)(`${subject} ${name}`, async () => {
      const opened = await open(() => {});
      expect(opened, "../shared/data must be there on CI").not.toBeNull();
      const { law = [], draws = 0, contenders = [] } = opened ?? {};
      expect(contenders.map((contender) => contender.name)).toContain("rollmill");
      for (const contender of contenders) {
        const counts = await contender.sample?.(draws);
        // loops that only measure the machine
        if (counts === undefined) continue;
        expect(() => assertLaw(law, counts, draws), contender.name).not.toThrow();
      }
    });
  }
});

test.skipIf(!compiler)("the C rivals time themselves, where there is a compiler", async () => {
  const opened = await SUBJECTS.find(({ name }) => name === "fill")?.cases[0].open(() => {});
  const c = opened?.contenders.find(({ name }) => name === "c");
  expect(await c?.time?.(0.01)).toBeGreaterThan(0);
});
