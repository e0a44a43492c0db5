import type { ImportOptions, InputFile } from '../../import/importer.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readClippingTime } from './clipping-time.ts';
import {
  type ClippingKind,
  type ClippingPlace,
  findClippingKind,
  findClippingPlace,
} from './clipping-words.ts';

/** An entry as the Kindle wrote it. */
export interface Clipping extends ClippingPlace {
  readonly title: string;
  readonly author?: string | undefined;
  readonly kind: ClippingKind;
  readonly text: string;
  readonly at?: string | undefined;
  /** `entry 3`. */
  readonly place: string;
  readonly file: InputFile;
}

export type ReadClipping =
  | { readonly kind: 'clipping'; readonly clipping: Clipping }
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string };

/** Between two entries. */
export const SEPARATOR = /^={10}\s*$/;
const MAX_ENTRY_CHARACTERS = 200_000;
/** The line of the book and the one below it are not longer. */
const MAX_HEADER_CHARACTERS = 1_000;
const TITLE = /^(.*\S)\s*[(（]([^()（）]*(?:\([^()]*\)[^()]*)*)[)）]$/;

/** The entries of a file, one after the other. */
export async function* readClippings(file: InputFile, options: ImportOptions): AsyncGenerator<ReadClipping> {
  let lines: string[] = [];
  let count = 0;
  let characters = 0;
  const take = function* (): Generator<ReadClipping> {
    const isEmpty = lines.every((line) => line.trim() === '');
    if (!isEmpty) {
      count += 1;
      const place = `entry ${count}`;
      const clipping = parseClipping(lines, options);
      if (clipping === undefined)
        yield { kind: 'problem', place, reason: 'does not say which passage of which book it is' };
      else yield { kind: 'clipping', clipping: { ...clipping, place, file } };
      if (characters > MAX_ENTRY_CHARACTERS)
        yield { kind: 'problem', place, reason: 'is longer than 200,000 characters; the rest was left out' };
    }
    [lines, characters] = [[], 0];
  };
  const mostCharacters = MAX_ENTRY_CHARACTERS + 1;
  for await (const { text } of readTextLines(file, { mostCharacters })) {
    if (SEPARATOR.test(text)) {
      yield* take();
      continue;
    }
    const room = Math.max(0, MAX_ENTRY_CHARACTERS - characters);
    characters += text.length + 1;
    if (room > 0) lines.push(text.replaceAll('\ufeff', '').slice(0, room));
  }
  yield* take();
}

/** An entry by its lines: the book, what and where it is, and the passage below. */
export function parseClipping(
  lines: readonly string[],
  options: ImportOptions,
): Omit<Clipping, 'place' | 'file'> | undefined {
  const isMeta = (line: string) => /^\s*[-–—]\s*\S/.test(line);
  // A title may begin with a dash too.
  const below = lines.findIndex((line, index) => index > 0 && isMeta(line));
  const at = below === -1 || below > 3 ? lines.findIndex(isMeta) : below;
  const meta = lines[at]?.slice(0, MAX_HEADER_CHARACTERS);
  if (meta === undefined || at > 3) return undefined;
  const book = lines.slice(0, at).join(' ').trim().slice(0, MAX_HEADER_CHARACTERS);
  // Without bars the whole line says where and when.
  const parts = meta.replace(/^\s*[-–—]\s*/, '').split(/[|｜]/);
  const when = parts.at(-1) ?? '';
  const where = parts.length > 1 ? parts.slice(0, -1).join('|') : when;
  const time = readClippingTime(when, options);
  const text = lines
    .slice(at + 1)
    .join('\n')
    .trim();
  const kind = findClippingKind(where);
  if (kind === undefined && time === undefined) return undefined;
  const [, title, author] = TITLE.exec(book) ?? [];
  return {
    title: title ?? book,
    author: author?.trim() || undefined,
    kind: kind ?? (text === '' ? 'bookmark' : 'highlight'),
    text,
    at: time,
    ...findClippingPlace(where),
  };
}
