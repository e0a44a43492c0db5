import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, declareStream, hasMany } from '../declare.ts';

/** Lists of accounts are alike. */
const people = (name: string, label: string, description: string): StreamDeclaration =>
  declareStream(name, label, {
    description,
    detail: 'Numbers and addresses of the accounts, and the handles of those you wrote about.',
    fields: {
      id: 'text: Number of the account',
      name: 'text, search: Handle, where a post of the owner tells it',
      url: 'text, search',
    },
  });

export const xDeclaration = declareSource('x', 'X', [
  declareStream('posts', 'Posts', {
    description: 'Posts, replies and reposts of the owner.',
    detail: 'What you posted, replied and passed on.',
    semantics: 'append_only',
    time: 'created_at',
    view: { label: 'Text and time', fields: ['id', 'text', 'created_at'] },
    relations: [hasMany('replies', 'posts', 'reply_to_id')],
    fields: {
      id: 'text',
      text: 'text, search',
      created_at: 'time',
      like_count: 'integer',
      repost_count: 'integer',
      language: 'text',
      reply_to_id: 'text: The post it answers',
      reply_to: 'text: Handle of whom it answers',
      is_reply: 'flag',
      is_repost: 'flag',
      is_deleted: 'flag',
      hashtags: 'list',
      mentions: 'list: Handles',
      links: 'list',
      media: 'list: Addresses of pictures and videos',
      app: 'text: With which it was written',
      url: 'text',
    },
  }),
  declareStream('likes', 'Likes', {
    description: 'Posts that the owner liked. X does not say when.',
    detail: 'What you liked, with its text.',
    semantics: 'append_only',
    fields: { id: 'text: Of the post', text: 'text, search', url: 'text' },
  }),
  declareStream('direct_messages', 'Direct messages', {
    description: 'Messages between the owner and others, alone or in groups.',
    detail: 'What you and others wrote to each other in private.',
    semantics: 'append_only',
    time: 'sent_at',
    view: { label: 'Text and time', fields: ['id', 'sender_id', 'text', 'sent_at'] },
    search: ['text', 'sender'],
    fields: {
      id: 'text',
      conversation_id: 'text, required',
      sender: 'text: Handle, of the owner or where a post of the owner tells it',
      recipient: 'text: Handle, as with the sender',
      sender_id: 'text: Number of the account',
      recipient_id: 'text: Number of the account; none in groups',
      from_me: 'flag: Whether the owner wrote it, where the archive tells',
      text: 'text',
      sent_at: 'time',
      media: 'list: Addresses of pictures and videos',
      links: 'list',
    },
  }),
  people('followers', 'Followers', 'Accounts that follow the owner.'),
  people('following', 'Following', 'Accounts that the owner follows.'),
  people('blocked', 'Blocked accounts', 'Accounts that the owner blocked.'),
  people('muted', 'Muted accounts', 'Accounts that the owner muted.'),
  declareStream('saved_searches', 'Saved searches', {
    description: 'Searches that the owner saved.',
    detail: 'What you saved to search for again.',
    fields: { id: 'text', query: 'text, search' },
  }),
  declareStream('account', 'Account', {
    description: 'The account itself.',
    detail: 'Your handle, name, mail address and telephone number.',
    fields: {
      id: 'text',
      name: 'text, search',
      username: 'text, search',
      email: 'text, sensitive',
      phone: 'text, sensitive',
      created_at: 'time',
    },
  }),
]);
