import { tableWith } from "../../../../src/cli/instruments/editWeights.js";
import { loadTable, tables } from "../../../../src/tables/index.js";
import { stemOf } from "../../document.js";
import {
  explained,
  instruments,
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
  const mill = await millOf(source, [tables]);
  const { spec, issues } = await loadTable(file, (path) => textOf(files, path));
  const noun = mill.open(tables, stemOf(file), specOf({ spec, issues }), { file });
  const odds = () => oddsOf(noun.odds({ maxWork: MAX_WORK }));
  return {
    issues,
    odds,
    look: (before) =>
      oddsShown(
        odds(),
        before,
        Array.from({ length: SAMPLES }, (_, at) => told(noun.roll({ at }))),
      ),
    wait: (result) => waitFor(noun, result),
    async target(result, chance) {
      const { balance } = await instruments();
      return tableWith(balance(noun, { [result]: chance }), noun.plan.spec, { text: files[file], file });
    },
    explain: (at) => explained(noun, at),
    [Symbol.dispose]: () => mill.dispose(),
  };
};
