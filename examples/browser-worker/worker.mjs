// A Web Worker of page.mjs: runs some walkers, and sends their map to the page.

import { createMillAsync } from "../../dist/rollmill.min.js";

const mill = await createMillAsync({ seed: "moria" });

addEventListener("message", ({ data: { all, steps, walkers } }) => {
  const walk = mill.walk("land", { walkers: all, steps, preset: "five-ways" });
  const message = walk.runLayer({ walkers }).toMessage();
  postMessage(message, [message.visits.buffer]); // the buffer moves to the page: nothing is copied
});

postMessage("ready");
