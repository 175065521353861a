// Runs around each file of unit tests.
import { afterAll } from "vitest";
import { endFile } from "../../packages/testing/src/end-of-file.ts";

afterAll(endFile);
