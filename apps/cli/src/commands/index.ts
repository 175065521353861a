import type { CommandDef } from "citty";
import { COMMON } from "../terminal/command-context.ts";

/** Every command there is. One more is a file here and a line there; each is loaded when it is typed. */
export const root: CommandDef = {
  meta: {
    name: "chest-index",
    description: "Operate Chest: look at a store, a client, its outbox; bring memories in and out",
  },
  args: COMMON,
  subCommands: {
    status: async () => (await import("./status.ts")).status,
    up: async () => (await import("./up.ts")).up,
    unarchive: async () => (await import("./unarchive.ts")).unarchive,
    doctor: async () => (await import("./doctor.ts")).doctor,
    setup: async () => (await import("./setup.ts")).setup,
    "install-hooks": async () => (await import("./install-hooks.ts")).installHooksCommand,
    "install-skill": async () => (await import("./install-skill.ts")).installSkill,
    "fetch-model": async () => (await import("./fetch-model.ts")).fetchModelCommand,
    "pending-resync": async () => (await import("./pending-resync.ts")).pendingResync,
    reembed: async () => (await import("./reembed.ts")).reembed,
    backup: async () => (await import("./backup.ts")).backup,
    restore: async () => (await import("./restore.ts")).restore,
    fts: async () => (await import("./fts.ts")).fts,
    recall: async () => (await import("./recall.ts")).recall,
    show: async () => (await import("./show.ts")).show,
    list: async () => (await import("./list.ts")).list,
    history: async () => (await import("./history.ts")).history,
    remember: async () => (await import("./remember.ts")).remember,
    stats: async () => (await import("./stats.ts")).stats,
    outbox: async () => (await import("./outbox.ts")).outbox,
    member: async () => (await import("./member.ts")).member,
    token: async () => (await import("./token.ts")).token,
    project: async () => (await import("./project.ts")).project,
    audit: async () => (await import("./audit.ts")).audit,
    purge: async () => (await import("./purge.ts")).purge,
    scan: async () => (await import("./scan.ts")).scan,
    sync: async () => (await import("./sync.ts")).sync,
    import: async () => (await import("./import.ts")).importCommand,
    export: async () => (await import("./export.ts")).exportCommand,
  },
};
