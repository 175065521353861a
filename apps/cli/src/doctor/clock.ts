import type { Backend } from "@chest/client";
import { ChestError, endpoints } from "@chest/contracts";
import type { Finding } from "./check.ts";

const APART_S = 60;

/** Compares a backend's clock with this machine's. */
export async function compareClocks(
  backend: Pick<Backend, "call">,
  signal: AbortSignal,
  now: () => Date = () => new Date(),
): Promise<Finding> {
  try {
    const before = now().getTime();
    const { server_time } = await backend.call(endpoints.capabilities, { signal, tries: 1 });
    const apart = Math.round((Date.parse(server_time) - (before + now().getTime()) / 2) / 1000);
    if (Math.abs(apart) < APART_S) return { status: "ok", message: `${Math.abs(apart)} s apart` };
    return {
      status: "warn",
      message: `the backend's clock is ${Math.abs(apart)} s ${apart > 0 ? "ahead of" : "behind"} this machine's: set the one that is wrong`,
      fix: "timedatectl set-ntp true",
    };
  } catch (error) {
    if (!(error instanceof ChestError)) throw error;
    return { status: "skip", message: `the backend could not be asked: ${error.message.split("\n")[0]}` };
  }
}
