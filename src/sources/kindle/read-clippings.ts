import type { ImportOptions, InputFile } from '../../import/importer.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readTime, type TimeOptions } from '../../import/read/read-time.ts';

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

type ReadClipping =
  | { readonly kind: 'clipping'; readonly clipping: Clipping }
  | { readonly kind: 'problem'; readonly place: string; readonly reason: string };

export const SEPARATOR = /^={10}\s*$/;
const MAX_ENTRY_CHARACTERS = 200_000;
/** The title and the line below it are not longer. */
const MAX_HEADER_CHARACTERS = 1_000;
const TITLE = /^(.*\S)\s*[(（]([^()（）]*(?:\([^()]*\)[^()]*)*)[)）]$/;

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
      if (clipping === undefined) yield { kind: 'problem', place, reason: 'has no book or no location' };
      else yield { kind: 'clipping', clipping: { ...clipping, place, file } };
      if (characters > MAX_ENTRY_CHARACTERS)
        yield { kind: 'problem', place, reason: 'is longer than 200,000 characters; the rest was skipped' };
    }
    [lines, characters] = [[], 0];
  };
  const maxCharacters = MAX_ENTRY_CHARACTERS + 1;
  for await (const { text } of readTextLines(file, { maxCharacters })) {
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

/** Parses an entry: title, type and location, passage. */
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
  // Without bars the whole line is location and time.
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

/** `1. Dezember 2013`, `1 de diciembre de 2013`, `1 december 13`. */
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:\.|º|er)?\s+(?:de\s+|d['’])?(\p{L}{3,})\.?,?\s+(?:de[l]?\s+)?(\d{4}|\d{2})(?![\d:])/u;
/** `December 1, 2013`. */
const MONTH_FIRST = /(\p{L}{3,})\.?\s+(\d{1,2}),?\s+(\d{4})(?!\d)/u;
/** `17h08min33s`. */
const LETTERED_CLOCK = /(\d{1,2})\s?h\s?(\d{2})(?:\s?min)?(?:\s?(\d{2})\s?s)?/;

/**
 * Parses the time of an entry: words, weekday, date, time. Only date and time are matched, because other words
 * resemble months: `mardi`.
 */
function readClippingTime(written: string, options: TimeOptions): string | undefined {
  const text = written.replace(
    LETTERED_CLOCK,
    (_, hour, minute, second = '00') => `${hour}:${minute}:${second}`,
  );
  const dayFirst = DAY_FIRST.exec(text);
  const found = dayFirst ?? MONTH_FIRST.exec(text);
  if (found === null) return readTime(text.replace(/^[^\d]*/, ''), options);
  const [whole, first, second, year] = found;
  const [day, month] = dayFirst === null ? [second, first] : [first, second];
  const clock = text.slice(found.index + whole.length).replace(/^\D*?(?=\d)/, '');
  return (
    readTime(`${day} ${month} ${year} ${clock}`, options) ?? readTime(`${day} ${month} ${year}`, options)
  );
}

type ClippingKind = 'highlight' | 'note' | 'bookmark' | 'clip';

/** The words of each language for the types of entries, specific ones first. */
const KINDS: readonly (readonly [ClippingKind, RegExp])[] = [
  [
    'bookmark',
    /bookmark|lesezeichen|signet|marcador|segnalibro|bladwijzer|ブックマーク|书签|書籤|책갈피|북마크|закладк|zakładk|bokmärke|bogmærke|bokmerke|yer imi/iu,
  ],
  [
    'highlight',
    /highlight|markierung|surlign|subrayad|resaltad|evidenziazione|destaque|destacad|markering|ハイライト|하이라이트|标注|標註|标記|выделен|podświetl|podkreśl|überstrichen|vurgu/iu,
  ],
  ['clip', /\bclip|ausschnitt|recorte|ritaglio|knipsel|extrait|切り抜き|剪(?:报|贴|報|貼)/iu],
  [
    'note',
    /(?<!\p{L})(?:note|nota|not|notiz|notitie|notatka|anteckning)(?!\p{L})|メモ|메모|노트|笔记|筆記|заметк|notat/iu,
  ],
];

const PAGE =
  /(?:page|seite|p[áa]gina|страниц\p{L}*|sida|side|stron\p{L}*|sayfa)\s*(?:n[ºo°]?\.?\s*)?(\d+|[ivxlc]+)(?!\p{L})|第?\s*(\d+)\s*(?:ページ|페이지|页|頁)|ページ\s*(\d+)/iu;
const LOCATION =
  /(?:\bloc\.|location|position|posici[óo]n|posizione|posi[çc][ãa]o|emplacement|locatie|мест\p{L}*|pozycj\p{L}*|miejsc\p{L}*|plats|위치|位置)\s*(?:no\.?|n°|#|:)?\s*(\d+)(?:\s*[-–—]\s*(\d+))?/iu;

interface ClippingPlace {
  readonly page?: string;
  readonly start?: number;
  readonly end?: number;
}

function findClippingKind(text: string): ClippingKind | undefined {
  return KINDS.find(([, words]) => words.test(text))?.[0];
}

function findClippingPlace(text: string): ClippingPlace {
  const page = PAGE.exec(text);
  const location = LOCATION.exec(text) ?? (page === null ? /(\d+)(?:\s*[-–—]\s*(\d+))?/.exec(text) : null);
  const written = page?.[1] ?? page?.[2] ?? page?.[3];
  const start = location?.[1];
  return {
    ...(written === undefined ? {} : { page: written }),
    ...(start === undefined ? {} : { start: Number(start), end: findEnd(start, location?.[2]) }),
  };
}

/** Old Kindles shorten ranges: `1210-12` is `1210-1212`. */
function findEnd(start: string, end: string | undefined): number {
  if (end === undefined) return Number(start);
  return Number(end.length < start.length ? start.slice(0, start.length - end.length) + end : end);
}
