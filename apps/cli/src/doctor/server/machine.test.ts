import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostFacts } from "@chest/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { machineChecks } from "./machine.ts";
import type { InspectedServer } from "./target.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chest-machine-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const GB = 1e9;
const place = (over: Partial<HostFacts["place"]> = {}): HostFacts["place"] => ({
  free_bytes: 50 * GB,
  total_bytes: 100 * GB,
  network: null,
  files: [{ what: "folder", path: join(root, "it's a share"), mode: "700", is_closed: true, is_owned: true }],
  ...over,
});

/** Runs one check over a store of 2 GB, in a container or on the doctor's machine. */
function look(check: keyof typeof machineChecks, where: HostFacts["place"], isInContainer = false) {
  const facts = { place: where, store: { bytes: 2 * GB } } as HostFacts;
  const inspected = {
    host: async () => ({ from: "file", facts }),
    container: { name: "chest-memory", isAsked: false },
    service: async () => undefined,
    now: () => new Date(),
    docker: async () => (isInContainer ? { inspect: async () => ({ image: "chest:1", isDataKept: true }) } : undefined),
  } as unknown as InspectedServer;
  return machineChecks[check].run(inspected, new AbortController().signal);
}

describe("a store on a network's file system", () => {
  it("causes a warning; the fix copies it to this machine's own disk and makes the server use it", async () => {
    const share = join(root, "it's a share");
    for (const folder of [share, join(root, "bin"), join(root, "var"), join(root, "etc")]) mkdirSync(folder);
    writeFileSync(join(share, "chest.db"), "a store");
    const found = await look("volume", place({ network: "NFS" }));
    expect(found).toMatchObject({ status: "warn", message: expect.stringContaining("it is on NFS") });

    // The test's folders replace the server's, and no password is asked for.
    writeFileSync(join(root, "bin/sudo"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    writeFileSync(join(root, "bin/systemctl"), `#!/bin/sh\necho "$*" >'${root}/asked'\n`, { mode: 0o755 });
    const fix = ("fix" in found ? (found.fix ?? "") : "")
      .replaceAll(" /var/lib/chest", ` ${root}/var`)
      .replaceAll("/etc/chest/", `${root}/etc/`);
    execFileSync("sh", ["-ec", fix], { env: { PATH: `${root}/bin:/usr/bin:/bin` }, stdio: "ignore" });
    expect(readFileSync(join(root, "var/chest.db"), "utf8")).toBe("a store");
    expect(readFileSync(join(root, "etc/chest.env"), "utf8")).toBe("CHEST_DATA_DIR=/var/lib/chest\n");
    expect(readFileSync(join(root, "asked"), "utf8")).toBe("restart chest\n");
    expect(await look("volume", place())).toMatchObject({ status: "ok" });
  });

  it("is copied from a container's folder to a volume", async () => {
    expect(await look("volume", place({ network: "SMB" }), true)).toMatchObject({
      status: "warn",
      fix: expect.stringMatching(/^docker run --rm .*--volumes-from chest-memory .* cp -a/),
    });
  });
});

it("names the webhook that has failed longest, and how to try it", async () => {
  const facts = (failing: object[]) => ({ webhooks: { count: 2, failing } }) as HostFacts;
  const see = (failing: object[]) => {
    const host = async () => ({ from: "backend", facts: facts(failing) });
    const inspected = {
      host,
      service: async () => undefined,
      now: () => new Date(),
      container: { isAsked: false },
      docker: async () => undefined,
    };
    return machineChecks.webhooks.run(inspected as unknown as InspectedServer, new AbortController().signal);
  };
  expect(await see([])).toEqual({ status: "ok", message: "2, none of them fails" });
  const failing = [1, 2].map((id) => ({ id, failures: 3 * id, trouble: "it answered 500" }));
  expect(await see(failing)).toMatchObject({
    status: "warn",
    message: expect.stringMatching(/^2 of 2 fail: webhook 2 for 6 attempts, it answered 500/),
    fix: expect.stringContaining("webhooks test 2"),
  });
});

describe("a disk", () => {
  it.each([
    ["fail", 0.05 * GB, 100 * GB, /writes are refused/],
    ["warn", 0.9 * GB, 100 * GB, /free$/],
    ["warn", 1.5 * GB, 10 * GB, /not enough for a backup/],
    ["ok", 3 * GB, 100 * GB, /free$/],
  ])("is reported as %s", async (status, free_bytes, total_bytes, message) => {
    expect(await look("disk", place({ free_bytes, total_bytes }))).toMatchObject({
      status,
      message: expect.stringMatching(message),
    });
  });
});
