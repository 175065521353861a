import type { CommandDef } from "citty";
import { COMMON } from "../terminal/command-context.ts";

/** Every command there is. One more is a file here and a line there; each is loaded when it is typed. */
export const root: CommandDef = {
  meta: {
    name: "chest-index",
    description: "Operate Chest: inspect a store, a client, its outbox; bring memories in and out",
  },
  args: COMMON,
  subCommands: {
    help: async () => (await import("./help.ts")).helpOf(root),
    status: async () => (await import("./store/status.ts")).status,
    up: async () => (await import("./store/up.ts")).up,
    unarchive: async () => (await import("./store/unarchive.ts")).unarchive,
    doctor: async () => (await import("./store/doctor.ts")).doctor,
    setup: async () => (await import("./agents/setup.ts")).setup,
    "install-hooks": async () => (await import("./agents/install-hooks.ts")).installHooksCommand,
    "install-skill": async () => (await import("./agents/install-skill.ts")).installSkill,
    "fetch-model": async () => (await import("./models/fetch-model.ts")).fetchModelCommand,
    "pending-resync": async () => (await import("./models/pending-resync.ts")).pendingResync,
    reembed: async () => (await import("./models/reembed.ts")).reembed,
    backup: async () => (await import("./store/backup.ts")).backup,
    restore: async () => (await import("./store/restore.ts")).restore,
    fts: async () => (await import("./store/fts.ts")).fts,
    recall: async () => (await import("./memories/recall.ts")).recall,
    show: async () => (await import("./memories/show.ts")).show,
    list: async () => (await import("./memories/list.ts")).list,
    history: async () => (await import("./memories/history.ts")).history,
    remember: async () => (await import("./memories/remember.ts")).remember,
    stats: async () => (await import("./store/stats.ts")).stats,
    outbox: async () => (await import("./agents/outbox.ts")).outbox,
    page: async () => (await import("./access/page.ts")).page,
    member: async () => (await import("./access/member.ts")).member,
    token: async () => (await import("./access/token.ts")).token,
    project: async () => (await import("./access/project.ts")).project,
    audit: async () => (await import("./access/audit.ts")).audit,
    purge: async () => (await import("./store/purge.ts")).purge,
    scan: async () => (await import("./store/scan.ts")).scan,
    sync: async () => (await import("./agents/sync.ts")).sync,
    import: async () => (await import("./memories/import.ts")).importCommand,
    export: async () => (await import("./memories/export.ts")).exportCommand,
  },
};
