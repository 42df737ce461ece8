// The Web Worker of the Vite app: posts the results and a map to the page.
import * as rollmill from "rollmill";
import * as core from "rollmill/core";
import * as tables from "rollmill/tables";
import { check } from "./check.mjs";
import { texts } from "./texts.mjs";

const results = await check({ rollmill, core, tables }, texts);
const walk = rollmill.createMill({ seed: "moria" }).walk("land", { walkers: 3, steps: 5000, preset: "five-ways" });
const message = walk.runLayer().toMessage();
postMessage({ results, message }, [message.visits.buffer]);
