import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type Backend, startBackend } from "../backend.ts";
import { Home, type Installation, install } from "./installation.ts";

interface Fresh {
  installation: Installation;
  backend: Backend;
  /** An empty one for each test. */
  home: Home;
  /** The backend's token, as a file outside that home. */
  tokenFile: string;
}

/** For the tests of a file: one installation and one backend, and a home for each test. Call it before other hooks. */
export function freshHomes(): Fresh {
  const fresh = {} as Fresh;
  beforeAll(async () => {
    [fresh.installation, fresh.backend] = await Promise.all([install(), startBackend()]);
  });
  afterAll(async () => {
    await fresh.backend?.stop();
    await fresh.installation?.remove();
  });
  beforeEach(async () => {
    fresh.home = await Home.make(fresh.installation);
    fresh.tokenFile = join(fresh.home.root, "token");
    await writeFile(fresh.tokenFile, `${fresh.backend.token}\n`, { mode: 0o600 });
  });
  afterEach(() => fresh.home.remove());
  return fresh;
}
