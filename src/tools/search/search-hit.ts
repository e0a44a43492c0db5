import type { Match } from '../../reader/granted-record.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ReadContext } from '../../reads/granted-read.ts';
import type { Variants } from '../../search/choose-spellings.ts';
import { drawMarks, findMarks } from '../../search/marks.ts';
import { makeSnippet } from '../../search/snippet.ts';
import { cutText } from '../../text/cut-text.ts';
import { type EscapeCount, escapeText } from '../../text/escape-text.ts';
import { oneLine, timeOf, titleOf } from '../record-view.ts';
import { findPointer, type Labels, readLabels } from '../relations.ts';
import type { ReadHit } from './search-source.ts';

/** How much of a record is searched for the passage that is shown. */
export const SHOWN_CHARACTERS = 50_000;
/** Copies whose ids are shown; further copies are only counted. */
const MAX_COPIES = 5;

/** What all hits of a page share. */
export interface HitStyle {
  readonly origin: string;
  readonly timeZone: string;
  readonly variants: readonly Variants[];
  readonly weights: readonly number[];
  readonly whoOf: (match: Match) => Record<string, string> | undefined;
}

/** Formats a hit. */
export function showHit(
  { candidate, texts, match }: ReadHit,
  copies: readonly string[],
  { origin, timeZone, variants, weights, whoOf }: HitStyle,
  escaped: EscapeCount,
) {
  const title = titleOf(match, timeZone);
  const snippet = makeSnippet(texts, variants, weights, SHOWN_CHARACTERS);
  return {
    id: candidate.id,
    title: drawMarks(title, findMarks(title, variants)),
    url: `${origin}/r/${candidate.id}`,
    text: snippet && escapeText(snippet.text, escaped),
    ...(snippet?.characters === undefined ? {} : countCharacters(snippet.characters)),
    connection_id: match.stream.connection.connection_id,
    stream: match.stream.name,
    who: whoOf(match),
    status: statusOf(match),
    time: timeOf(match, timeZone),
    copies: copies.length === 0 ? undefined : copies.slice(0, MAX_COPIES),
    copies_total: copies.length <= MAX_COPIES ? undefined : copies.length,
  };
}

/** Reports the length of a text. Longer ones are read only in part, so their exact length is unknown. */
function countCharacters(characters: number) {
  return characters < SHOWN_CHARACTERS
    ? { text_chars: characters }
    : { text_chars_at_least: SHOWN_CHARACTERS };
}

/**
 * Names of fields that hold the author or sender, the best first, and the chat of a message whose title is its sender.
 * Recipients are one fetch away.
 */
const AUTHOR_FIELDS = [
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
  'chat',
  'channel',
];
const MAX_WHO_FIELDS = 2;
const MAX_NAMES = 3;
const MAX_NAME_CHARACTERS = 60;

/** Returns the granted fields of a stream that hold its author, sender or chat. */
export function whoFields(stream: GrantedStream): string[] {
  const names = AUTHOR_FIELDS.filter((name) => stream.fields.has(name) && name !== stream.titleField);
  return names.slice(0, MAX_WHO_FIELDS);
}

/** Names of fields that hold the state of a record: a cancelled event, a closed issue. */
const STATUS_FIELDS = ['status', 'state'];

export function statusField(stream: GrantedStream): string | undefined {
  return STATUS_FIELDS.find(
    (name) => stream.fields.get(name)?.kind === 'string' && name !== stream.titleField,
  );
}

function statusOf({ stream, record }: Match): string | undefined {
  const field = statusField(stream);
  return field === undefined ? undefined : nameOf(record[field]) || undefined;
}

/**
 * Returns a function that names the author or sender of a hit, by field. An id stays under its field; its name is under
 * the name of the relation.
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
    const who = whoFields(stream).flatMap((field) => {
      const value = nameOf(record[field]);
      const label = labels.get(stream)?.get(field)?.get(String(record[field]));
      if (value === '') return [];
      return [
        ...(label === undefined ? [] : [[labelName(stream, field), label] as const]),
        [field, value] as const,
      ];
    });
    return who.length === 0 ? undefined : Object.fromEntries(who);
  };
}

/** Returns the name of the relation of a field, unless the stream has a field of that name. */
function labelName(stream: GrantedStream, field: string): string {
  const relation = findPointer(stream, field)?.name ?? field;
  return stream.fields.has(relation) ? `${field}_name` : relation;
}

function nameOf(value: unknown): string {
  const names = (Array.isArray(value) ? value : [value])
    .filter((one): one is string => typeof one === 'string')
    .slice(0, MAX_NAMES)
    .map((one) => oneLine(one, MAX_NAME_CHARACTERS));
  return cutText(names.join(', '), MAX_NAME_CHARACTERS);
}
