import { checkDeclaration } from '../../../../src/schema-index/check-declaration.ts';
import type { StreamDeclaration } from '../../../../src/schema-index/declaration.ts';
import { describeFields } from '../../../../src/schema-index/field.ts';
import { declareAttachments } from '../../../../src/sources/declare-attachments.ts';
import { declare, type Land, type Relation, type StreamSpec } from '../../../support/granted-sources.ts';
import { PARENT_KEYS } from './draw-records.ts';

const MESSAGES = 'messages';
const ATTACHMENTS = 'attachments';

/** More than `expand` shows of one record. */
const FILES_OF_ONE = 8;
export const fileKey = (parent: string, at: number): string => `${parent}/${at + 1}-f`;
const FILE_KEYS = PARENT_KEYS.flatMap((parent) =>
  Array.from({ length: FILES_OF_ONE }, (_, at) => fileKey(parent, at)),
);
/** Beside the keys of visible files, as beginnings of keys find records too. */
const HIDDEN_FILE_KEYS = PARENT_KEYS.flatMap((parent) => [`${parent}/0-h`, `${parent}/9-h`]);

const plainMessages: StreamSpec = {
  connector: 'mailbox',
  name: MESSAGES,
  primaryKey: ['id'],
  timeField: 'sent_at',
  searchable: ['subject', 'body'],
  relations: [],
  fields: {
    id: 'string',
    sent_at: 'date-time',
    folder: 'string',
    user_id: 'string',
    subject: 'string',
    size: 'integer',
    read: 'boolean',
    body: 'text',
  },
};

/** Messages and their files, as the program's own sources declare them. */
const declared = declareAttachments(checkDeclaration(declare('mailbox', [plainMessages])), MESSAGES).streams;

function toSpec(stream: StreamDeclaration): StreamSpec {
  return {
    connector: 'mailbox',
    name: stream.name,
    primaryKey: stream.primary_key,
    ...(stream.consent_time_field === undefined ? {} : { timeField: stream.consent_time_field }),
    searchable: stream.query?.search?.lexical_fields ?? [],
    relations: (stream.relationships ?? []) as readonly Relation[],
    fields: Object.fromEntries(describeFields(stream).map(({ name, kind }) => [name, kind])),
    ...(stream.name === ATTACHMENTS ? { keys: FILE_KEYS, hiddenKeys: HIDDEN_FILE_KEYS } : {}),
    declared: stream,
  };
}

/** Two mailboxes, in both of which messages and files have the same keys. */
export const mailbox: Land = {
  name: 'mailbox',
  specs: declared.map(toSpec),
  connections: [
    { id: 'mail_home', connector: 'mailbox', name: 'Mail at home', self: ['k1'] },
    { id: 'mail_work', connector: 'mailbox', name: 'Mail at work', self: ['k2'] },
  ],
};
