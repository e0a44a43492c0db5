import type { SourceDeclaration, StreamDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, declareStream, type Fields, hasMany, hasOne, oneOf } from '../declare.ts';

interface ChatParts {
  /** Additional fields of this source. */
  readonly chats?: Fields;
  readonly messages?: Fields;
  /** Message kinds besides `message`. */
  readonly kinds?: readonly string[];
  readonly streams?: StreamDeclaration[];
}

/** Declares the streams of a messenger: chats and their messages. */
export function declareChats(key: string, name: string, parts: ChatParts = {}): SourceDeclaration {
  const kinds = parts.kinds === undefined ? {} : { kind: oneOf(['message', ...parts.kinds]) };
  return declareSource(key, name, [
    declareStream('chats', 'Chats', {
      description: 'Conversations with one person or with a group.',
      detail: 'With whom you talk and since when, without what was said.',
      time: 'last_at',
      view: { label: 'Names', fields: ['id', 'name', 'last_at'] },
      relations: [hasMany('messages', 'messages', 'chat_id')],
      fields: {
        id: 'text',
        name: 'text, search',
        participants: 'list: Who has written in it',
        message_count: 'integer',
        first_at: 'time: Of the oldest message',
        last_at: 'time: Of the newest message',
        ...parts.chats,
      },
    }),
    declareStream('messages', 'Messages', {
      description: 'Messages of all chats, with who wrote them and when.',
      detail: 'What you and others wrote to each other.',
      semantics: 'append_only',
      time: 'sent_at',
      view: { label: 'Text and time', fields: ['id', 'chat', 'sender', 'text', 'sent_at'] },
      relations: [hasOne('chat_record', 'chats', 'chat_id')],
      search: ['text', 'sender'],
      fields: {
        id: 'text',
        chat_id: 'text, required',
        chat: 'text: Name of the chat',
        sender: 'text',
        from_me: 'flag: Whether the owner wrote it, if the export says so',
        sent_at: 'time',
        text: 'text',
        ...kinds,
        attachments: 'list: Names or types of attachments',
        ...parts.messages,
      },
    }),
    ...(parts.streams ?? []),
  ]);
}

/** Sums the messages of a chat over all imports. */
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
