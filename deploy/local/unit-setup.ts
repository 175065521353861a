// Runs around each file of unit tests.
import { afterAll } from "vitest";
// biome-ignore lint/style/noRestrictedImports: the root has no dependency on packages, and this one file loads at once.
import { endFile } from "../../packages/testing/src/end-of-file.ts";

afterAll(endFile);
