import { listWith } from "../../../../src/cli/instruments/editWeights.js";
import { parseListText } from "../../../../src/cli/shared/listText.js";
import { labelled } from "../../../../src/weighted/index.js";
import { stemOf } from "../../document.js";
import { instruments, millOf, type Open, oddsOf, oddsViews, specOf, told } from "./kind.js";

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source);
  const { notes, ...parsed } = parseListText(files[file], file);
  const spec = specOf(parsed);
  const noun = mill.open(labelled, stemOf(file), spec);
  return {
    issues: [...notes, ...parsed.issues],
    planned: noun,
    ...oddsViews(
      noun,
      () => oddsOf(noun.odds()),
      (at) => told(noun.pick({ at })),
    ),
    async target(result, chance) {
      const { balance } = await instruments();
      return listWith(balance(spec, { [result]: chance }), { ...parsed, spec }, files[file]);
    },
    [Symbol.dispose]: () => mill.dispose(),
  };
};
