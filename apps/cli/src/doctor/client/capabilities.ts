import { assertSpoken, endpoints, WIRE_VERSION } from "@chest/contracts";
import type { Check } from "../check.ts";
import { type ClientPatient, failed, LOCAL_MODE } from "./patient.ts";

export const capabilities: Check<ClientPatient> = {
  id: "client.network.capabilities",
  title: "the backend takes this client and its token",
  async run({ remote }, signal) {
    if (!remote) return LOCAL_MODE;
    const { backend, reach } = remote;
    try {
      const answer = await backend.call(endpoints.capabilities, { signal, tries: 1 });
      assertSpoken(answer);
      const { server_version, min_required_client_version: minimum } = answer;
      return { status: "ok", message: `release ${server_version} wants wire ${minimum}, this is ${WIRE_VERSION}` };
    } catch (error) {
      const token = reach.tokenFile ? `$(cat '${reach.tokenFile}')` : "$CHEST_API_TOKEN";
      return failed(error, `curl -i -H "authorization: Bearer ${token}" ${backend.url}/capabilities`);
    }
  },
};
