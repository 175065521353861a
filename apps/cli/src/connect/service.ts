import { execFile } from "node:child_process";
import { promisify } from "node:util";

const ASK_MS = 5_000;

/** Names under which docs/bare-metal.md installs the backend with launchd and with the Task Scheduler. */
export const LAUNCHD_LABEL = "dev.chest.memory";
export const TASK_NAME = "chest-memory";

/** A backend that the system runs: how it is asked for, and the commands that a person types. */
export interface Service {
  readonly asks: readonly [program: string, ...args: string[]];
  readonly start: string;
  readonly restart: string;
}

/** The service of a platform: a unit of systemd, an agent of launchd, a task of the Task Scheduler. @param uid on macOS */
export function serviceOf(platform: NodeJS.Platform, uid = 0): Service {
  if (platform === "win32") {
    const start = `Start-ScheduledTask ${TASK_NAME}`;
    return {
      asks: ["schtasks", "/query", "/tn", TASK_NAME],
      start,
      restart: `Stop-ScheduledTask ${TASK_NAME}; ${start}`,
    };
  }
  if (platform === "darwin") {
    const target = `gui/${uid}/${LAUNCHD_LABEL}`;
    return {
      asks: ["launchctl", "print", target],
      start: `launchctl kickstart ${target}`,
      restart: `launchctl kickstart -k ${target}`,
    };
  }
  return {
    asks: ["systemctl", "cat", "chest.service"],
    start: "sudo systemctl start chest",
    restart: "sudo systemctl restart chest",
  };
}

/** Whether a service is the unit of systemd, with its settings below `/etc` and its log in the journal. */
export const isUnit = (service: Service | undefined): boolean => service?.asks[0] === "systemctl";

/** The service on this machine; undefined if none is installed, or if the service manager does not answer. */
export async function serviceHere(): Promise<Service | undefined> {
  const service = serviceOf(process.platform, process.getuid?.());
  const [program, ...args] = service.asks;
  return promisify(execFile)(program, args, { timeout: ASK_MS }).then(
    () => service,
    () => undefined,
  );
}
