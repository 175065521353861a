import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { isLoopback } from "@chest/client";
import { ChestError, defineEndpoint, endpoints } from "@chest/contracts";
import { judgeHost } from "@chest/core/doctor";
import { quoted } from "@chest/runtime/shell-words";
import { z } from "zod";
import { isUnit } from "../../connect/service.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import type { Check, Finding } from "../check.ts";
import { failed } from "../client/target.ts";
import { compareClocks } from "../clock.ts";
import { asFinding } from "./machine.ts";
import { type InspectedServer, startCommand } from "./target.ts";

const MIN_TOKEN = 32;
const DUMMIES = /^(?:changeme|change-me|token|secret|password|example|test|x|0)+$/i;
const DAY_MS = 86_400_000;
const FEW_DAYS = 14;
const PROBE_BYTES = 2 * 1024 * 1024;

const anything = defineEndpoint({
  method: "POST",
  path: "/api/hooks/sync-session",
  summary: "",
  scope: "write",
  response: z.looseObject({}),
});

/** Matches loopback and private addresses. */
const isPrivate = (host: string): boolean =>
  /^(localhost|.*\.localhost|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[::1\]|\[f[cd].*|.*\.(local|internal|lan))$/i.test(
    host,
  );

const isDown = (error: unknown): boolean => error instanceof ChestError && error.details?.reason === "refused";

/** Checks of the address are skipped when the server does not listen, because `health` reports that. */
async function unlessDown(work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    if (isDown(error)) return { status: "skip", message: "nothing listens there: see server.network.health" };
    return failed(error);
  }
}

const health: Check<InspectedServer> = {
  id: "server.network.health",
  title: "it answers",
  async run(inspected, signal) {
    try {
      const { db, version } = await inspected.backend.call(endpoints.healthz, { signal, tries: 1 });
      return { status: "ok", message: `wire ${version}, database ${db}` };
    } catch (error) {
      if (!isDown(error)) return failed(error);
      const fix = await startCommand(inspected);
      const { message } = failed(error);
      const where = "start it in its clone; if it listens elsewhere, name the port in CHEST_PORT";
      return { status: "fail", message: fix.startsWith("npm ") ? `${message}\n${where}` : message, fix };
    }
  },
};

const capabilities: Check<InspectedServer> = {
  id: "server.network.capabilities",
  title: "it says what it speaks",
  run: (inspected, signal) =>
    unlessDown(async () => {
      const { api_version, server_version, features } = await inspected.backend.call(endpoints.capabilities, {
        signal,
        tries: 1,
      });
      return { status: "ok", message: `release ${server_version}, wire ${api_version}, ${features.length} features` };
    }),
};

const url: Check<InspectedServer> = {
  id: "server.url",
  title: "it is at the expected address",
  run: (inspected, signal) =>
    unlessDown(async () => {
      await inspected.backend.call(endpoints.healthz, { signal, tries: 1 });
      return { status: "ok", message: `${inspected.backend.url}, by ${inspected.foundBy}` };
    }),
};

const token: Check<InspectedServer> = {
  id: "server.env.token",
  title: "the backend accepts the token",
  run: async (inspected, signal) => {
    const { backend, reach } = inspected;
    const { token: secret } = reach;
    if (secret === undefined) {
      return {
        status: "warn",
        message: "there is no token here: CHEST_API_TOKEN and CHEST_API_TOKEN_FILE are not set",
        fix: existsSync(join(homedir(), ".chest-memory/token"))
          ? "CHEST_API_TOKEN_FILE=$HOME/.chest-memory/token chest-index doctor server"
          : "chest-index token create --member NAME",
      };
    }
    if (secret.length < MIN_TOKEN || DUMMIES.test(secret.replaceAll(/[^a-z0-9]/gi, ""))) {
      return {
        status: "fail",
        message: `it can be guessed: it has ${secret.length} characters, or is a placeholder`,
        fix: "openssl rand -hex 32",
      };
    }
    return unlessDown(async () => {
      await backend.call(endpoints.capabilities, { signal, tries: 1 });
      return { status: "ok", message: `${secret.length} characters, and the backend takes it` };
    });
  },
};

const clock: Check<InspectedServer> = {
  id: "server.clock",
  title: "its clock and this one agree",
  run: ({ backend, now }, signal) => compareClocks(backend, signal, now),
};

const llm: Check<InspectedServer> = {
  id: "server.llm",
  title: "its language model is not paused",
  run: async ({ backend }, signal) => {
    try {
      const {
        configured,
        model,
        resting,
        tokens_today: used,
        tokens_a_day: most,
      } = await backend.call(endpoints.llm, {
        signal,
        tries: 1,
      });
      if (!configured) return { status: "skip", message: "none is configured, and none is needed" };
      if (resting) {
        const message = `${model} failed several times: answers quote stored sentences`;
        return { status: "warn", message, fix: "chest-index llm test" };
      }
      if (used < most) return { status: "ok", message: `${model}, ${used} of ${most} tokens today` };
      return {
        status: "warn",
        message: `${model} has cost ${used} of ${most} tokens today: it is asked again tomorrow`,
        fix: "chest-index llm test",
      };
    } catch (error) {
      if (!(error instanceof ChestError)) throw error;
      return { status: "skip", message: `the backend could not be asked: ${error.message}` };
    }
  },
};

const tls: Check<InspectedServer> = {
  id: "server.tls",
  title: "the connection is private",
  run: async (inspected, signal) => {
    const { backend, reach, now } = inspected;
    const { protocol, hostname, port } = new URL(backend.url);
    if (protocol === "http:") {
      const everywhere = await openEverywhere(inspected, hostname);
      if (everywhere) return everywhere;
      if (isPrivate(hostname))
        return { status: "ok", message: "plain http, to this machine or a network of one's own" };
      return {
        status: "warn",
        message: `plain http to ${hostname}: the token can be read on the way`,
        fix: "cd deploy/docker && docker compose -f compose.yaml -f compose.tls.yaml up -d",
      };
    }
    const certificate = await certificateOf(hostname, Number(port || 443), reach.ca, signal);
    const days = Math.floor((certificate.until.getTime() - now().getTime()) / DAY_MS);
    const renew = "certbot renew && nginx -s reload";
    const until = certificate.until.toISOString().slice(0, 10);
    if (days < 0) return { status: "fail", message: `the certificate expired on ${until}`, fix: renew };
    if (certificate.problem) {
      return {
        status: "fail",
        message: `the certificate is not trusted here (${certificate.problem})`,
        fix: `openssl s_client -connect ${hostname}:${port || 443} -servername ${hostname} </dev/null`,
      };
    }
    if (days < FEW_DAYS)
      return { status: "warn", message: `the certificate expires in ${counted(days, "day")}, on ${until}`, fix: renew };
    return { status: "ok", message: `the certificate is valid until ${until}` };
  },
};

const EVERY_ADDRESS = /^(0\.0\.0\.0|::|\[::\]|)$/;
const TO_A_NETWORK = "for a network, use the stack with TLS: docs/docker.md";

/**
 * Checks whether a server on this machine serves plain HTTP on every interface, which lets others on the network read
 * answers.
 */
async function openEverywhere(inspected: InspectedServer, hostname: string): Promise<Finding | undefined> {
  if (!isLoopback(hostname)) return undefined;
  const container = await (await inspected.docker())?.inspect(inspected.container.name);
  if (container) {
    if (!container.publishedOn.some((address) => EVERY_ADDRESS.test(address))) return undefined;
    const folder = container.labels["com.docker.compose.project.working_dir"];
    return {
      status: "warn",
      message: `plain HTTP on every interface: the container publishes its port on ${container.publishedOn.join(" and ")}\n${TO_A_NETWORK}`,
      fix:
        folder === undefined
          ? `docker port ${inspected.container.name}`
          : `cd ${quoted(folder)} && sed -i 's/^CHEST_PUBLISH=.*/CHEST_PUBLISH=127.0.0.1/' .env && docker compose up -d`,
    };
  }
  const hostSource = await inspected.host();
  const bindHost = hostSource.from === "backend" ? hostSource.facts.config.bind_host : undefined;
  if (bindHost === undefined || !EVERY_ADDRESS.test(bindHost)) return undefined;
  return {
    status: "warn",
    message: `plain HTTP on every interface: it listens on ${bindHost}\n${TO_A_NETWORK}`,
    fix: isUnit(await inspected.service())
      ? "echo CHEST_BIND_HOST=127.0.0.1 | sudo tee -a /etc/chest/chest.env && sudo systemctl restart chest"
      : "CHEST_BIND_HOST=127.0.0.1 npm start",
  };
}

/** Reads the certificate that the server presents, trusted or not. */
function certificateOf(host: string, port: number, ca: string | undefined, signal: AbortSignal) {
  return new Promise<{ until: Date; problem: string | undefined }>((resolve, reject) => {
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, ...(ca ? { ca } : {}) }, () => {
      const { valid_to } = socket.getPeerCertificate();
      const problem = socket.authorized ? undefined : String(socket.authorizationError);
      socket.destroy();
      resolve({ until: new Date(valid_to), problem });
    });
    socket.on("error", reject);
    signal.addEventListener("abort", () => socket.destroy(new Error("no certificate in time")));
  });
}

const proxy: Check<InspectedServer> = {
  id: "server.proxy",
  title: "proxies in between let everything through",
  run: async (inspected, signal) => {
    const { backend, host } = inspected;
    try {
      await backend.call(anything, { body: " ".repeat(PROBE_BYTES), signal, tries: 1 });
    } catch (error) {
      if (!(error instanceof ChestError)) throw error;
      const isCut = error.code === "PAYLOAD_TOO_LARGE" || error.details?.status === 413;
      if (isCut) {
        return {
          status: "fail",
          message: `a body of 2 MB is refused on the way: \`client_max_body_size\` of nginx is too small for /api/hooks/sync-session`,
          fix: "sudo cp deploy/nginx/nginx.conf.example /etc/nginx/conf.d/chest.conf && sudo nginx -s reload",
        };
      }
      if (error.code === "BACKEND_UNREACHABLE")
        return { status: "skip", message: `the backend could not be asked: ${error.message}` };
      if (error.code === "BACKEND_PROTOCOL_ERROR") return failed(error);
    }
    const hostSource = await host();
    const believed =
      hostSource.from === "backend"
        ? judgeHost("proxy", hostSource.facts, { now: inspected.now(), source: "backend" })
        : undefined;
    if (believed && believed.status !== "ok") return asFinding(believed, inspected);
    return { status: "ok", message: "a body of 2 MB, and the backend's own refusals, come through" };
  },
};

/** Checks in the order of the report. */
export const networkChecks = { health, capabilities, url, token, llm, clock, tls, proxy };
