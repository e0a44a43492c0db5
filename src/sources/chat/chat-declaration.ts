import type { SourceDeclaration, StreamDeclaration } from '../../schema-index/declaration.ts';
import {
  declareSource,
  describeObject,
  flag,
  integer,
  list,
  oneOf,
  selection,
  text,
  time,
} from '../declare.ts';

type Properties = Parameters<typeof describeObject>[1];

interface ChatParts {
  /** What this source knows beyond the usual. */
  readonly chats?: Properties;
  readonly messages?: Properties;
  /** The kinds of messages beside `message`. */
  readonly kinds?: readonly string[];
  readonly streams?: StreamDeclaration[];
}

/** Messengers are alike: chats with people in them, and messages by one of them at a time. */
export function declareChats(key: string, name: string, parts: ChatParts = {}): SourceDeclaration {
  const kinds = parts.kinds === undefined ? {} : { kind: oneOf(['message', ...parts.kinds]) };
  return declareSource(key, name, [
    {
      name: 'chats',
      description: 'Conversations with one person or with a group.',
      display: { label: 'Chats', detail: 'With whom you talk and since when, without what was said.' },
      semantics: 'mutable_state',
      schema: describeObject(['id'], {
        id: text(),
        name: text(),
        participants: list('Who has written in it'),
        message_count: integer(),
        first_at: time('Of the oldest message'),
        last_at: time('Of the newest message'),
        ...parts.chats,
      }),
      primary_key: ['id'],
      cursor_field: 'last_at',
      consent_time_field: 'last_at',
      selection,
      views: [{ id: 'basic', label: 'Names', fields: ['id', 'name', 'last_at'] }],
      relationships: [
        { name: 'messages', stream: 'messages', foreign_key: 'chat_id', cardinality: 'has_many' },
      ],
      query: { search: { lexical_fields: ['name'] } },
    },
    {
      name: 'messages',
      description: 'Messages of all chats, with who wrote them and when.',
      display: { label: 'Messages', detail: 'What you and others wrote to each other.' },
      semantics: 'append_only',
      schema: describeObject(['id', 'chat_id'], {
        id: text(),
        chat_id: text(),
        chat: text('Name of the chat'),
        sender: text(),
        from_me: flag('Whether the owner wrote it, where the export tells'),
        sent_at: time(),
        text: text(),
        ...kinds,
        attachments: list('Names or kinds of what was sent along'),
        ...parts.messages,
      }),
      primary_key: ['id'],
      cursor_field: 'sent_at',
      consent_time_field: 'sent_at',
      selection,
      views: [{ id: 'basic', label: 'Text and time', fields: ['id', 'chat', 'sender', 'text', 'sent_at'] }],
      relationships: [
        { name: 'chat_record', stream: 'chats', foreign_key: 'chat_id', cardinality: 'has_one' },
      ],
      query: { search: { lexical_fields: ['text', 'sender'] } },
    },
    ...(parts.streams ?? []),
  ]);
}

/** A chat says how much there is in it, whichever export each message came with. */
export const chatTotals = {
  chats: {
    of: 'messages',
    by: 'chat_id',
    count: 'message_count',
    first: 'first_at',
    last: 'last_at',
    people: 'participants',
  },
};
