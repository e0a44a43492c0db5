import type { Match } from '../../reader/granted-record.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import type { Variants } from '../../search/choose-spellings.ts';
import { drawMarks, findMarks } from '../../search/marks.ts';
import { makeSnippet } from '../../search/snippet.ts';
import { cutText } from '../../text/cut-text.ts';
import { type EscapeCount, escapeText } from '../../text/escape-text.ts';
import { findPointer, type Labels, readLabels } from '../labels.ts';
import { timeOf, titleOf } from '../record-view.ts';
import type { ReadHit } from './search-source.ts';

/** How much of a record is looked through for the passage that is shown. */
export const SHOWN_CHARACTERS = 50_000;
/** Copies whose ids are told; of more only how many there are. */
const MAX_COPIES = 5;

/** How a page shows its hits. */
export interface HitStyle {
  readonly origin: string;
  readonly timeZone: string;
  readonly variants: readonly Variants[];
  readonly weights: readonly number[];
  readonly whoOf: (match: Match) => Record<string, string> | undefined;
}

/** A hit as an answer shows it. */
export function showHit(
  { candidate, texts, match }: ReadHit,
  copies: readonly string[],
  { origin, timeZone, variants, weights, whoOf }: HitStyle,
  escaped: EscapeCount,
) {
  const title = titleOf(match, timeZone);
  const snippet = makeSnippet(texts, variants, weights, SHOWN_CHARACTERS);
  const time = timeOf(match, timeZone);
  const who = whoOf(match);
  const status = statusOf(match);
  return {
    id: candidate.id,
    title: drawMarks(title, findMarks(title, variants)),
    url: `${origin}/r/${candidate.id}`,
    ...(snippet === undefined ? {} : { text: escapeText(snippet.text, escaped) }),
    ...(snippet?.characters === undefined ? {} : countCharacters(snippet.characters)),
    connection_id: match.stream.connection.connection_id,
    stream: match.stream.name,
    ...(who === undefined ? {} : { who }),
    ...(status === undefined ? {} : { status }),
    ...(time === undefined ? {} : { time }),
    ...(copies.length === 0 ? {} : { copies: copies.slice(0, MAX_COPIES) }),
    ...(copies.length <= MAX_COPIES ? {} : { copies_total: copies.length }),
  };
}

/** No more of a record is read than is looked through, so of a longer one no more is known than that it is longer. */
function countCharacters(characters: number) {
  return characters < SHOWN_CHARACTERS
    ? { text_chars: characters }
    : { text_chars_at_least: SHOWN_CHARACTERS };
}

/** Fields that say from whom something is, the plainest first. Whom it is for is one fetch away. */
const FROM_WHOM = [
  'from_name',
  'from_address',
  'from',
  'sender',
  'author',
  'authors',
  'user_id',
  'user',
  'organizer',
  'artist',
  'role',
];
const MAX_FIELDS = 2;
const MAX_NAMES = 3;
const LONGEST = 60;

/** The granted fields of a stream that say who, and in which role. */
export function whoFields(stream: GrantedStream): string[] {
  return FROM_WHOM.filter((name) => stream.fields.has(name) && name !== stream.titleField).slice(
    0,
    MAX_FIELDS,
  );
}

/** Fields that say what became of something: a cancelled event, a closed issue. */
const STATUS = ['status', 'state'];

export function statusField(stream: GrantedStream): string | undefined {
  return STATUS.find((name) => stream.fields.get(name)?.kind === 'string' && name !== stream.titleField);
}

/** What became of the record, where its stream says so. */
function statusOf({ stream, record }: Match): string | undefined {
  const field = statusField(stream);
  const status = field === undefined ? '' : nameOf(record[field]);
  return status === '' ? undefined : status;
}

/**
 * Who each of some hits is from, under the names of the fields that say so. An id stays under its field; the name that
 * it stands for is under the name of the relation.
 */
export async function readWho(
  matches: readonly Match[],
  context: ReadContext,
): Promise<(match: Match) => Record<string, string> | undefined> {
  const labels = new Map<GrantedStream, Map<string, Labels>>();
  for (const stream of new Set(matches.map((match) => match.stream))) {
    const own = new Map<string, Labels>();
    for (const field of whoFields(stream)) {
      if (findPointer(stream, field) === undefined) continue;
      const keys = matches.filter((match) => match.stream === stream).map((match) => match.record[field]);
      own.set(field, await readLabels([stream], field, keys, context));
    }
    labels.set(stream, own);
  }
  return ({ stream, record }) => {
    const said = whoFields(stream).flatMap((field) => {
      const value = nameOf(record[field]);
      const label = labels.get(stream)?.get(field)?.get(String(record[field]));
      if (value === '') return [];
      return [
        ...(label === undefined ? [] : [[labelName(stream, field), label] as const]),
        [field, value] as const,
      ];
    });
    return said.length === 0 ? undefined : Object.fromEntries(said);
  };
}

/** The name of the relation that a field points by, unless a field of the stream is called so. */
function labelName(stream: GrantedStream, field: string): string {
  const relation = findPointer(stream, field)?.name ?? field;
  return stream.fields.has(relation) ? `${field}_name` : relation;
}

function nameOf(value: unknown): string {
  const names = (Array.isArray(value) ? value : [value])
    .filter((one): one is string => typeof one === 'string')
    .slice(0, MAX_NAMES)
    .map((one) =>
      escapeText(
        one
          .slice(0, LONGEST * 4)
          .replace(/\s+/g, ' ')
          .trim(),
      ),
    );
  return cutText(names.join(', '), LONGEST);
}
