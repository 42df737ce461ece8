import { jsonIn } from "../../../../src/cli/shared/texts.js";
import { withTable } from "../../../../src/tables/drops/load.js";
import { drops, parseDrops } from "../../../../src/tables/index.js";
import { stemOf } from "../../document.js";
import {
  explained,
  MAX_WORK,
  millOf,
  type Open,
  oddsOf,
  oddsShown,
  SAMPLES,
  specOf,
  textOf,
  told,
  waitFor,
} from "./kind.js";

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source, [drops]);
  const input = await withTable(file, jsonIn(files[file], file), (path) => textOf(files, path));
  const parsed = parseDrops(input, { file });
  const noun = mill.open(drops, stemOf(file), specOf(parsed));
  const odds = () => {
    const { odds: found, none } = noun.odds({ maxWork: MAX_WORK });
    const chances = found.map(({ result, atLeastOne }) => ({ result, probability: atLeastOne }));
    return oddsOf({ odds: chances, none }, false);
  };
  const samples = () => Array.from({ length: SAMPLES / 2 }, (_, at) => noun.roll({ at }).map(told).join(", "));
  return {
    issues: parsed.issues,
    odds,
    look: (before) => oddsShown(odds(), before, samples()),
    wait: (result) => waitFor(noun, result),
    explain: (at) => explained(noun, at),
    [Symbol.dispose]: () => mill.dispose(),
  };
};
