import { declareConversations, declareTurns, ofConversation } from '../assistant/assistant-streams.ts';
import {
  declareSource,
  describeObject,
  flag,
  integer,
  list,
  oneOf,
  selection,
  text,
  textOrNull,
  time,
} from '../declare.ts';

export const chatModels = ['gpt-5', 'gpt-4o', 'gpt-5-mini'] as const;

export const chatgptDeclaration = declareSource('chatgpt', 'ChatGPT', [
  declareConversations(
    {
      id: text(),
      title: text(),
      created_at: time(),
      updated_at: time(),
      model: text('The model that answers: gpt-5, gpt-4o and the like'),
      message_count: integer('Messages of the talk itself, without what the app hides'),
      is_archived: flag(),
      is_starred: flag(),
      gpt_id: text('The custom GPT or project it belongs to'),
    },
    [{ name: 'links', stream: 'shared_links', foreign_key: 'conversation_id', cardinality: 'has_many' }],
    ['title'],
  ),
  declareTurns(
    'Questions of the owner and answers of the assistant.',
    {
      id: text(),
      conversation_id: text(),
      role: oneOf(['user', 'assistant', 'system', 'tool']),
      text: text(),
      created_at: time(),
      language: text('ISO 639-1 code of the language of the text'),
      rating: textOrNull('thumbs_up or thumbs_down, if the owner rated the answer'),
      title: text('Of the conversation'),
      model: text('The model that wrote it'),
      content_type: text('text, code, thoughts and what else the export says'),
      parent_id: text('The message it answers'),
      from_me: flag('Whether the owner wrote it'),
      on_current_branch: flag('False for answers that were made anew and questions that were changed'),
      is_hidden: flag('What the app does not show as part of the talk: instructions, tools, reasoning'),
      attachments: list('Names of files'),
    },
    ['text'],
  ),
  {
    name: 'shared_links',
    description: 'Conversations that the owner made public by a link.',
    display: { label: 'Shared links', detail: 'Which of your chats anyone with the link can read.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      id: text(),
      conversation_id: text(),
      title: text(),
      is_anonymous: flag(),
    }),
    primary_key: ['id'],
    selection,
    relationships: [ofConversation],
    query: { search: { lexical_fields: ['title'] } },
  },
]);
