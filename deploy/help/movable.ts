/** Address under which the builder puts the site; it only marks the places where the real one belongs. */
export const PLACEHOLDER = "/chest-help-base/";

/** Finds the address of the site, behind whichever prefix: its pages are files of one folder. */
export const BASE_PROGRAM = `globalThis.helpBase = location.pathname.replace(/[^/]*$/, "");\n`;

const BASE = "(globalThis.helpBase)";
const INLINE = /<script(?: id="[^"]*")?>([\s\S]*?)<\/script>/g;
const WHOLE_ADDRESS = /(["'`])\/chest-help-base\/\1/g;
/** Files that hold a whole document as one text, from which addresses are read at run time. */
const ONE_TEXT = /(?:^|\/)(?:metadata\.|@localSearchIndex)/;

/**
 * Makes a page work at every address and under a policy without inline programs: addresses become relative, and the
 * programs in the page move to `programFile`; `programs` collects them.
 */
export function movablePage(html: string, programFile: string, programs: Set<string>): string {
  return html
    .replace(INLINE, (_whole, program: string) => {
      programs.add(program);
      return "";
    })
    .replace("<head>", `<head>\n    <script src="./${programFile}"></script>`)
    .replaceAll(PLACEHOLDER, "./");
}

/** Makes a program of the site find its address when it runs. */
export function movableProgram(file: string, code: string): string {
  if (ONE_TEXT.test(file)) {
    const [quote = '"'] = /["'`]/.exec(code) ?? [];
    return code.replaceAll(PLACEHOLDER, `${quote}+${BASE}+${quote}`);
  }
  return code.replaceAll(WHOLE_ADDRESS, BASE).replaceAll(PLACEHOLDER, "./");
}
