// Proposes words until all are stored, and prints each word and its id after the call that stored it has returned:
// node proposer.mjs FILE TABLES-AS-JSON PREFIX COUNT
import { writeSync } from "node:fs";
import { proposeWord } from "../../dist/wordstores/index.js";

const [path, tables, prefix, count] = process.argv.slice(2);
for (let i = 0; i < Number(count); i++) {
  const word = `${prefix} ${i}`;
  const proposal = { ...JSON.parse(tables), table: "type", word, proposed: new Date(0), timeoutMs: 60_000 };
  const { row } = await proposeWord(path, proposal);
  writeSync(1, `${JSON.stringify({ word, id: row.id })}\n`);
}
