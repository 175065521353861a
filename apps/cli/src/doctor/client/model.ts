import { ChestError, endpoints } from "@chest/contracts";
import { isAbsent, isBuiltin } from "@chest/core/embedding";
import { updateHere } from "../../connect/start-command.ts";
import type { Check, Finding } from "../check.ts";
import { type InspectedClient, LOCAL_MODE } from "./target.ts";

const OFF = "note: CHEST_EMBED_MODEL is `none`, so nothing is embedded here";
const NOT_NEEDED: Finding = { status: "skip", message: "the backend embeds; none is needed here" };
const NO_MODEL = "note: no model, so recall uses words only; `chest-index fetch-model` adds recall by meaning";

/** Reads the backend's capabilities; undefined without an answer, which another check reports. */
async function capabilitiesOf({ remote }: InspectedClient, signal: AbortSignal) {
  try {
    return await remote?.backend.call(endpoints.capabilities, { signal, tries: 1 });
  } catch (error) {
    if (error instanceof ChestError) return undefined;
    throw error;
  }
}

const cache: Check<InspectedClient> = {
  id: "client.model.cache",
  title: "the model that embeds here is intact",
  async run(inspected, signal) {
    const { model } = inspected;
    if (model.isOff) return { status: "ok", message: OFF };
    const backend = await capabilitiesOf(inspected, signal);
    if (backend?.server_has_embedder && !model.isWanted) return NOT_NEEDED;
    const wanted = (!model.isNamed && backend?.embedding.active) || model.identity;
    const state = await model.of(wanted).state();
    if (state.isUsable) return { status: "ok", message: wanted.model };
    if (backend?.server_has_embedder) return NOT_NEEDED;
    if (isBuiltin(wanted))
      return { status: "warn", message: `${state.message}: recall uses words only`, fix: updateHere() };
    if (isAbsent(state) && !inspected.model.isWanted) return { status: "ok", message: NO_MODEL };
    return {
      status: "warn",
      message: `${state.message}\nwithout it recall uses words only, and new memories wait for a vector`,
      fix: "chest-index fetch-model",
    };
  },
};

const identity: Check<InspectedClient> = {
  id: "client.identity",
  title: "this machine's model is the backend's",
  async run(inspected, signal) {
    if (!inspected.remote) return LOCAL_MODE;
    const backend = await capabilitiesOf(inspected, signal);
    const active = backend?.embedding.active;
    if (!active) return { status: "skip", message: "the backend names no model" };
    const { identity: own, isNamed } = inspected.model;
    if (!isNamed || active.model === own.model) return { status: "ok", message: active.model };
    return {
      status: "warn",
      message: `this machine has ${own.model}, the backend uses ${active.model}: it does not accept vectors made here`,
      fix: `CHEST_EMBED_MODEL=${active.model} chest-index fetch-model`,
    };
  },
};

export const modelChecks = [cache, identity];
