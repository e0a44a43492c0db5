import type { Match } from '../../reader/granted-record.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import type { ToolContext } from '../../reads/granted-read.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeText } from '../../text/escape-text.ts';
import { findPointer, type Labels, readLabels } from '../labels.ts';

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
const MOST_FIELDS = 2;
const MOST_NAMES = 3;
const LONGEST = 60;

/** The granted fields of a stream that say who, and in which role. */
export function whoFields(stream: GrantedStream): string[] {
  return FROM_WHOM.filter((name) => stream.fields.has(name) && name !== stream.titleField).slice(
    0,
    MOST_FIELDS,
  );
}

/** Fields that say what became of something: a cancelled event, a closed issue. */
const STATUS = ['status', 'state'];

export function statusField(stream: GrantedStream): string | undefined {
  return STATUS.find((name) => stream.fields.get(name)?.kind === 'string' && name !== stream.titleField);
}

/** What became of the record, where its stream says so. */
export function statusOf({ stream, record }: Match): string | undefined {
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
  context: ToolContext,
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
    .slice(0, MOST_NAMES)
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
