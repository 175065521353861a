import { parentPort, workerData } from "node:worker_threads";
import { nearPairs } from "@chest/core/statements";
import type { PairsAsked } from "./near-pairs.ts";

// The thread ends after one comparison.
const { rows, tagLikeness } = workerData as PairsAsked;
parentPort?.postMessage(nearPairs(rows, tagLikeness));
