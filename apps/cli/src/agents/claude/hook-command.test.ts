import { expect, it } from "vitest";
import { hookCommand, isOurs } from "./hook-command.ts";

it.each([
  "node /home/dev/.chest-memory/bin/chest-hook.mjs stop",
  "/opt/node/bin/node --no-warnings '/home/a dev/.chest-memory/bin/chest-hook.mjs' user-prompt",
  '"C:\\Program Files\\nodejs\\node.exe" "C:\\Users\\dev\\.chest-memory\\bin\\chest-hook.mjs" stop',
  "chest-memory-sync",
  "/usr/local/bin/chest-memory-session-start",
  "npx -y --package=mcp-chest-memory@latest chest-memory-precompact 2>/dev/null || true",
  "npx chest-memory-user-prompt-submit@1.5.0",
  "CHEST_MODE=remote exec chest-memory-sync > /dev/null 2>&1",
])("takes for its own: %s", (command) => {
  expect(isOurs(command)).toBe(true);
});

it.each([
  "echo 'call chest_recall first'",
  "printf 'remember: chest-memory-sync'",
  "grep -r chest-memory-sync .",
  "node /home/dev/hooks/my-chest-hook.mjs stop",
  "node /home/dev/lint.mjs --then chest-hook.mjs",
  "chest-memory-sync-status",
  "chest-memory-sync && make",
  "make; node /d/bin/chest-hook.mjs stop",
  "",
])("takes for somebody else's: %s", (command) => {
  expect(isOurs(command)).toBe(false);
});

it("writes what it takes for its own, quoting only what needs it", () => {
  expect(hookCommand("node", "/home/dev/.chest-memory/bin/chest-hook.mjs", "stop")).toBe(
    "node /home/dev/.chest-memory/bin/chest-hook.mjs stop",
  );
  const odd = hookCommand("/opt/my nodes/node", "/it's/bin/chest-hook.mjs", "stop");
  expect(odd).toBe("'/opt/my nodes/node' '/it'\\''s/bin/chest-hook.mjs' stop");
  expect(isOurs(odd)).toBe(true);
});
