import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LAUNCHD_LABEL, serviceOf, TASK_NAME } from "./service.ts";

const shipped = (file: string) => readFileSync(join(import.meta.dirname, "../../../../deploy", file), "utf8");

it.each([
  ["linux", "systemctl cat chest.service", "sudo systemctl start chest", "sudo systemctl restart chest"],
  [
    "darwin",
    "launchctl print gui/501/dev.chest.memory",
    "launchctl kickstart gui/501/dev.chest.memory",
    "launchctl kickstart -k gui/501/dev.chest.memory",
  ],
  [
    "win32",
    "schtasks /query /tn chest-memory",
    "Start-ScheduledTask chest-memory",
    "Stop-ScheduledTask chest-memory; Start-ScheduledTask chest-memory",
  ],
] as const)("is started on %s as its system starts what it runs", (platform, asks, start, restart) => {
  const service = serviceOf(platform, 501);
  expect([service.asks.join(" "), service.start, service.restart]).toEqual([asks, start, restart]);
});

it("has the names under which it is installed", () => {
  expect(shipped("launchd/dev.chest.memory.plist")).toContain(`<string>${LAUNCHD_LABEL}</string>`);
  expect(readFileSync(join(import.meta.dirname, "../../../../docs/bare-metal.md"), "utf8")).toContain(
    `Register-ScheduledTask -TaskName ${TASK_NAME} `,
  );
});
