import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import { describeObject, selection } from '../declare.ts';

type Properties = Parameters<typeof describeObject>[1];
type Relationships = NonNullable<StreamDeclaration['relationships']>;

/** What belongs to a conversation says so by its id. */
export const ofConversation: Relationships[number] = {
  name: 'conversation',
  stream: 'conversations',
  foreign_key: 'conversation_id',
  cardinality: 'has_one',
};

/** Talks with an assistant, whoever makes it. */
export function declareConversations(
  properties: Properties,
  others: Relationships,
  lexical_fields: string[],
): StreamDeclaration {
  return {
    name: 'conversations',
    description: 'Chats with the assistant, with title and dates.',
    display: { label: 'Conversations', detail: 'Titles and dates of your chats, without what was said.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], properties),
    primary_key: ['id'],
    cursor_field: 'created_at',
    consent_time_field: 'created_at',
    selection,
    views: [{ id: 'basic', label: 'Title and date', fields: ['id', 'title', 'created_at'] }],
    relationships: [
      { name: 'messages', stream: 'messages', foreign_key: 'conversation_id', cardinality: 'has_many' },
      ...others,
    ],
    query: { search: { lexical_fields } },
  };
}

/** What was said in them. */
export function declareTurns(
  description: string,
  properties: Properties,
  lexical_fields: string[],
): StreamDeclaration {
  return {
    name: 'messages',
    description,
    display: { label: 'Chat messages', detail: 'What you asked and what was answered.' },
    semantics: 'append_only',
    schema: describeObject(['id', 'conversation_id'], properties),
    primary_key: ['id'],
    cursor_field: 'created_at',
    consent_time_field: 'created_at',
    selection,
    views: [
      {
        id: 'basic',
        label: 'Text and time',
        fields: ['id', 'conversation_id', 'role', 'text', 'created_at'],
      },
    ],
    relationships: [ofConversation],
    query: { search: { lexical_fields } },
  };
}
