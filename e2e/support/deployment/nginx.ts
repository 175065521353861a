import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { cleanEnv, startProgram, waitUntilReady } from "../process.ts";
import { hasProgram } from "../requirements.ts";
import { makeCertificates } from "./certificates.ts";

/** For `describe.skipIf(!hasNginx)`. */
export const hasNginx = hasProgram("nginx");

export interface TlsProxy {
  /** Address `https://localhost:PORT/chest-memory`, without a slash at the end, for CHEST_REMOTE_URL. */
  readonly url: string;
  readonly caFile: string;
  stop(): Promise<void>;
}

interface TlsProxyOptions {
  /** The backend's address, `http://127.0.0.1:PORT`. */
  readonly upstream: string;
  /** Path prefix of the backend, with a slash at both ends. */
  readonly prefix?: string;
  /** Directives that override the documented ones in the backend's location. */
  readonly directives?: string;
  /** Body limit of a session's transcript. */
  readonly sessionBody?: string;
  /** Empty folder for certificates, configuration and logs. */
  readonly dir: string;
}

/** Starts a real nginx with TLS in front of a backend, set up as documented. */
export async function startTlsProxy({
  upstream,
  prefix = "/chest-memory/",
  directives = "",
  sessionBody = "50m",
  dir,
}: TlsProxyOptions): Promise<TlsProxy> {
  const { caFile, certFile, keyFile } = await makeCertificates(dir);
  const port = await freePort();
  const config = join(dir, "nginx.conf");
  const errorLog = join(dir, "error.log");
  await mkdir(join(dir, "tmp"), { recursive: true });
  await writeFile(config, nginxConfig({ dir, port, prefix, upstream, directives, sessionBody, certFile, keyFile }));

  const program = startProgram("nginx", ["-p", dir, "-c", config, "-e", errorLog], cleanEnv({}));
  await waitUntilReady(program, () => listens(port));
  return {
    url: `https://localhost:${port}${prefix.replace(/\/$/, "")}`,
    caFile,
    stop: () => program.end("SIGQUIT"),
  };
}

interface ConfigValues {
  readonly dir: string;
  readonly port: number;
  readonly prefix: string;
  readonly upstream: string;
  readonly directives: string;
  readonly sessionBody: string;
  readonly certFile: string;
  readonly keyFile: string;
}

function nginxConfig(values: ConfigValues): string {
  const { dir, port, prefix, upstream, directives, sessionBody, certFile, keyFile } = values;
  const tempPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  // When started as root, nginx would switch to a user that cannot read a temporary folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  return `
daemon off;
${user}
pid ${dir}/nginx.pid;
worker_processes 1;
worker_shutdown_timeout 2s;
events { worker_connections 256; }
http {
  access_log ${dir}/access.log;
  ${tempPaths.map((name) => `${name}_temp_path ${dir}/tmp/${name};`).join("\n  ")}
  server {
    listen 127.0.0.1:${port} ssl http2;
    server_name localhost;
    ssl_certificate ${certFile};
    ssl_certificate_key ${keyFile};
    ssl_protocols TLSv1.2 TLSv1.3;
    add_header Strict-Transport-Security "max-age=31536000" always;

    client_max_body_size 1m;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Request-Id $request_id;
    proxy_read_timeout 60s;

    location ${prefix} { ${directives} proxy_pass ${upstream}/; }
    location = ${prefix}api/hooks/sync-session {
      client_max_body_size ${sessionBody};
      proxy_read_timeout 130s;
      proxy_pass ${upstream}/api/hooks/sync-session;
    }
    location = ${prefix}memories/embeddings {
      client_max_body_size 8m;
      proxy_pass ${upstream}/memories/embeddings;
    }
  }
}
`;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
