import { expect, it } from "vitest";
import { renameOver } from "./rename-over.ts";

/** A file system on which a rename fails some times with a code. */
function failing(code: string, times: number) {
  let calls = 0;
  const move = async () => {
    calls += 1;
    if (calls <= times) throw Object.assign(new Error(code), { code });
  };
  return { move, calls: () => calls };
}

it.each([
  ["win32", "EBUSY", 3, 4],
  ["win32", "EPERM", 1, 2],
  ["linux", "EACCES", 0, 1],
] as const)("waits on %s for who has the file open: %s", async (platform, code, times, calls) => {
  const system = failing(code, times);
  await renameOver("a", "b", { platform, move: system.move });
  expect(system.calls()).toBe(calls);
});

it.each([
  ["linux", "EACCES", 1],
  ["darwin", "EPERM", 1],
  ["win32", "ENOSPC", 1],
  ["win32", "EPERM", 10],
] as const)("gives up on %s at %s after %i", async (platform, code, calls) => {
  const system = failing(code, Number.POSITIVE_INFINITY);
  await expect(renameOver("a", "b", { platform, move: system.move })).rejects.toThrow(code);
  expect(system.calls()).toBe(calls);
});
