import type { IncomingMessage, ServerResponse } from "node:http";
import { type AuthorizationRequestView, ChestError } from "@chest/contracts";
import {
  type Caller,
  hashSecret,
  isBuiltIn,
  lacksScope,
  nameTrouble,
  newSecret,
  opensTo,
  parentFor,
} from "@chest/core/access";
import type Provider from "oidc-provider";
import type { AdapterParts } from "./adapter.ts";
import type { OauthAddresses } from "./addresses.ts";
import { GRANT_S } from "./provider.ts";

/** A member's answer to an access request. */
export interface Decision {
  readonly approve: boolean;
  readonly write: boolean;
  readonly projects?: readonly string[] | undefined;
}

/** HTTP request and response of the browser, which hold the cookies of the authorization. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Shows a client's access request, and takes the answer of the signed-in member. */
export interface Consent {
  show(exchange: Exchange, uid: string, caller: Caller): Promise<AuthorizationRequestView>;
  decide(exchange: Exchange, uid: string, caller: Caller, decision: Decision): Promise<{ location: string }>;
}

export function openConsent(
  provider: Provider,
  { resource }: OauthAddresses,
  { access, records, clock }: AdapterParts,
): Consent {
  async function find({ request, response }: Exchange, uid: string) {
    const found = await provider.interactionDetails(request, response).catch(() => undefined);
    if (found?.uid !== uid) throw noRequest();
    const { client_id: id, redirect_uri: redirect, scope } = found.params;
    const client = await provider.Client.find(String(id));
    if (!client) throw noRequest();
    const requested = new Set(typeof scope === "string" && scope !== "" ? scope.split(" ") : EVERY_SCOPE);
    return { client, redirect: new URL(String(redirect)), asksToWrite: requested.has("memory:write"), requested };
  }

  return {
    async show(exchange, uid, caller) {
      assertMayConsent(caller);
      const { client, redirect, asksToWrite } = await find(exchange, uid);
      const projects = (await access.projects()).filter((project) => opensTo(project, caller));
      return {
        client: {
          id: client.clientId,
          name: shown(client.clientName),
          kind: client.clientId.startsWith("https:") ? "document" : "registered",
        },
        redirect_to: /^https?:$/.test(redirect.protocol) ? redirect.host : redirect.protocol,
        is_this_machine: redirect.protocol === "http:",
        member: caller.member.name,
        asks_to_write: asksToWrite,
        may_write: caller.scopes.has("write"),
        projects: projects.map(({ key }) => key).sort(),
        is_limited: caller.token?.projectIds !== undefined,
      };
    },

    async decide(exchange, uid, caller, { approve, write, projects }) {
      const { client, requested, asksToWrite } = await find(exchange, uid);
      const { request, response } = exchange;
      if (!approve) {
        const refused = { error: "access_denied", error_description: "the member did not agree" };
        return { location: await provider.interactionResult(request, response, refused) };
      }
      assertMayConsent(caller);
      if (write && !asksToWrite) throw notAsked();
      if (write && !caller.scopes.has("write")) throw lacksScope("write");
      const { clientId } = client;
      const expiresAt = new Date(Math.min(clock.now().getTime() + GRANT_S * 1000, endOf(caller)));
      const id = await access.change(caller, async (tx) => {
        const member = await tx.memberById(caller.member.id);
        const parentId = parentFor(caller);
        const parent = parentId === undefined ? undefined : await tx.tokenById(parentId);
        if (!member?.isActive || parent?.revokedAt) throw ended();
        const chosen = projects && (await tx.projects()).filter(({ key }) => projects.includes(key));
        const unknown = projects?.find((key) => !chosen?.some((each) => each.key === key && opensTo(each, caller)));
        if (unknown !== undefined) throw noProject(unknown);
        const grant = await tx.addToken({
          kind: "grant",
          memberId: member.id,
          label: shown(client.clientName) ?? new URL(String(client.redirectUris?.[0])).host,
          hash: hashSecret(newSecret()),
          scopes: write ? ["read", "write"] : ["read"],
          projectIds: chosen?.map((each) => each.id) ?? caller.token?.projectIds,
          parentId,
          client: clientId,
          expiresAt,
        });
        return String(grant.id);
      });
      const accountId = String(caller.member.id);
      const grant = new provider.Grant({ ...{ jti: id }, accountId, clientId });
      const granted = write ? ["memory:read", "memory:write"] : ["memory:read"];
      grant.addResourceScope(resource, granted);
      // The library would ask again at once for a requested scope that is neither granted nor rejected.
      grant.rejectResourceScope(
        resource,
        [...requested].filter((scope) => !granted.includes(scope)),
      );
      await grant.save();
      await records.keepFor(Number(id), hashSecret(clientId), expiresAt);
      const result = { login: { accountId, remember: false }, consent: { grantId: id } };
      return { location: await provider.interactionResult(request, response, result) };
    },
  };
}

const EVERY_SCOPE = ["memory:read", "memory:write"];

const endOf = ({ token }: Caller): number => token?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;

const shown = (name: string | undefined): string | null =>
  name !== undefined && name.trim() !== "" && nameTrouble(name) === undefined ? name.trim().slice(0, 100) : null;

function assertMayConsent({ member, scopes }: Caller): void {
  if (!scopes.has("read")) throw lacksScope("read");
  if (!isBuiltIn(member)) return;
  throw new ChestError("FORBIDDEN", `the member \`${member.name}\` lets no client in: it is not a person`, {
    hint: "sign in as yourself: ask an admin for a token, or `chest-index token create --member NAME`",
  });
}

const noRequest = (): ChestError =>
  new ChestError("NOT_FOUND", "this request for access is over, or was begun in another browser", {
    hint: "begin again in the client; the browser must accept cookies of this page",
  });

const notAsked = (): ChestError =>
  new ChestError("INVALID_INPUT", "`write` was not asked for by the client", {
    hint: "leave it out; the client asks for more when it needs more",
    details: { field: "write" },
  });

const noProject = (key: string): ChestError =>
  new ChestError("NOT_FOUND", `project \`${key}\` not found`, { details: { field: "projects" } });

const ended = (): ChestError =>
  new ChestError("UNAUTHORIZED", "this sign-in has ended", { hint: "sign in again, and begin again in the client" });
