import { assertSpoken, ChestError, endpoints, WIRE_VERSION } from "@chest/contracts";
import { quoted } from "@chest/runtime/shell-words";
import { ownToken } from "../../connect/mend.ts";
import type { Check, Finding } from "../check.ts";
import { failed, type InspectedClient, LOCAL_MODE } from "./target.ts";

export const capabilities: Check<InspectedClient> = {
  id: "client.network.capabilities",
  title: "the backend accepts this client and its token",
  async run({ remote, env }, signal) {
    if (!remote) return LOCAL_MODE;
    const { backend } = remote;
    try {
      const answer = await backend.call(endpoints.capabilities, { signal, tries: 1 });
      assertSpoken(answer);
      const { server_version, min_required_client_version: minimum } = answer;
      const message = `release ${server_version} takes wire ${minimum} and newer; this client speaks ${WIRE_VERSION}`;
      return { status: "ok", message };
    } catch (error) {
      const own = error instanceof ChestError && error.code === "UNAUTHORIZED" ? ownToken(error, env) : undefined;
      if (own)
        return failed(error, `chest-index setup --yes --docker ${quoted(backend.url)} --token-file ${quoted(own)}`);
      const { token, tokenFile } = remote.reach;
      const isOfMember = error instanceof ChestError && error.code === "UNAUTHORIZED" && /^cht_\d+_/.test(token ?? "");
      return isOfMember ? withNewToken(failed(error), backend.url, tokenFile) : failed(error);
    }
  },
};

/** Adds the way back for a member whose token is refused, which only an admin can give. */
function withNewToken(finding: Finding, url: string, tokenFile = "FILE"): Finding {
  const again = `chest-index setup --yes --docker ${quoted(url)} --token-file ${quoted(tokenFile)}`;
  const lines = [
    "it has ended, was revoked, or is another backend's; what is saved meanwhile waits in the outbox",
    `an admin makes another one with \`chest-index token create --member NAME\`; in a file, \`${again}\` takes it`,
  ];
  return { ...finding, message: [finding.message, ...lines].join("\n") };
}
