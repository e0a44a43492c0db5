import type { InputFile, Recognised } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';

const NAMED = /\.(md|markdown|mdown|mkd|mdx)$/i;
const UNNAMED = /(^|\/)[^./]+$|\.(txt|text)$/i;
/** Folders of programs, and what people have thrown away. */
const HIDDEN = /(^|\/)\.[^/]+\//;

/** The folder of the vault a file is in: the one that Obsidian keeps its settings in. */
function findRoots(files: readonly InputFile[]): string[] {
  const roots = files.flatMap(({ path }) => {
    const at = path.search(/(^|\/)\.obsidian\//);
    return at === -1 ? [] : [path.slice(0, at)];
  });
  // The innermost first, because vaults may lie in vaults.
  return [...new Set(roots)].sort((a, b) => b.length - a.length);
}

export async function findVaults(files: readonly InputFile[]): Promise<Recognised[]> {
  const roots = findRoots(files);
  const vaults = new Map<string | undefined, InputFile[]>();
  for (const file of files) {
    if (HIDDEN.test(file.path) || !(await isNote(file))) continue;
    const root = roots.find((one) => one === '' || file.path.startsWith(`${one}/`));
    vaults.set(root, [...(vaults.get(root) ?? []), file]);
  }
  return [...vaults].map(([root, own]) => {
    const name = root?.split('/').at(-1) ?? '';
    return { files: own, certainty: 'likely', ...(name === '' ? {} : { account: name }) };
  });
}

/** Markdown has no mark of its own: its name tells, else YAML above a text, or links and headlines in it. */
async function isNote(file: InputFile): Promise<boolean> {
  const head = await peekText(file);
  if (head.includes('\0')) return false;
  if (NAMED.test(file.path)) return true;
  if (!UNNAMED.test(file.path)) return false;
  if (/^---\r?\n(?:[\w "'-]+:.*\r?\n|[ \t-]+.*\r?\n)+---\r?\n/.test(head)) return true;
  return /\[\[[^[\]\n]+\]\]/.test(head) && /^#{1,6} \S/m.test(head);
}
