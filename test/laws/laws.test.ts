import { type Subject, testLaws } from "./battery.js";

const SUBJECTS: readonly Subject[] = [
  {
    name: "weighted lists",
    open: (mill, name) => {
      const list = mill.weighted(name, [100, 25, 0, 5, 1.5]);
      return {
        noun: list,
        one: (options) => list.pick(options),
        many: (n, options) => list.pickMany(n, options),
        into: (n, options) => list.pickInto(new Uint32Array(n), options),
        count: (n, options) => list.count(n, options),
        odds: () => list.odds(),
      };
    },
  },
];

for (const subject of SUBJECTS) testLaws(subject);
