import { disk } from "./disk.ts";
import { kill } from "./kill.ts";
import type { Part } from "./part.ts";

/** Every part of the rig. One more is a file here and a line there. */
export const PARTS: readonly Part[] = [kill, disk];
