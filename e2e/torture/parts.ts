import { bodies } from "./bodies.ts";
import { crowd } from "./crowd.ts";
import { disk } from "./disk.ts";
import { fuzz } from "./fuzz.ts";
import { kill } from "./kill.ts";
import type { Part } from "./part.ts";
import { restore } from "./restore.ts";
import { rot } from "./rot.ts";
import { slow } from "./slow.ts";
import { soak } from "./soak.ts";
import { timing } from "./timing.ts";
import { upgrade } from "./upgrade.ts";

/** Every part of the rig. One more is a file here and a line there. */
export const PARTS: readonly Part[] = [kill, disk, rot, restore, upgrade, slow, crowd, bodies, fuzz, timing, soak];
