import { listWith } from "../../../../src/cli/instruments/editWeights.js";
import { parseListText } from "../../../../src/cli/shared/listText.js";
import { labelled } from "../../../../src/weighted/index.js";
import { stemOf } from "../../document.js";
import {
  explained,
  instruments,
  millOf,
  type Open,
  oddsOf,
  oddsShown,
  SAMPLES,
  specOf,
  told,
  waitFor,
} from "./kind.js";

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source);
  const { notes, ...parsed } = parseListText(files[file], file);
  const spec = specOf(parsed);
  const noun = mill.open(labelled, stemOf(file), spec);
  const odds = () => oddsOf(noun.odds());
  return {
    issues: [...notes, ...parsed.issues],
    odds,
    look: (before) =>
      oddsShown(
        odds(),
        before,
        Array.from({ length: SAMPLES }, (_, at) => told(noun.pick({ at }))),
      ),
    wait: (result) => waitFor(noun, result),
    async target(result, chance) {
      const { balance } = await instruments();
      return listWith(balance(spec, { [result]: chance }), { ...parsed, spec }, files[file]);
    },
    explain: (at) => explained(noun, at),
    [Symbol.dispose]: () => mill.dispose(),
  };
};
