import { createRequire } from "node:module"; const require = createRequire(import.meta.url);
import { expect, it } from "vitest";
import { openApp, AUTHORIZATION, A_FACT } from "./testing/app.ts";
it("probe", async () => {
  const { app, log } = await openApp();
  const show = (r: any) => require("fs").writeFileSync("/tmp/probe/o.json", r.payload);
  show(await app.inject({ method: "GET", url: "/openapi.json" }));
});
