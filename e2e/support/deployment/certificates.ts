import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const leafFor = (hosts: readonly string[]) =>
  `subjectAltName=${["DNS:localhost", "IP:127.0.0.1", ...hosts.map((host) => `DNS:${host}`)]}\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n`;

export interface Certificates {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Makes a temporary certificate authority in `dir`, and a certificate for localhost, 127.0.0.1 and other hosts. */
export async function makeCertificates(dir: string, hosts: readonly string[] = []): Promise<Certificates> {
  const caFile = join(dir, "ca.pem");
  const certFile = join(dir, "tls.pem");
  const keyFile = join(dir, "tls.key");
  const caKey = join(dir, "ca.key");
  const request = join(dir, "tls.csr");
  const extensions = join(dir, "tls.ext");
  await writeFile(extensions, leafFor(hosts));

  const usage = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"];
  const usageArgs = usage.flatMap((value) => ["-addext", value]);
  await openssl(
    "req",
    "-x509",
    ...NEW_KEY,
    "-days",
    "2",
    "-subj",
    "/CN=Test CA",
    ...usageArgs,
    "-keyout",
    caKey,
    "-out",
    caFile,
  );
  await openssl("req", ...NEW_KEY, "-subj", "/CN=localhost", "-keyout", keyFile, "-out", request);
  const signer = ["-CA", caFile, "-CAkey", caKey, "-CAcreateserial"];
  await openssl("x509", "-req", "-in", request, ...signer, "-days", "2", "-extfile", extensions, "-out", certFile);
  return { caFile, certFile, keyFile };
}

async function openssl(...args: string[]): Promise<void> {
  await run("openssl", args);
}
