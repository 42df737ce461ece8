// Jest, which loads the package by `require`.
const rollmill = require("rollmill");
const core = require("rollmill/core");
const tables = require("rollmill/tables");
const { check } = require("./check.mjs");
const { texts } = require("./texts.mjs");
const expected = require("./expected.json");

test("the results are those of Node 20", async () => {
  const results = await check({ rollmill, core, tables }, texts);
  expect(JSON.parse(JSON.stringify(results))).toEqual(expected);
});
