import {
  declareSource,
  describeObject,
  flag,
  integer,
  oneOf,
  selection,
  text,
  textOrNull,
  time,
} from './declare.ts';

export const chatModels = ['gpt-5', 'gpt-4o', 'gpt-5-mini'] as const;

export const chatgptDeclaration = declareSource('chatgpt', 'ChatGPT', [
  {
    name: 'conversations',
    description: 'Chats with the assistant, with title and dates.',
    display: { label: 'Conversations', detail: 'Titles and dates of your chats, without what was said.' },
    semantics: 'mutable_state',
    schema: describeObject(['id', 'created_at'], {
      id: text(),
      title: text(),
      created_at: time(),
      updated_at: time(),
      model: oneOf(chatModels),
      message_count: integer(),
      is_archived: flag(),
    }),
    primary_key: ['id'],
    cursor_field: 'created_at',
    consent_time_field: 'created_at',
    selection,
    views: [{ id: 'basic', label: 'Title and date', fields: ['id', 'title', 'created_at'] }],
    relationships: [
      { name: 'messages', stream: 'messages', foreign_key: 'conversation_id', cardinality: 'has_many' },
    ],
    query: { search: { lexical_fields: ['title'] } },
  },
  {
    name: 'messages',
    description: 'Questions of the owner and answers of the assistant.',
    display: { label: 'Chat messages', detail: 'What you asked and what was answered, in full.' },
    semantics: 'append_only',
    schema: describeObject(['id', 'conversation_id', 'created_at'], {
      id: text(),
      conversation_id: text(),
      role: oneOf(['user', 'assistant']),
      text: text(),
      created_at: time(),
      language: text('ISO 639-1 code of the language of the text'),
      rating: textOrNull('thumbs_up or thumbs_down, if the owner rated the answer'),
    }),
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
    relationships: [
      {
        name: 'conversation',
        stream: 'conversations',
        foreign_key: 'conversation_id',
        cardinality: 'has_one',
      },
    ],
    query: { search: { lexical_fields: ['text'] } },
  },
]);
