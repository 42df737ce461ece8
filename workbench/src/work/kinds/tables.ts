import { tableWith } from "../../../../src/cli/instruments/editWeights.js";
import { loadTable, tables } from "../../../../src/tables/index.js";
import { stemOf } from "../../document.js";
import { instruments, MAX_WORK, millOf, type Open, oddsOf, oddsViews, specOf, textOf, told } from "./kind.js";

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source, [tables]);
  const { spec, issues } = await loadTable(file, (path) => textOf(files, path));
  const noun = mill.open(tables, stemOf(file), specOf({ spec, issues }), { file });
  return {
    issues,
    ...oddsViews(
      noun,
      () => oddsOf(noun.odds({ maxWork: MAX_WORK })),
      (at) => told(noun.roll({ at })),
    ),
    async target(result, chance) {
      const { balance } = await instruments();
      return tableWith(balance(noun, { [result]: chance }), noun.plan.spec, { text: files[file], file });
    },
    [Symbol.dispose]: () => mill.dispose(),
  };
};
