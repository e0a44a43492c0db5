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

const timed = { cursor_field: 'created_at', consent_time_field: 'created_at', selection } as const;

const post = {
  id: text('Address that names the post everywhere'),
  text: text(),
  content_warning: text('What is shown before the text'),
  created_at: time(),
  edited_at: time(),
  language: text(),
  reply_to_id: text('The post it answers'),
  is_reply: flag(),
  is_sensitive: flag('Whether media is hidden at first'),
  hashtags: list(),
  mentions: list('Handles'),
  media: list('Where pictures and videos lie in the archive'),
  media_descriptions: list('What the owner wrote about them'),
  poll_options: list('With the number of votes'),
  url: text(),
};
const searched = {
  search: { lexical_fields: ['text', 'content_warning', 'media_descriptions', 'poll_options'] },
};
const views = [{ id: 'basic', label: 'Text and time', fields: ['id', 'text', 'created_at'] }];

export const mastodonDeclaration = declareSource('mastodon', 'Mastodon', [
  {
    name: 'posts',
    description: 'Posts and replies of the owner, without direct messages.',
    display: { label: 'Posts', detail: 'What you posted and replied, also to followers only.' },
    semantics: 'append_only',
    schema: describeObject(['id'], {
      ...post,
      visibility: oneOf(['public', 'unlisted', 'followers']),
      like_count: integer(),
      boost_count: integer(),
    }),
    primary_key: ['id'],
    ...timed,
    views,
    relationships: [
      { name: 'replies', stream: 'posts', foreign_key: 'reply_to_id', cardinality: 'has_many' },
    ],
    query: searched,
  },
  {
    name: 'direct_messages',
    description: 'Posts of the owner that only the people mentioned can read.',
    display: { label: 'Direct messages', detail: 'What you wrote to people you mentioned, in full.' },
    semantics: 'append_only',
    schema: describeObject(['id'], post),
    primary_key: ['id'],
    ...timed,
    views,
    query: searched,
  },
  {
    name: 'boosts',
    description: 'Posts of others that the owner boosted; the archive has their addresses only.',
    display: { label: 'Boosts', detail: 'Which posts you passed on and when.' },
    semantics: 'append_only',
    schema: describeObject(['id'], {
      id: text(),
      url: text(),
      author: text('Handle, where the address shows it'),
      created_at: time(),
    }),
    primary_key: ['id'],
    ...timed,
    query: { search: { lexical_fields: ['author', 'url'] } },
  },
  {
    name: 'likes',
    description: 'Posts that the owner liked or bookmarked, without times: the archive has none.',
    display: { label: 'Likes and bookmarks', detail: 'Addresses of the posts you liked or bookmarked.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      id: text(),
      kind: oneOf(['like', 'bookmark']),
      url: text(),
      author: text('Handle, where the address shows it'),
    }),
    primary_key: ['id'],
    selection,
    query: { search: { lexical_fields: ['author', 'url'] } },
  },
  {
    name: 'account',
    description: 'The profile of the owner.',
    display: { label: 'Profile', detail: 'Your name, your description and the fields of your profile.' },
    semantics: 'mutable_state',
    schema: describeObject(['id'], {
      id: text(),
      handle: text(),
      name: text(),
      text: text('Description'),
      fields: list('Label and value'),
      moved_to: text(),
      url: text(),
      created_at: time(),
    }),
    primary_key: ['id'],
    ...timed,
    query: { search: { lexical_fields: ['name', 'text', 'fields'] } },
  },
]);
