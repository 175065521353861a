import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { agentWord, commandForms, withShellSettings } from "./shell-words.ts";

const PLATFORMS = ["linux", "darwin", "win32"] as const;
const FILE = { linux: "/home/it's me/a file", darwin: "/Users/it's me/a file", win32: "C:\\Users\\it's me\\a file" };
const IN_SH = { linux: "'/home/it'\\''s me/a file'", darwin: "'/Users/it'\\''s me/a file'" };
const IN_POWERSHELL = "'C:\\Users\\it''s me\\a file'";

it("types each command in the shell of the platform", () => {
  const all = (platform: (typeof PLATFORMS)[number]) => {
    const forms = commandForms(platform);
    const file = FILE[platform];
    return [
      forms.quoted(file),
      forms.word("a-b/c.d"),
      forms.word("http://127.0.0.1:8765"),
      forms.program(file),
      forms.withVariables({ CHEST_PORT: "8766", CHEST_DATA_DIR: file }, "npm start"),
      forms.andThen("git pull", "npm run setup"),
      forms.removing(file),
      forms.showing(file, "x"),
      forms.listing(file),
      forms.makingWritable(file),
      forms.takingOver(file),
      forms.forOwnerOnly(file),
      forms.linesWith("CHEST_API_TOKEN", file),
      forms.fileSystemOf(file),
      forms.lookingUp("chest.example"),
    ];
  };
  const posix = (word: string, mount: string, host: string) => [
    word,
    "a-b/c.d",
    "'http://127.0.0.1:8765'",
    word,
    `CHEST_PORT=8766 CHEST_DATA_DIR=${word} npm start`,
    "git pull && npm run setup",
    `rm ${word}`,
    `ls -ld ${word} 'x'`,
    `ls -l ${word}`,
    `chmod u+w ${word}`,
    `sudo chown -R "$(id -u)" ${word} && chmod -R u+rwX ${word}`,
    `chmod 600 ${word}`,
    `grep -n CHEST_API_TOKEN ${word}`,
    `${mount} ${word}`,
    `${host} chest.example`,
  ];
  expect(all("linux")).toEqual(posix(IN_SH.linux, "findmnt --target", "getent hosts"));
  expect(all("darwin")).toEqual(posix(IN_SH.darwin, "df", "dscacheutil -q host -a name"));
  expect(all("win32")).toEqual([
    IN_POWERSHELL,
    "a-b/c.d",
    "http://127.0.0.1:8765",
    `& ${IN_POWERSHELL}`,
    `$env:CHEST_PORT = '8766'; $env:CHEST_DATA_DIR = ${IN_POWERSHELL}; npm start`,
    "git pull; if ($?) { npm run setup }",
    `Remove-Item ${IN_POWERSHELL}`,
    `Get-Acl ${IN_POWERSHELL}, 'x' | Format-List`,
    `Get-Item ${IN_POWERSHELL}, 'C:\\Users\\it''s me\\a file\\*' | Format-List`,
    `Set-ItemProperty ${IN_POWERSHELL} IsReadOnly $false`,
    `takeown /R /F ${IN_POWERSHELL}`,
    `icacls ${IN_POWERSHELL} /inheritance:r /grant:r "$($env:USERNAME):F"`,
    `Select-String CHEST_API_TOKEN ${IN_POWERSHELL}`,
    `Get-Volume -FilePath ${IN_POWERSHELL}`,
    "Resolve-DnsName chest.example",
  ]);
});

it.each(["$HOME `id` $(id) \"x\" 'y'\n\\", "", "~/a"])("gives a shell one word that it leaves as it is: %j", (text) => {
  const { stdout } = spawnSync("sh", ["-c", `printf %s ${commandForms("linux").quoted(text)}`], { encoding: "utf8" });
  expect(stdout).toBe(text);
});

it.each([
  ["linux", "/my nodes/node", "'/my nodes/node'"],
  ["darwin", "/opt/node", "/opt/node"],
  ["win32", "C:\\Program Files\\nodejs\\node.exe", '"C:\\Program Files\\nodejs\\node.exe"'],
  ["win32", "stop", "stop"],
] as const)("takes the quotes that every shell of an agent knows: %s %s", (platform, text, word) => {
  expect(agentWord(text, platform)).toBe(word);
});

it.each([
  [
    "`CHEST_MODE=local chest-index …`; in a container: `docker compose run chest`",
    "`$env:CHEST_MODE = 'local'; chest-index …`; in a container: `docker compose run chest`",
  ],
  ["CHEST_API_TOKEN_FILE=$HOME/.t chest-index", '$env:CHEST_API_TOKEN_FILE = "$HOME/.t"; chest-index'],
  ["CHEST_A='b c' CHEST_D=e npm start", "$env:CHEST_A = 'b c'; $env:CHEST_D = 'e'; npm start"],
  ["set CHEST_MODE=remote, or `CHEST_ROOTS=none`", "set CHEST_MODE=remote, or `CHEST_ROOTS=none`"],
])("sets variables in PowerShell as it does: %s", (text, inPowerShell) => {
  expect(withShellSettings(text, "win32")).toBe(inPowerShell);
  expect(withShellSettings(text, "linux")).toBe(text);
});
