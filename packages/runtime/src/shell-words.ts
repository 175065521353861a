/** For a POSIX shell, as one word. */
const quotedForSh = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const quotedForPowerShell = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Commands as a person types them: in `sh`, on Windows in PowerShell. */
export interface CommandForms {
  /** One word, quoted. */
  quoted(text: string): string;
  /** Quotes a word, unless it needs no quotes. */
  word(text: string): string;
  /** A program by its path, before its arguments. */
  program(path: string): string;
  /** A command with variables set for it. */
  withVariables(variables: Readonly<Record<string, string>>, command: string): string;
  /** The second command runs if the first went well. */
  andThen(first: string, second: string): string;
  removing(file: string): string;
  /** Shows what a place is, its owner and its rights. */
  showing(...places: readonly string[]): string;
  /** Lists what is in a folder, or shows where a link leads. */
  listing(place: string): string;
  makingWritable(file: string): string;
  /** Takes a folder and all in it into this account's hands. */
  takingOver(folder: string): string;
  forOwnerOnly(file: string): string;
  /** Shows the lines of a file that hold a text. */
  linesWith(text: string, file: string): string;
  /** Shows the file system that a folder lies on. */
  fileSystemOf(folder: string): string;
  /** Asks the system for the addresses of a name. */
  lookingUp(host: string): string;
}

const BARE = /^[A-Za-z0-9_./~-]+$/;
const entriesOf = (variables: Readonly<Record<string, string>>) => Object.entries(variables);

const SH: CommandForms = {
  quoted: quotedForSh,
  word: (text) => (BARE.test(text) ? text : quotedForSh(text)),
  program: (path) => (BARE.test(path) ? path : quotedForSh(path)),
  withVariables: (variables, command) =>
    [...entriesOf(variables).map(([name, value]) => `${name}=${SH.word(value)}`), command].join(" "),
  andThen: (first, second) => `${first} && ${second}`,
  removing: (file) => `rm ${quotedForSh(file)}`,
  showing: (...places) => `ls -ld ${places.map(quotedForSh).join(" ")}`,
  listing: (place) => `ls -l ${quotedForSh(place)}`,
  makingWritable: (file) => `chmod u+w ${quotedForSh(file)}`,
  takingOver: (folder) => `sudo chown -R "$(id -u)" ${quotedForSh(folder)} && chmod -R u+rwX ${quotedForSh(folder)}`,
  forOwnerOnly: (file) => `chmod 600 ${quotedForSh(file)}`,
  linesWith: (text, file) => `grep -n ${text} ${quotedForSh(file)}`,
  fileSystemOf: (folder) => `findmnt --target ${quotedForSh(folder)}`,
  lookingUp: (host) => `getent hosts ${host}`,
};

/** macOS has another way to ask for a mount and a name. */
const MAC: CommandForms = {
  ...SH,
  fileSystemOf: (folder) => `df ${quotedForSh(folder)}`,
  lookingUp: (host) => `dscacheutil -q host -a name ${host}`,
};

/** A drive and its slashes need no quotes in PowerShell; `~` is no home there for a program. */
const BARE_PATH = /^[A-Za-z0-9_.:/\\-]+$/;

const POWERSHELL: CommandForms = {
  quoted: quotedForPowerShell,
  word: (text) => (BARE_PATH.test(text) ? text : quotedForPowerShell(text)),
  program: (path) => (BARE_PATH.test(path) ? path : `& ${quotedForPowerShell(path)}`),
  withVariables: (variables, command) =>
    [...entriesOf(variables).map(([name, value]) => `$env:${name} = ${quotedForPowerShell(value)}`), command].join(
      "; ",
    ),
  andThen: (first, second) => `${first}; if ($?) { ${second} }`,
  removing: (file) => `Remove-Item ${quotedForPowerShell(file)}`,
  showing: (...places) => `Get-Acl ${places.map(quotedForPowerShell).join(", ")} | Format-List`,
  listing: (place) => `Get-Item ${quotedForPowerShell(place)}, ${quotedForPowerShell(`${place}\\*`)} | Format-List`,
  makingWritable: (file) => `Set-ItemProperty ${quotedForPowerShell(file)} IsReadOnly $false`,
  takingOver: (folder) => `takeown /R /F ${quotedForPowerShell(folder)}`,
  forOwnerOnly: (file) => `icacls ${quotedForPowerShell(file)} /inheritance:r /grant:r "$($env:USERNAME):F"`,
  linesWith: (text, file) => `Select-String ${text} ${quotedForPowerShell(file)}`,
  fileSystemOf: (folder) => `Get-Volume -FilePath ${quotedForPowerShell(folder)}`,
  lookingUp: (host) => `Resolve-DnsName ${host}`,
};

/** Forms of commands in the shell of a platform. */
export const commandForms = (platform: NodeJS.Platform = process.platform): CommandForms =>
  platform === "win32" ? POWERSHELL : platform === "darwin" ? MAC : SH;

const SETTINGS = /(?<=^|`|; |\{ )((?:CHEST_[A-Z_]+=(?:'[^']*'|[^\s`']+) )+)(?=\S)/gm;

/** Rewrites each `CHEST_NAME=value command` of a text to the form in which a platform's shell sets variables. */
export const withShellSettings = (text: string, platform: NodeJS.Platform = process.platform): string =>
  platform !== "win32"
    ? text
    : text.replace(SETTINGS, (input: string) =>
        input.replace(/(?<!\S)(\w+)=('[^']*'|\S+) /g, (_, name: string, value: string) => {
          const plain = value.replace(/^'(.*)'$/, "$1");
          return `$env:${name} = ${plain.startsWith("$") ? `"${plain}"` : quotedForPowerShell(plain)}; `;
        }),
      );

/** One word for a person's shell on this platform. */
export const quoted = (text: string): string => commandForms().quoted(text);

/** Quotes a word for a shell, unless it needs no quotes. */
export const asWord = (text: string): string => commandForms().word(text);

/**
 * One word of a command that an agent's own shell runs, bare where that is enough. On Windows that may be `cmd`, PowerShell or
 * Git's `sh`: all of them take double quotes.
 */
export function agentWord(text: string, platform: NodeJS.Platform = process.platform): string {
  if (BARE.test(text)) return text;
  return platform === "win32" ? `"${text}"` : quotedForSh(text);
}

/** Quotes a word for `sh` on any system: for a script that is written, or a command on a server. */
export const shWord = quotedForSh;
