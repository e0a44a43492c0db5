import type { Match } from '../../reader/granted-record.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { cutText } from '../../text/cut-text.ts';
import { escapeText } from '../../text/escape-text.ts';
import type { ToolContext } from '../granted-read.ts';
import { findPointer, type Labels, readLabels } from '../labels.ts';

/** Fields that say from whom something is, the plainest first. Whom it is for is one fetch away. */
const FROM_WHOM = [
  'from',
  'from_name',
  'sender',
  'sender_name',
  'author',
  'author_name',
  'authors',
  'user_id',
  'user',
  'created_by',
  'organizer',
  'organizer_email',
  'merchant',
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

/** Who each of some hits is from, under the names of the fields that say so; of an id the name it stands for. */
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
      const name = nameOf(record[field], labels.get(stream)?.get(field));
      return name === '' ? [] : [[field, name] as const];
    });
    return said.length === 0 ? undefined : Object.fromEntries(said);
  };
}

function nameOf(value: unknown, labels: Labels | undefined): string {
  const names = (Array.isArray(value) ? value : [value])
    .filter((one): one is string => typeof one === 'string')
    .slice(0, MOST_NAMES)
    .map(
      (one) =>
        labels?.get(one) ??
        escapeText(
          one
            .slice(0, LONGEST * 4)
            .replace(/\s+/g, ' ')
            .trim(),
        ),
    );
  return cutText(names.join(', '), LONGEST);
}
