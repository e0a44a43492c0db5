import { AppError } from '../errors.ts';
import type { GrantedReader } from '../reader/granted-reader.ts';
import type { Match } from '../reader/granted-record.ts';
import { disclose, type GrantedRead, namedFields, type ReadContext } from '../reads/granted-read.ts';
import type { FieldKind } from '../schema-index/field.ts';
import type { LongValue } from '../store/long-value.ts';
import { cutText } from '../text/cut-text.ts';
import { escapeText, escapeValue } from '../text/escape-text.ts';
import { idOf, parseRecordId, timeOf, titleOf } from '../tools/record-view.ts';
import { labelFields } from './field-label.ts';
import { formatAmount } from './reading/amount.ts';
import { nameRecord } from './reading/entries.ts';
import { type ListStart, type RelatedRecords, readRelated } from './reading/related.ts';
import { areMessages, findRoles, nameWriters, type Roles } from './reading/roles.ts';

export interface FieldValue {
  readonly name: string;
  /** The label of the field. */
  readonly label: string;
  readonly kind: FieldKind;
  readonly description: string | null;
  readonly value: unknown;
  /** An amount with its unit or currency. */
  readonly amount: string | null;
  /** The shown and the total number of characters, if the value is cut. */
  readonly cut: { readonly shown: number; readonly total: number } | null;
}

/** Limits the characters of one field on a page. */
const MAX_FIELD_CHARACTERS = 20_000;

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
  /** The author, if the record is a message. */
  readonly who: string | null;
  /** The name of the field with the text of the message. */
  readonly says: string | null;
  readonly fields: readonly FieldValue[];
  readonly related: readonly RelatedRecords[];
  /** The index of the id in `ids` that was found. */
  readonly found: number;
}

export interface RecordInput extends ListStart {
  /** Possible ids. The first one that exists is shown. */
  readonly ids: readonly string[];
}

/** Reads one record with its related records. Very long values are cut. */
export const recordPage: GrantedRead<RecordInput, RecordPage> = {
  name: 'fetch',
  async run({ ids, ...listStart }, context) {
    const { match, found } = await findFirst(ids, context);
    const { connection } = match.stream;
    const { related, read } = await readRelated(match, listStart, context);
    const roles = findRoles(match.stream, context.reader);
    const who = areMessages(roles) ? await nameWriter(match, roles, context) : null;
    const id = idOf(match);
    const body = {
      id,
      key: escapeText(match.key),
      title: nameMatch(match, roles, context.reader.timeZone),
      url: `${context.origin}/r/${id}`,
      time: timeOf(match, 'UTC') ?? null,
      time_zone: context.reader.timeZone,
      connection_id: connection.connection_id,
      connection: escapeText(connection.display_name),
      connector_key: connection.connector_key,
      stream: match.stream.name,
      label: escapeText(match.stream.label),
      who,
      says: roles.body !== undefined && match.record[roles.body] !== undefined ? roles.body : null,
      fields: await listFields(match),
      related,
      found,
    };
    const disclosure = disclose([match.stream], namedFields([match.stream], undefined), 1, read);
    return { body, tokens: 0, disclosure };
  },
};

async function nameWriter(match: Match, roles: Roles, { reader }: ReadContext): Promise<string | null> {
  const [who = null] = await nameWriters(match.stream, roles, [match.record], reader);
  return who;
}

/** Names a message by the beginning of its text, not by the title of its conversation. */
function nameMatch(match: Match, roles: Roles, timeZone: string): string {
  const body = roles.body === undefined ? undefined : match.record[roles.body];
  const own = roles.title === undefined ? undefined : match.record[roles.title];
  const hasOwn = typeof own === 'string' && own.trim() !== '';
  return !hasOwn && typeof body === 'string' && body.trim() !== ''
    ? nameRecord(match.stream, roles, match.key, match.record)
    : titleOf(match, timeZone);
}

async function findFirst(
  ids: readonly string[],
  { reader, origin }: ReadContext,
): Promise<{ match: Match; found: number }> {
  for (const [found, id] of ids.entries()) {
    const match = await findExact(id, reader, origin);
    if (match !== undefined) return { match, found };
  }
  throw new AppError('not_found', 'Record not found.', {
    hint: 'Search on the Data page.',
  });
}

/** Finds a record by its full id only, so that an address never changes its meaning. */
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

async function listFields({ stream, record, long }: Match): Promise<FieldValue[]> {
  const labels = labelFields(stream.fields.values());
  const fields: FieldValue[] = [];
  for (const field of stream.fields.values()) {
    const { name, kind, description } = field;
    const value = record[name];
    if (value === undefined) continue;
    const longValue = long?.get(name);
    fields.push({
      name,
      label: labels.get(name) ?? name,
      kind,
      description: description === undefined ? null : escapeText(description),
      ...(longValue === undefined ? { value: escapeValue(value), cut: null } : await readLong(longValue)),
      amount: longValue === undefined ? formatAmount(field, record, value) : null,
    });
  }
  return fields;
}

async function readLong(long: LongValue): Promise<Pick<FieldValue, 'value' | 'cut'>> {
  const whole = long.type === 'text' ? undefined : await long.whole(MAX_FIELD_CHARACTERS);
  if (whole !== undefined && whole !== null) return { value: escapeValue(whole), cut: null };
  const value = cutText(await long.slice(0, MAX_FIELD_CHARACTERS + 1), MAX_FIELD_CHARACTERS);
  return { value, cut: value.length < long.chars ? { shown: value.length, total: long.chars } : null };
}
