import { declareSource, declareStream, type Fields, hasMany, oneOf } from '../declare.ts';

const post: Fields = {
  id: 'text: Address that names the post everywhere',
  text: 'text',
  content_warning: 'text: What is shown before the text',
  created_at: 'time',
  edited_at: 'time',
  language: 'text',
  reply_to_id: 'text: The post it answers',
  is_reply: 'flag',
  is_sensitive: 'flag: Whether media is hidden at first',
  hashtags: 'list',
  mentions: 'list: Handles',
  media: 'list: Where pictures and videos lie in the archive',
  media_descriptions: 'list: What the owner wrote about them',
  poll_options: 'list: With the number of votes',
  url: 'text',
};
const views = [{ id: 'basic', label: 'Text and time', fields: ['id', 'text', 'created_at'] }];

export const mastodonDeclaration = declareSource('mastodon', 'Mastodon', [
  declareStream('posts', 'Posts', {
    description: 'Posts and replies of the owner, without direct messages.',
    detail: 'What you posted and replied, also to followers only.',
    semantics: 'append_only',
    time: 'created_at',
    views,
    relations: [hasMany('replies', 'posts', 'reply_to_id')],
    search: ['text', 'content_warning', 'media_descriptions', 'poll_options'],
    fields: {
      ...post,
      visibility: oneOf(['public', 'unlisted', 'followers']),
      like_count: 'integer',
      boost_count: 'integer',
    },
  }),
  declareStream('direct_messages', 'Direct messages', {
    description: 'Posts of the owner that only the people mentioned can read.',
    detail: 'What you wrote to people you mentioned, in full.',
    semantics: 'append_only',
    time: 'created_at',
    views,
    search: ['text', 'content_warning', 'media_descriptions', 'poll_options'],
    fields: post,
  }),
  declareStream('boosts', 'Boosts', {
    description: 'Posts of others that the owner boosted; the archive has their addresses only.',
    detail: 'Which posts you passed on and when.',
    semantics: 'append_only',
    time: 'created_at',
    search: ['author', 'url'],
    fields: {
      id: 'text',
      url: 'text',
      author: 'text: Handle, where the address shows it',
      created_at: 'time',
    },
  }),
  declareStream('likes', 'Likes and bookmarks', {
    description: 'Posts that the owner liked or bookmarked, without times: the archive has none.',
    detail: 'Addresses of the posts you liked or bookmarked.',
    search: ['author', 'url'],
    fields: {
      id: 'text',
      kind: oneOf(['like', 'bookmark']),
      url: 'text',
      author: 'text: Handle, where the address shows it',
    },
  }),
  declareStream('account', 'Profile', {
    description: 'The profile of the owner.',
    detail: 'Your name, your description and the fields of your profile.',
    time: 'created_at',
    fields: {
      id: 'text',
      handle: 'text',
      name: 'text, search',
      text: 'text, search: Description',
      fields: 'list, search: Label and value',
      moved_to: 'text',
      url: 'text',
      created_at: 'time',
    },
  }),
]);
