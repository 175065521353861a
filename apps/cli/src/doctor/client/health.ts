import { endpoints } from "@chest/contracts";
import type { Check } from "../check.ts";
import { type ClientPatient, failed, LOCAL_MODE } from "./target.ts";

export const health: Check<ClientPatient> = {
  id: "client.network.health",
  title: "the backend answers",
  async run({ remote }, signal) {
    if (!remote) return LOCAL_MODE;
    const { backend } = remote;
    try {
      const { db, version } = await backend.call(endpoints.healthz, { signal, tries: 1 });
      return { status: "ok", message: `${backend.url} answers: wire ${version}, database ${db}` };
    } catch (error) {
      return failed(error, `curl -i ${backend.url}/healthz`);
    }
  },
};
