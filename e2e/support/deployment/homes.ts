import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type Backend, startBackend } from "../backend.ts";
import { Home, type Installation, install } from "./installation.ts";

interface Fresh {
  installation: Installation;
  backend: Backend;
  /** An empty home for each test. */
  home: Home;
  /** File with the backend's token, outside the home. */
  tokenFile: string;
}

/**
 * Sets up one installation and one backend for the tests of a file, and a home for each test. Call it before other
 * hooks.
 * @param prepare prepares a home once; each test starts with a copy of it at the same path
 */
export function freshHomes(prepare?: (fresh: Fresh) => Promise<void>): Fresh {
  const fresh = {} as Fresh;
  const makeHome = async () => {
    fresh.home = await Home.make(fresh.installation);
    fresh.tokenFile = join(fresh.home.root, "token");
    await writeFile(fresh.tokenFile, `${fresh.backend.token}\n`, { mode: 0o600 });
  };
  beforeAll(async () => {
    [fresh.installation, fresh.backend] = await Promise.all([install(), startBackend()]);
  });
  afterAll(async () => {
    await fresh.backend?.stop();
    await fresh.installation?.remove();
  });
  if (prepare) {
    let restore: () => Promise<void>;
    beforeAll(async () => {
      await makeHome();
      await prepare(fresh);
      restore = await fresh.home.keep();
    });
    beforeEach(() => restore());
    afterAll(() => fresh.home?.remove());
    return fresh;
  }
  beforeEach(makeHome);
  afterEach(() => fresh.home.remove());
  return fresh;
}
