import type { Check } from "../check.ts";
import type { InspectedServer } from "./target.ts";

export const mode: Check<InspectedServer> = {
  id: "server.env.mode",
  title: "the container is a backend, not a client of one",
  async run({ docker, container }) {
    const found = await (await docker())?.inspect(container.name);
    if (!found) return { status: "ok", message: "a backend ignores CHEST_MODE" };
    const given = found.env.get("CHEST_MODE");
    if (!given || given === "local") return { status: "ok", message: given ?? "not set" };
    return {
      status: "fail",
      message: `CHEST_MODE=${given} is set in the container`,
      fix: "grep -rn CHEST_MODE .env compose*.yaml",
    };
  },
};
