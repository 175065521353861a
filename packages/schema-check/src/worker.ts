import { parentPort, workerData } from "node:worker_threads";
import { checkSchema } from "./check.ts";
import type { Target } from "./client.ts";

// A thread that is started for one check and ends with it: the client takes 90 MB, which are given back so.
const facts = await checkSchema(workerData as Target);
parentPort?.postMessage(facts);
