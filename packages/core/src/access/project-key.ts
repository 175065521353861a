/** Longest key a project may have. */
export const MAX_PROJECT_KEY = 200;
/** An address has a scheme, a user and more before its key. */
const LONGEST_ADDRESS = 10 * MAX_PROJECT_KEY;

const URL_FORM = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/\s]*@)?(?<host>[^/:@\s]+)(?::\d*\/|[:/])(?<path>[^?#]+)/i;
const SCP_FORM = /^(?<user>[^/\s]*@)?(?<host>[^/:@\s]+):(?![/\s])(?<path>.+)$/;
const HOST_FORM = /^(?<user>[^/\s]*@)?(?<host>[^/:@\s]+)\/(?<path>.+)$/;
// A name with a dot in it, as hosts have; `..` and `.hidden` begin paths.
// Without Unicode's tables, which cost a hook more than its whole start has to spare.
const DOTTED =
  /^[A-Za-z\d\u00a1-\uffff](?:[A-Za-z\d\u00a1-\uffff-]*\.)+[A-Za-z\d\u00a1-\uffff-]*[A-Za-z\d\u00a1-\uffff]\.?$/;

/**
 * The one spelling of a project's key: what is an address of a repository becomes `host/org/repo`, without scheme, user,
 * port and `.git`, its host in lower case. Anything else stays as it is, but for blanks around it. Twice is once.
 */
export function projectKeyOf(given: string): string {
  // Too long for an address: it is refused by its length, and not read before.
  if (given.length > LONGEST_ADDRESS) return given;
  const text = given.normalize("NFC").trim();
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
  if (url && (!text.startsWith("//") || DOTTED.test(url.host))) return written(url);
  const plain = addressIn(HOST_FORM, text);
  if (plain && DOTTED.test(plain.host)) return written(plain);
  const scp = addressIn(SCP_FORM, text);
  return scp && isScp(scp) ? written(scp) : undefined;
}

function addressIn(form: RegExp, text: string): Address | undefined {
  const { user, host, path } = form.exec(text)?.groups ?? {};
  return host === undefined || path === undefined ? undefined : { user, host, path };
}

/** `team:alpha` is a name, and `C:\work` a folder. */
const isStatedScp = ({ user, host, path }: Address): boolean =>
  user !== undefined || DOTTED.test(host) || (host.length > 1 && /.\/.|\.git$/.test(path) && !path.includes("\\"));

function written({ host, path }: Address): string | undefined {
  const inner = path
    .replace(/^\/+/, "")
    .replace(/\/{2,}/g, "/")
    .replace(/(?<!\.git|[/\s])(?:\.git|[/\s])+$/, "");
  return inner === "" ? undefined : `${host.toLowerCase().replace(/\.$/, "")}/${inner}`;
}
