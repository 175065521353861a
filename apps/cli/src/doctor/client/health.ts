import { ChestError, endpoints } from "@chest/contracts";
import { isDown } from "../../connect/mend.ts";
import { startCommand } from "../../connect/start-command.ts";
import type { Check } from "../check.ts";
import { failed, type InspectedClient, LOCAL_MODE } from "./target.ts";

export const health: Check<InspectedClient> = {
  id: "client.network.health",
  title: "the backend answers",
  async run({ remote }, signal) {
    if (!remote) return LOCAL_MODE;
    const { backend } = remote;
    try {
      const { db, version } = await backend.call(endpoints.healthz, { signal, tries: 1 });
      return { status: "ok", message: `${backend.url} answers: wire ${version}, database ${db}` };
    } catch (error) {
      const start = error instanceof ChestError && isDown(error) ? await startCommand(backend.url) : undefined;
      return failed(error, start);
    }
  },
};
