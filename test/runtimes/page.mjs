// The page of a Vite app. `run` uses the library in the page, and `runInWorker` in a Web Worker, whose map the page gets
// by postMessage.
import * as rollmill from "rollmill";
import * as core from "rollmill/core";
import kernelPath from "rollmill/kernel.wasm?url";
import * as tables from "rollmill/tables";
import { check } from "./check.mjs";
import { texts } from "./texts.mjs";

const url = new URL(kernelPath, location.href);
const kernels = {
  inside: () => undefined,
  bytes: async () => (await fetch(url)).arrayBuffer(),
  response: () => fetch(url),
  module: async () => WebAssembly.compileStreaming(fetch(url)),
  url: () => url,
};

globalThis.run = async (way) => check({ rollmill, core, tables }, texts, await kernels[way]());

globalThis.runInWorker = async () => {
  const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
  const { results, message } = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message: text }) => reject(new Error(text));
  });
  worker.terminate();
  return { ...results, sent: rollmill.LayerMap.from(message).digest() };
};
