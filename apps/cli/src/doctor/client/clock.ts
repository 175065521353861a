import { endpoints } from "@chest/contracts";
import type { Check } from "../check.ts";
import { failed, type InspectedClient, LOCAL_MODE } from "./target.ts";

const APART_S = 60;

export const clock: Check<InspectedClient> = {
  id: "client.clock",
  title: "this clock and the backend's agree",
  async run({ remote }, signal) {
    if (!remote) return LOCAL_MODE;
    try {
      const before = Date.now();
      const { server_time } = await remote.backend.call(endpoints.capabilities, { signal, tries: 1 });
      const apart = Math.round((Date.parse(server_time) - (before + Date.now()) / 2) / 1000);
      if (Math.abs(apart) < APART_S) return { status: "ok", message: `${Math.abs(apart)} s apart` };
      return {
        status: "warn",
        message: `this clock is ${Math.abs(apart)} s ${apart > 0 ? "behind" : "ahead of"} the backend's: set the one that is wrong`,
        fix: "timedatectl set-ntp true",
      };
    } catch (error) {
      const { message } = failed(error, "");
      return { status: "skip", message: `the backend could not be asked: ${message.split("\n")[0]}` };
    }
  },
};
