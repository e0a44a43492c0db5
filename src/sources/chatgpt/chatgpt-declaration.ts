import { conversationRelation, declareConversations, declareTurns } from '../assistant/assistant-streams.ts';
import { declareSource, declareStream, hasMany, oneOf } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';

export const chatModels = ['gpt-5', 'gpt-4o', 'gpt-5-mini'] as const;

const streams = declareSource('chatgpt', 'ChatGPT', [
  declareConversations(
    {
      id: 'text',
      title: 'text, search',
      created_at: 'time',
      updated_at: 'time',
      model: 'text: The model that answers: gpt-5, gpt-4o and the like',
      message_count: 'integer: Number of messages, without those that the app hides',
      is_archived: 'flag',
      is_starred: 'flag',
      gpt_id: 'text: The custom GPT or project it belongs to',
    },
    [hasMany('links', 'shared_links', 'conversation_id')],
  ),
  declareTurns('Questions of the owner and answers of the assistant.', {
    id: 'text',
    conversation_id: 'text, required',
    role: oneOf(['user', 'assistant', 'system', 'tool']),
    text: 'text, search',
    created_at: 'time',
    language: 'text: ISO 639-1 code of the language of the text',
    rating: 'text or null: thumbs_up or thumbs_down, if the owner rated the answer',
    title: 'text: Of the conversation',
    model: 'text: The model that wrote it',
    content_type: 'text: text, code, thoughts and other types in the export',
    parent_id: 'text: The message it answers',
    from_me: 'flag: Whether the owner wrote it',
    on_current_branch: 'flag: False for regenerated answers and edited questions',
    is_hidden: 'flag: Whether the app hides it: instructions, tools, reasoning',
    attachments: 'list: Names of files',
  }),
  declareStream('shared_links', 'Shared links', {
    description: 'Conversations that the owner made public by a link.',
    detail: 'Which of your chats anyone with the link can read.',
    relations: [conversationRelation],
    fields: { id: 'text', conversation_id: 'text', title: 'text, search', is_anonymous: 'flag' },
  }),
]);

export const chatgptDeclaration = declareAttachments(streams, 'messages');
