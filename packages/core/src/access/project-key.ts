/** Longest key a project may have. */
export const MAX_PROJECT_KEY = 200;
/** An address has a scheme, a user and more before its key. */
const LONGEST_ADDRESS = 10 * MAX_PROJECT_KEY;

// A host may be an address of IPv6, whose colons stand in brackets.
const URL_FORM =
  /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/\s]*@)?(?<host>\[[\da-f:.]+\]|[^/:@\s[]+)(?::\d*\/|[:/])(?<path>[^?#]+)/i;
const SCP_FORM = /^(?<user>[^/\s]*@)?(?<host>\[[\da-f:.]+\]|[^/:@\s[]+):(?![/\s])(?<path>.+)$/i;
const HOST_FORM = /^(?<user>[^/\s]*@)?(?<host>\[[\da-f:.]+\]|[^/:@\s[]+)\/(?<path>.+)$/i;
// A name with a dot in it, or a number in brackets, as hosts have; `..` and `.hidden` begin paths.
// Without Unicode's tables, which cost a hook more than its whole start has to spare.
const DOTTED =
  /^[A-Za-z\d\u00a1-\uffff](?:[A-Za-z\d\u00a1-\uffff-]*\.)+[A-Za-z\d\u00a1-\uffff-]*[A-Za-z\d\u00a1-\uffff]\.?$|^\[[\da-f:.]*:[\da-f:.]*\]$/i;

/**
 * The one spelling of a project's key: what is an address of a repository becomes `host/org/repo`, without scheme, user,
 * port and `.git`, its host in lower case. Anything else stays as it is, but for blanks around it. Twice is once.
 */
export function projectKeyOf(input: string): string {
  // A text that is too long for an address is not parsed: a later check refuses it by its length.
  if (input.length > LONGEST_ADDRESS) return input;
  const text = input.normalize("NFC").trim();
  return addressOf(text, isStatedScp) ?? text;
}

/** `git@Host:Org/repo.git` and `https://user@host/Org/repo` are both `host/Org/repo`; undefined when it is no remote. */
export function projectKeyOfRemote(remote: string): string | undefined {
  const text = remote.normalize("NFC").trim();
  const isRemote = URL_FORM.test(text) || SCP_FORM.test(text);
  return isRemote ? addressOf(text, () => true)?.slice(0, MAX_PROJECT_KEY) : undefined;
}

interface Address {
  readonly user?: string | undefined;
  readonly host: string;
  readonly path: string;
}

function addressOf(text: string, isScp: (address: Address) => boolean): string | undefined {
  const url = addressIn(URL_FORM, text);
  if (url && (!text.startsWith("//") || DOTTED.test(url.host))) return keyOfAddress(url);
  const plain = addressIn(HOST_FORM, text);
  if (plain && DOTTED.test(plain.host)) return keyOfAddress(plain);
  const scp = addressIn(SCP_FORM, text);
  return scp && isScp(scp) ? keyOfAddress(scp) : undefined;
}

function addressIn(form: RegExp, text: string): Address | undefined {
  const { user, host, path } = form.exec(text)?.groups ?? {};
  return host === undefined || path === undefined ? undefined : { user, host, path };
}

/** `team:alpha` is a name, and `C:\work` a folder. */
const isStatedScp = ({ user, host, path }: Address): boolean =>
  user !== undefined || DOTTED.test(host) || (host.length > 1 && /.\/.|\.git$/.test(path) && !path.includes("\\"));

function keyOfAddress({ host, path }: Address): string | undefined {
  const inner = path
    .replace(/^\/+/, "")
    .replace(/\/{2,}/g, "/")
    .replace(/(?<!\.git|[/\s])(?:\.git|[/\s])+$/, "");
  return inner === "" ? undefined : `${host.toLowerCase().replace(/\.$/, "")}/${inner}`;
}

/** Hosts that are another name of a host: services answer at them if a firewall leaves only port 443 open. */
const SAME_HOST: ReadonlyMap<string, string> = new Map([
  ["ssh.github.com", "github.com"],
  ["www.github.com", "github.com"],
  ["altssh.gitlab.com", "gitlab.com"],
  ["altssh.bitbucket.org", "bitbucket.org"],
]);
const AZURE_SSH: ReadonlySet<string> = new Set(["ssh.dev.azure.com", "vs-ssh.visualstudio.com"]);
const AZURE_OLD = ".visualstudio.com";

/**
 * The one key of a repository, however its address is written: GitHub, GitLab and Bitbucket do not tell letter cases apart, and
 * each repository of Azure DevOps has an address for HTTPS, one for SSH, and both of its former host. Any other key stays as it
 * is. Twice is once.
 */
export function repositoryKeyOf(key: string): string {
  const slash = key.indexOf("/");
  if (slash < 0 || key.length > MAX_PROJECT_KEY) return key;
  const stated = key.slice(0, slash);
  const path = key.slice(slash + 1);
  const host = SAME_HOST.get(stated) ?? stated;
  if (host === "dev.azure.com" || host.endsWith(AZURE_OLD) || AZURE_SSH.has(host)) return azureKeyOf(host, path) ?? key;
  return IGNORES_CASE.test(host) ? `${host}/${path.toLowerCase()}` : key;
}

/**
 * Hosts whose addresses ignore case: those of the services, and hosts of companies that are named after the software.
 */
const IGNORES_CASE = /^(?:bitbucket\.org|(?:github|gitlab|bitbucket)\.[^/]+)$/;

function azureKeyOf(host: string, path: string): string | undefined {
  // Blanks in names stand in an address as they are, or as its form has them.
  const parts = path.toLowerCase().replaceAll(" ", "%20").split("/");
  const [first, ...rest] = parts;
  if (AZURE_SSH.has(host)) {
    const [org, project, repo, ...more] = rest;
    return first === "v3" && repo && org && project && more.length === 0 ? azure(org, project, repo) : undefined;
  }
  const org = host === "dev.azure.com" ? first : host.slice(0, -AZURE_OLD.length);
  const within = (host === "dev.azure.com" ? rest : parts).filter(
    (part, nth) => !(nth === 0 && part === "defaultcollection") && part !== "_optimized" && part !== "_full",
  );
  const at = within.indexOf("_git");
  const [repo] = within.slice(at + 1);
  if (org === undefined || repo === undefined || at < 0 || at > 1 || within.length !== at + 2) return undefined;
  // A project's first repository has its name, and an address without it.
  return azure(org, within[at - 1] ?? repo, repo);
}

const azure = (org: string, project: string, repo: string): string => `dev.azure.com/${org}/${project}/_git/${repo}`;
