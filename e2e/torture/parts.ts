import type { Part } from "./part.ts";
import { bodies } from "./parts/bodies.ts";
import { crowd } from "./parts/crowd.ts";
import { disk } from "./parts/disk.ts";
import { fuzz } from "./parts/fuzz.ts";
import { kill } from "./parts/kill.ts";
import { restore } from "./parts/restore.ts";
import { rot } from "./parts/rot.ts";
import { slow } from "./parts/slow.ts";
import { soak } from "./parts/soak.ts";
import { timing } from "./parts/timing.ts";
import { upgrade } from "./parts/upgrade.ts";

/** Every part of the suite. A new part is a file in `parts` and a line here. */
export const PARTS: readonly Part[] = [kill, disk, rot, restore, upgrade, slow, crowd, bodies, fuzz, timing, soak];
