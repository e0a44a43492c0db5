import { readDay } from '../../import/read/read-time.ts';
import { decodePath } from '../files/decode-path.ts';

interface NoteLink {
  readonly target: string;
  readonly label?: string;
  readonly kind: 'note' | 'embed' | 'web';
}

interface NoteTask {
  readonly title: string;
  readonly is_done: boolean;
  readonly due_on?: string | undefined;
  readonly done_on?: string | undefined;
  readonly tags: string[];
}

const TAG = /(?<=^|[\s([])#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu;
const WIKI = /(!?)\[\[([^[\]|\n]{1,500})(?:\|([^[\]\n]{0,500}))?\]\]/g;
const MARKED =
  /(!?)\[([^[\]\n]{0,500})\]\((?:<([^<>\n]{1,2000})>|([^()\s]{1,2000}(?:\([^()\s]*\)[^()\s]*)*))(?:\s+"[^"\n]*")?\)/g;
const TASK = /^\s*(?:[-*+]|\d+[.)])\s+\[([^\]])\]\s+(.*)$/;

/** Removes code, which contains no tags or links. */
export function stripCode(body: string): string {
  return body.replace(/^(```|~~~)[\s\S]*?(?:^\1[^\n]*$|$(?![\s\S]))/gm, '').replace(/`[^`\n]*`/g, '');
}

export function findTags(text: string): string[] {
  return [...new Set([...text.matchAll(TAG)].map(([, tag]) => tag as string))];
}

export function findLinks(text: string): NoteLink[] {
  const wiki = [...text.matchAll(WIKI)].map(([, bang, target, label]) =>
    makeLink((target as string).trim(), label, bang === '!' ? 'embed' : 'note'),
  );
  const marked = [...text.matchAll(MARKED)].map(([, bang, label, angled, plain]) => {
    const target = (angled ?? plain) as string;
    const isWeb = /^[a-z][a-z0-9+.-]*:/i.test(target);
    return makeLink(
      isWeb ? target : decodePath(target),
      label,
      isWeb ? 'web' : bang === '!' ? 'embed' : 'note',
    );
  });
  return [...wiki, ...marked];
}

function makeLink(target: string, label: string | undefined, kind: NoteLink['kind']): NoteLink {
  return { target, kind, ...(label === undefined || label.trim() === '' ? {} : { label: label.trim() }) };
}

/** Tasks, with dates as the plugins Tasks and Dataview write them. */
export function findTasks(text: string): NoteTask[] {
  return text.split('\n').flatMap((line) => {
    const [, mark, rest] = TASK.exec(line.trimEnd()) ?? [];
    if (mark === undefined || rest === undefined) return [];
    const day = (pattern: RegExp) => readDay(pattern.exec(rest)?.[1] ?? '');
    return [
      {
        title: rest.trim(),
        is_done: /[xX]/.test(mark),
        due_on: day(/(?:📅\s*|\[due::\s*)(\d{4}-\d\d-\d\d)/u),
        done_on: day(/(?:✅\s*|\[completion::\s*)(\d{4}-\d\d-\d\d)/u),
        tags: findTags(rest),
      },
    ];
  });
}

/** The only heading of level 1. Several are headings of sections. */
export function findHeadline(body: string): string | undefined {
  const [only, ...others] = stripCode(body).match(/^#\s+\S.*$/gm) ?? [];
  return others.length > 0 ? undefined : only?.replace(/^#\s+|\s+#*\s*$/g, '').trim();
}

export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu)?.length ?? 0;
}
