import { existsSync } from "node:fs";
import { chmod, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Door, restDoor, trust } from "../support/clients/doors.ts";
import { makeCertificates } from "../support/deployment/certificates.ts";
import { docker, hasDocker, Stack, tryDocker, unlessDocker, untilHealthy } from "../support/deployment/docker.ts";
import { freePort } from "../support/free-port.ts";

const PROJECT = `chest-e2e-postgres-${process.pid}`;
const IMAGE = `chest-memory:${PROJECT}`;
const DATABASE_IMAGE = `chest-postgres:${PROJECT}`;
const TOKEN = "cht_the-token-of-the-compose-tests-000";
const PASSWORD = "the-password-of-the-compose-tests";
const BUILD_MS = 900_000;
const PATIENCE = { timeout: 90_000, interval: 500 };

/** Extension as `deploy/local/pgvector.sh` installs it; Debian 12 has no package for it. */
const VECTOR = { library: "/usr/lib/postgresql/15/lib/vector.so", extension: "/usr/share/postgresql/15/extension" };
const hasVector = existsSync(VECTOR.library);

// Replaces a public image with PostgreSQL and pgvector, and takes the same variables.
const DOCKERFILE = `FROM node:24-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-15 && rm -rf /var/lib/apt/lists/*
COPY vector.so /usr/lib/postgresql/15/lib/
COPY extension /usr/share/postgresql/15/extension
COPY start.sh /
RUN mkdir -p /var/lib/postgresql/data && chown postgres /var/lib/postgresql/data
ENV PATH=/usr/lib/postgresql/15/bin:$PATH
USER postgres
ENTRYPOINT ["/start.sh"]
`;
const START = `#!/bin/sh
set -e
data=/var/lib/postgresql/data
if [ ! -s "$data/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" >/tmp/password
  initdb -D "$data" -U "$POSTGRES_USER" -A scram-sha-256 --pwfile=/tmp/password $POSTGRES_INITDB_ARGS
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_DB" | postgres --single -D "$data" postgres
fi
exec postgres -D "$data" -c listen_addresses='*'
`;

describe.skipIf(!hasDocker || !hasVector)(`docker compose with two backends over PostgreSQL${unlessDocker}`, () => {
  let dir: string;
  let stack: Stack;
  let url: string;
  let door: Door;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-compose-postgres-"));
    const { caFile, certFile, keyFile } = await makeCertificates(dir);
    if (process.getuid?.() !== 0) await chmod(keyFile, 0o644);
    await trust(caFile);
    const [httpPort, httpsPort] = [await freePort(), await freePort()];
    url = `https://localhost:${httpsPort}/chest-memory`;
    door = restDoor({ url, token: TOKEN });
    await buildDatabase(join(dir, "database"));
    stack = new Stack({
      project: PROJECT,
      files: ["compose.yaml", "compose.tls.yaml", "compose.postgres.yaml"],
      env: {
        CHEST_IMAGE: IMAGE,
        CHEST_POSTGRES_IMAGE: DATABASE_IMAGE,
        CHEST_DATABASE_PASSWORD: PASSWORD,
        CHEST_NGINX_CONTAINER: `${PROJECT}-nginx`,
        CHEST_API_TOKEN: TOKEN,
        CHEST_HTTP_PORT: String(httpPort),
        CHEST_HTTPS_PORT: String(httpsPort),
        CHEST_SERVER_NAME: "localhost",
        CHEST_TLS_CERT: certFile,
        CHEST_TLS_KEY: keyFile,
      },
    });
    await stack.run("up", "--detach");
    await untilHealthy(stack, url, 120_000);
  }, BUILD_MS);

  afterAll(async () => {
    await stack?.remove();
    await tryDocker(["image", "rm", "--force", IMAGE, DATABASE_IMAGE]);
    await rm(dir, { recursive: true, force: true });
  }, 120_000);

  async function buildDatabase(folder: string): Promise<void> {
    await cp(VECTOR.library, join(folder, "vector.so"));
    await cp(VECTOR.extension, join(folder, "extension"), {
      recursive: true,
      filter: (path) => path === VECTOR.extension || path.includes("/vector"),
    });
    await writeFile(join(folder, "Dockerfile"), DOCKERFILE);
    await writeFile(join(folder, "start.sh"), START, { mode: 0o755 });
    await docker(["build", "--quiet", "--network", "host", "--tag", DATABASE_IMAGE, folder]);
  }

  const backends = async () =>
    (
      await docker([
        "ps",
        "--quiet",
        "--filter",
        `label=com.docker.compose.project=${PROJECT}`,
        "--filter",
        "label=com.docker.compose.service=chest",
      ])
    )
      .split("\n")
      .filter((id) => id !== "");

  /** Sends a request like a client, and repeats it where the backend asks for that. */
  const remember = (content: string) =>
    vi.waitFor(async () => {
      const { error } = await door.call("chest_remember", {
        ...{ entity_name: "acme", entity_kind: "project", layer: "learning", content },
      });
      expect(error).toBeUndefined();
    }, PATIENCE);
  const recalled = async (query: string) => {
    const { result } = (await door.call("chest_recall", { query })) as {
      result?: { memories?: { content: string }[] };
    };
    return result?.memories?.map(({ content }) => content) ?? [];
  };

  it("goes on, and finds stored memories, when one of them is killed", async () => {
    expect(await backends()).toHaveLength(2);
    const before = "The canary stops a deploy of acme when its error rate doubles.";
    const after = "The canary of acme waits ten minutes before it goes on.";
    await remember(before);
    const [killed = ""] = await backends();
    await docker(["kill", killed]);
    await remember(after);

    await vi.waitFor(
      async () => expect(await recalled("canary of acme")).toEqual(expect.arrayContaining([before, after])),
      PATIENCE,
    );
    expect(await stack.logs()).not.toContain(PASSWORD);
  }, 240_000);
});
