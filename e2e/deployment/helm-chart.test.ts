import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endpoints } from "@chest/contracts";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/process.ts";

const CHART = join(ROOT, "deploy/helm/chest");
const values = parse(readFileSync(join(CHART, "values.yaml"), "utf8"));
const templates = readdirSync(join(CHART, "templates"))
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => [name, readFileSync(join(CHART, "templates", name), "utf8")] as const);

/** Renders a template with every branch taken and a word for each value, since helm is not installed everywhere. */
function skeletonOf(template: string) {
  const withoutBranches = template.replace(/^\s*\{\{-? (?:if|else|end|range)\b.*\}\}\n/gm, "");
  const withoutBlocks = withoutBranches.replace(/\{\{ [^}]*nindent[^}]*\}\}/g, "{}");
  return parse(
    withoutBlocks.replace(/\{\{[^}]*quote \}\}/g, '"x"').replace(/"?\{\{[^}]*\}\}"?(?::\{\{[^}]*\}\}"?)?/g, "x"),
  );
}

const documentOf = (kind: string) =>
  templates.map(([, text]) => skeletonOf(text)).find((document) => document.kind === kind);

describe("the Helm chart", () => {
  it("consists of valid YAML documents, and uses existing values", () => {
    const kinds = templates.map(([, text]) => skeletonOf(text).kind).sort();
    expect(kinds).toEqual(["Deployment", "Ingress", "PodDisruptionBudget", "Service"]);
    const named = templates.flatMap(([, text]) =>
      [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = ""]) => path),
    );
    for (const path of named) {
      const value = path.split(".").reduce((at, key) => at?.[key], values);
      expect(value, path).toBeDefined();
    }
  });

  it("closes every branch that it opens", () => {
    for (const [name, text] of templates) {
      const count = (word: RegExp) => [...text.matchAll(word)].length;
      expect(count(/\{\{-? (?:if|range)\b/g), name).toBe(count(/\{\{-? end\b/g));
    }
  });

  it("probes existing routes, and keeps the password in a file", () => {
    const [container] = documentOf("Deployment").spec.template.spec.containers;
    expect(container.readinessProbe.httpGet.path).toBe(endpoints.readyz.path);
    for (const probe of [container.startupProbe, container.livenessProbe])
      expect(probe.httpGet.path).toBe(endpoints.healthz.path);
    const names = container.env.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["CHEST_DATABASE_URL", "CHEST_DATABASE_PASSWORD_FILE", "CHEST_API_TOKEN_FILE"]),
    );
    const reference = readFileSync(join(ROOT, "packages/runtime/src/variable-names.ts"), "utf8");
    for (const name of names.filter((each: string) => each !== "x")) expect(reference).toContain(`"${name}"`);
  });
});
