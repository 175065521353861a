import { isNamedIn } from "../files/named-in.ts";

const MOST = 0.3;

/** Factor from 1 to 1.3: the share of the files at hand that a text names, by half where it names their folder alone. */
export function filesFactor(content: string, files: readonly string[]): number {
  if (files.length === 0) return 1;
  const text = content.toLowerCase();
  const shares = files.map((file) => {
    const path = file.toLowerCase().replaceAll("\\", "/");
    const cut = path.lastIndexOf("/");
    if (isNamedIn(text, path, path.slice(cut + 1))) return 1;
    return cut > 0 && text.includes(path.slice(0, cut + 1)) ? 0.5 : 0;
  });
  return 1 + MOST * (shares.reduce((sum: number, share) => sum + share, 0) / files.length);
}
