import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { Match } from '../reader/granted-record.ts';
import type { FieldKind } from '../schema-index/field.ts';
import { escapeText, escapeValue } from '../text/escape-text.ts';
import { readClock } from '../tools/clock.ts';
import { disclose, namedFields } from '../tools/envelope.ts';
import { expandRecord } from '../tools/expand.ts';
import { Budget } from '../tools/projector.ts';
import { parseRecordId } from '../tools/record-id.ts';
import { idOf, timeOf, titleOf } from '../tools/record-view.ts';
import type { GrantedRead, ToolContext } from '../tools/tool.ts';
import { showPage } from './page-read.ts';
import { keyOf } from './records.ts';
import type { StreamNames } from './stream-names.ts';

export interface FieldValue {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string | null;
  readonly value: unknown;
}

export interface RelatedRecords {
  readonly relation: string;
  readonly stream: string;
  readonly label: string;
  readonly records: readonly { readonly id: string; readonly name: string }[];
  readonly total: number;
  /** The field that holds this record's key, where there are many of them. */
  readonly field: string | null;
}

export interface RecordPage {
  readonly id: string;
  readonly key: string;
  readonly title: string;
  readonly url: string;
  readonly time: string | null;
  readonly time_zone: string;
  readonly connection_id: string;
  readonly connection: string;
  readonly connector_key: string;
  readonly stream: string;
  readonly label: string;
  readonly fields: readonly FieldValue[];
  readonly related: readonly RelatedRecords[];
  /** Which of the ids that were tried is the record's. */
  readonly found: number;
}

/** Related records are shown by name only; their texts are read to find it, not shown. */
const RELATED_TOKENS = 20_000;
const RELATED_BYTES = 100_000;

/** One record, whole. The first of the ids that is a record's is meant. */
export const recordPage: GrantedRead<
  { readonly ids: readonly string[]; readonly names: StreamNames },
  RecordPage
> = {
  name: 'fetch',
  async run({ ids, names }, context) {
    const { match, found } = await findFirst(ids, context);
    const { connection } = match.stream;
    const { related, read } = await readRelated(match, names, context);
    const id = idOf(match);
    const view = {
      id,
      key: escapeText(match.key),
      title: titleOf(match, context.reader.timeZone),
      url: `${context.origin}/r/${id}`,
      time: timeOf(match, 'UTC') ?? null,
      time_zone: context.reader.timeZone,
      connection_id: connection.connection_id,
      connection: escapeText(connection.display_name),
      connector_key: connection.connector_key,
      stream: match.stream.name,
      label: names(connection.connection_id, match.stream.name).label,
      fields: listFields(match),
      related,
      found,
    };
    return showPage(view, disclose([match.stream], namedFields([match.stream], undefined), 1, read));
  },
};

async function findFirst(
  ids: readonly string[],
  { reader, origin }: ToolContext,
): Promise<{ match: Match; found: number }> {
  for (const [found, id] of ids.entries()) {
    const match = await findExact(id, reader, origin);
    if (match !== undefined) return { match, found };
  }
  throw new AppError('not_found', 'There is no such record.', {
    hint: 'Find it with the search on /dashboard/data.',
  });
}

/** Only the whole id: an address that once led to one record must not lead to another. */
async function findExact(id: string, reader: GrantedReader, origin: string): Promise<Match | undefined> {
  if (id.split('/').length < 3) return undefined;
  const { connectionId, stream: name, keys } = parseRecordId(id, origin);
  const stream = reader.streams.find(
    (one) => one.name === name && one.connection.connection_id === connectionId,
  );
  if (stream === undefined) return undefined;
  for (const key of keys) {
    const match = await reader.find(stream, key);
    if (match !== undefined) return match;
  }
  return undefined;
}

function listFields({ stream, record }: Match): FieldValue[] {
  return [...stream.fields.values()].flatMap(({ name, kind, description }) =>
    record[name] === undefined
      ? []
      : [
          {
            name,
            kind,
            description: description === undefined ? null : escapeText(description),
            value: escapeValue(record[name]),
          },
        ],
  );
}

async function readRelated(match: Match, names: StreamNames, context: ToolContext) {
  const { relations } = match.stream;
  const room = new Budget(RELATED_TOKENS, RELATED_BYTES);
  const expanded = await expandRecord(
    match,
    relations.map((relation) => ({ relation, fields: undefined })),
    readClock(undefined, context),
    context,
    room,
    {
      characters: 0,
    },
  );
  const related = relations.flatMap((relation): RelatedRecords[] => {
    const rows = expanded?.shown[relation.name];
    if (rows === undefined || rows.records.length === 0) return [];
    const target = context.reader.target(match.stream, relation);
    return [
      {
        relation: relation.name,
        stream: target.name,
        label: names(target.connection.connection_id, target.name).label,
        records: rows.records.map(({ id, record }) => {
          const title = target.titleField === undefined ? undefined : record[target.titleField];
          return {
            id,
            name: typeof title === 'string' && title.trim() !== '' ? title : keyOf(id, context.origin),
          };
        }),
        total: rows.total,
        field: relation.cardinality === 'has_many' ? relation.foreign_key : null,
      },
    ];
  });
  return { related, read: expanded?.related };
}
