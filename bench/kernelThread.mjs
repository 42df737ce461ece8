// One of the threads of kernelThreads.mjs.

import { parentPort, workerData } from "node:worker_threads";
import { kernelTasks } from "./ours.mjs";

const tasks = await kernelTasks(workerData.folder, workerData);

parentPort.on("message", async ({ call, given }) => parentPort.postMessage(await tasks[call](given)));
