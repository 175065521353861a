import { describe, expect, it } from "vitest";
import { deedsOf } from "./commands.ts";

const deeds = (line: string) => deedsOf(line).map(({ deed }) => deed);

describe("what a command does", () => {
  it.each([
    [
      "test",
      [
        "npm test",
        "pnpm run test:unit -- a.ts",
        "npx vitest run",
        "CI=1 yarn t",
        "./gradlew clean test",
        "go test ./...",
      ],
    ],
    [
      "test",
      ["python3 -m pytest -q", "uv run pytest", "cargo nextest run", "timeout 60 node --test", "make -j4 check"],
    ],
    [
      "build",
      ["npm run build", "tsc --noEmit", "pnpm exec tsdown", "make", "docker build .", "cargo clippy", "mvn -q package"],
    ],
    ["git", ["git commit -m x", "git -c a=b push", "git tag v1", "gh pr create --fill"]],
    [
      "deploy",
      ["npm publish", "kubectl rollout restart deploy/a", "terraform apply", "fly -a x deploy", "make deploy"],
    ],
  ])("is a %s", (deed, lines) => {
    for (const line of lines) expect([line, ...deeds(line)]).toEqual([line, deed]);
  });

  it.each([
    "npm install",
    "npm run build-docs",
    "pytest-watch",
    "git status",
    "git tag -l",
    "kubectl get pods",
    "echo test",
  ])("is nothing to tell: %s", (line) => {
    expect(deeds(line)).toEqual([]);
  });

  it("is told part by part, and what stands in quotes is no part", () => {
    expect(deedsOf(`cd a && npm test && git commit -m "npm publish; git push" | tee log`)).toEqual([
      { deed: "test", command: "npm test", isOutcomeKnown: false },
      { deed: "git", command: `git commit -m "npm publish; git push"`, isOutcomeKnown: false },
    ]);
    expect(deedsOf("npm run build; npm test && git push").map(({ isOutcomeKnown }) => isOutcomeKnown)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("is found in no time, whatever the line is made of", () => {
    for (const odd of [`"`, "'", "a ", "\\", "-x ", "|", "A=1 ", "sudo "]) expect(deeds(odd.repeat(250))).toEqual([]);
  });
});
