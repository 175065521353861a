import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

export interface Certificate {
  readonly ca: string;
  readonly caFile: string;
  readonly cert: string;
  readonly key: string;
}

/** A throwaway authority in `dir`, and a certificate of its for these names. @param days negative: it is over. */
export async function makeCertificate(dir: string, names: readonly string[], days = 2): Promise<Certificate> {
  const file = (name: string) => join(dir, name);
  await writeFile(
    file("ext"),
    `subjectAltName=${names.join(",")}\nextendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n`,
  );
  const usage = ["-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign"];
  const ca = ["-keyout", file("ca.key"), "-out", file("ca.pem")];
  await run("openssl", ["req", "-x509", ...NEW_KEY, "-days", "2", "-subj", "/CN=Test CA", ...usage, ...ca]);
  await run("openssl", ["req", ...NEW_KEY, "-subj", "/CN=leaf", "-keyout", file("tls.key"), "-out", file("csr")]);
  const signer = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial", "-days", String(days)];
  await run("openssl", [
    "x509",
    "-req",
    "-in",
    file("csr"),
    ...signer,
    "-extfile",
    file("ext"),
    "-out",
    file("tls.pem"),
  ]);
  const [caText, cert, key] = await Promise.all(
    ["ca.pem", "tls.pem", "tls.key"].map((name) => readFile(file(name), "utf8")),
  );
  return { ca: caText ?? "", caFile: file("ca.pem"), cert: cert ?? "", key: key ?? "" };
}
