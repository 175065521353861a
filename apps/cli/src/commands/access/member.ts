import type { MemberView } from "@chest/contracts";
import { DESK_FIELDS } from "@chest/core/access";
import { withAccessAdmin } from "../../connect/access-admin.ts";
import { readConfig } from "../../connect/config.ts";
import { commandGroup, reachingCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { someFlags } from "../../terminal/schema-flags.ts";

const NAME = { name: { type: "positional", description: "The member's name", required: true } } as const;

const ADDED = someFlags(DESK_FIELDS.addMember, {
  admin: { words: "May manage members, tokens and projects, and purge" },
});
const HANDED = someFlags(DESK_FIELDS.handOver, { confirm: { flag: "yes", words: "Do it" } });

const list = reachingCommand({
  meta: { name: "list", description: "List all members, disabled ones included" },
  async run(args, { env, output }) {
    const members = await withAccessAdmin(readConfig(env, args), (admin) => admin.listMembers());
    output.rows(members.map(cellsOf));
    output.document(members);
  },
});

const add = reachingCommand({
  meta: { name: "add", description: "Add a member, let a disabled one in again, or make one an admin" },
  args: {
    ...NAME,
    ...ADDED.args,
  },
  async run(args, { env, output }) {
    const input = { name: args.name, ...ADDED.read(args) };
    const member = await withAccessAdmin(readConfig(env, args), (admin) => admin.addMember(input));
    output.rows([cellsOf(member)]);
    output.document(member);
  },
});

const disable = reachingCommand({
  meta: { name: "disable", description: "End all tokens of a member at once; its memories stay" },
  args: NAME,
  async run(args, { env, output }) {
    const member = await withAccessAdmin(readConfig(env, args), (admin) => admin.disableMember({ name: args.name }));
    output.rows([cellsOf(member)]);
    output.document(member);
  },
});

const handOver = reachingCommand({
  meta: {
    name: "hand-over",
    description: "Hand a disabled member's private memories to another member; without --yes, only count them",
  },
  args: {
    name: { type: "positional", description: "The member that left", required: true },
    to: { type: "positional", description: "The member that gets it", required: true },
    ...HANDED.args,
  },
  async run(args, { env, output }) {
    const input = { from: args.name, to: args.to, ...HANDED.read(args) };
    const done = await withAccessAdmin(readConfig(env, args), (admin) => admin.handOver(input));
    const what = counted(done.memories, "private memory", "private memories");
    if (done.confirmed) output.say(`handed ${what} of ${done.from} to ${done.to}`);
    else output.say(`would hand ${what} of ${done.from} to ${done.to}\nnothing was done; pass --yes to do it`);
    output.document(done);
  },
});

export const member = commandGroup({
  meta: { name: "member", description: "Members: list, add, disable, hand over what was private" },
  subCommands: { list, add, disable, "hand-over": handOver },
});

const cellsOf = ({ id, name, role, status }: MemberView): string[] => [`${id}`, name, role, status];
