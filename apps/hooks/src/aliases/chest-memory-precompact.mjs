#!/usr/bin/env node
// 1.5's command for this event: settings that were written then still run it.
process.argv.splice(2, process.argv.length, "pre-compact");
await import(new URL("chest-hook.mjs", import.meta.url).href);
