import { expect, it } from "vitest";
import { giveBack } from "./trouble.ts";

it.each([
  ["linux", "/home/it's me/outbox", /^sudo chown -R \S+ '\/home\/it'\\''s me\/outbox' && chmod -R u\+rwX /],
  ["darwin", "/Users/dev/outbox", /^sudo chown -R \S+ '\/Users\/dev\/outbox' && /],
  ["win32", "C:\\Users\\it's me\\outbox", /^takeown \/R \/F 'C:\\Users\\it''s me\\outbox'$/],
] as const)("gives a folder back to its user on %s", (platform, path, command) => {
  expect(giveBack(path, platform)).toMatch(command);
});
