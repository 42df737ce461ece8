import { jsonIn } from "../../../../src/cli/shared/texts.js";
import { withTable } from "../../../../src/tables/drops/load.js";
import { drops, parseDrops } from "../../../../src/tables/index.js";
import { stemOf } from "../../document.js";
import { MAX_WORK, millOf, type Open, oddsOf, oddsViews, SAMPLES, specOf, textOf, told } from "./kind.js";

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
  return {
    issues: parsed.issues,
    planned: noun,
    ...oddsViews(noun, odds, (at) => told(noun.roll({ at })), SAMPLES / 2),
    [Symbol.dispose]: () => mill.dispose(),
  };
};
