import { parentPort, workerData } from "node:worker_threads";
import { nearPairs } from "@chest/core/statements";
import type { NearPairQuery } from "./near-pairs.ts";

// The thread ends after one comparison.
const { rows, tagLikeness } = workerData as NearPairQuery;
parentPort?.postMessage(nearPairs(rows, tagLikeness));
