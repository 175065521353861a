import type { CredentialPattern } from "./patterns.ts";

const UP_TO = String.raw`[^\n|;&]{0,300}?[ \t]`;
const MYSQL = String.raw`\b(?:mysql(?:dump|admin|import|sh|show|check|pump)?|mariadb(?:-(?:dump|admin|import))?)\b`;
const SSHPASS = String.raw`\bsshpass(?:[ \t]{1,5}-(?:[evV]|P[ \t]?[^\s-]{1,60})){0,4}[ \t]{1,5}-p[ \t]{0,5}["']?`;
const REDIS = String.raw`\bredis-cli\b${UP_TO}(?:-a|--pass)[ \t]{1,5}["']?`;
const NEW = String.raw`(?!\[REDACTED\]|[$<{%*])`;
const VALUE = String.raw`[^\s"'\x60\\|;&]{3,200}`;
// Excludes `-p3306:3306` after an image's name, which publishes a port.
const NO_PORT = String.raw`(?!(?:[\d.]{1,15}:){0,2}\d{1,5}(?:\/[a-z]{3})?(?![^\s"'\x60\\]))`;
// Programs that may follow a password. In "redis-cli -a prints a warning" the word after the flag is no password,
// because prose follows.
const RUN = "ssh|scp|sftp|rsync|ansible|ping|get|set|info|keys|scan|monitor|auth|config|client|dbsize|flush";
const MEANT = String.raw`(?=[^\s"'\x60\\|;&]*[^A-Za-z\s"'\x60\\|;&.,:!?)]|[A-Za-z]{3,200}(?:["'\x60\\|;&]|[ \t]*(?:\n|$)|[ \t]{1,5}(?:-|[A-Z]{3}|(?:${RUN})\w{0,10}\b)))`;

/** Passwords in command lines, behind a flag whose name does not mention them. */
export const COMMAND_PATTERNS: readonly CredentialPattern[] = [
  `(?<keep>${MYSQL}${UP_TO}-p["']?)${NEW}${NO_PORT}${VALUE}`,
  `(?<keep>${SSHPASS})${NEW}${MEANT}${VALUE}`,
  `(?<keep>${REDIS})${NEW}${MEANT}${VALUE}`,
].map((form) => ({ category: "key-value", pattern: new RegExp(form, "g") }));
