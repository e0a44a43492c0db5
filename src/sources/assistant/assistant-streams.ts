import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import { declareStream, type Fields, hasMany, hasOne } from '../declare.ts';

type Relationships = NonNullable<StreamDeclaration['relationships']>;

export const conversationRelation: Relationships[number] = hasOne(
  'conversation',
  'conversations',
  'conversation_id',
);

export function declareConversations(fields: Fields, others: Relationships): StreamDeclaration {
  return declareStream('conversations', 'Conversations', {
    description: 'Chats with the assistant, with title and dates.',
    detail: 'Titles and dates of your chats, without what was said.',
    time: 'created_at',
    view: { label: 'Title and date', fields: ['id', 'title', 'created_at'] },
    relations: [hasMany('messages', 'messages', 'conversation_id'), ...others],
    fields,
  });
}

export function declareTurns(description: string, fields: Fields, search?: string[]): StreamDeclaration {
  return declareStream('messages', 'Chat messages', {
    description,
    detail: 'What you asked and what was answered.',
    semantics: 'append_only',
    time: 'created_at',
    view: { label: 'Text and time', fields: ['id', 'conversation_id', 'role', 'text', 'created_at'] },
    relations: [conversationRelation],
    ...(search && { search }),
    fields,
  });
}
