import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { declareChats } from '../chat/chat-declaration.ts';
import { declareStream, oneOf } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';

export function declareMeta(key: string, name: string): SourceDeclaration {
  const streams = declareChats(key, name, {
    chats: { is_group: 'flag' },
    kinds: ['call', 'system'],
    messages: {
      reactions: 'list: Emoji others reacted with',
      link: 'text: What was shared',
      call_seconds: 'integer: How long a call took',
      reacted_by: 'list: Who reacted, in the order of the reactions',
      is_missed: 'flag: Whether a call was missed',
      is_unsent: 'flag: Whether the sender deleted it for everyone',
    },
    streams: [
      declareStream('posts', 'Posts', {
        description: 'Posts, stories and reels of the owner, with their captions.',
        detail: 'What you posted, with captions; pictures stay in the export.',
        semantics: 'append_only',
        time: 'created_at',
        view: { label: 'Text and time', fields: ['id', 'text', 'created_at'] },
        fields: {
          id: 'text',
          kind: oneOf(['post', 'story', 'reel']),
          text: 'text, search',
          title: 'text, search: Who posted it, and where',
          created_at: 'time',
          media: 'list: Paths of pictures and videos in the export',
          links: 'list',
          place: 'text, sensitive: Name of a place',
        },
      }),
      declareStream('comments', 'Comments', {
        description: 'Comments that the owner wrote.',
        detail: 'What you wrote below posts of others and your own.',
        semantics: 'append_only',
        time: 'created_at',
        fields: {
          id: 'text',
          text: 'text, search',
          owner: 'text, search: Whose post it was',
          title: 'text: Title of the entry',
          created_at: 'time',
        },
      }),
      declareStream('likes', 'Likes', {
        description: 'What the owner liked, reacted to or saved.',
        detail: 'What you liked, reacted to or saved, and when.',
        semantics: 'append_only',
        time: 'created_at',
        fields: {
          id: 'text',
          kind: oneOf(['like', 'save']),
          owner: 'text, search: Whose post it was',
          title: 'text, search: Title of the entry',
          reaction: 'text',
          url: 'text',
          created_at: 'time',
        },
      }),
      declareStream('people', 'People', {
        description: 'Friends, followers and those the owner follows.',
        detail: 'With whom you are connected and since when.',
        time: 'created_at',
        fields: {
          id: 'text',
          kind: oneOf(['friend', 'follower', 'following', 'blocked', 'other']),
          name: 'text, search',
          url: 'text',
          created_at: 'time: Since when',
        },
      }),
      declareStream('searches', 'Searches', {
        description: 'What the owner searched for.',
        detail: 'What you searched for and when.',
        semantics: 'append_only',
        time: 'created_at',
        fields: { id: 'text', query: 'text, search', created_at: 'time' },
      }),
      declareStream('other', 'Everything else', {
        description: 'Other parts of the export: ads, logins, devices, settings, shown content.',
        detail: 'Ads and topics, logins, devices and settings, as the export lists them.',
        semantics: 'append_only',
        time: 'created_at',
        isSensitive: true,
        search: ['title', 'values', 'list'],
        fields: {
          id: 'text',
          list: 'text: Name of the list in the export',
          title: 'text',
          values: 'list: All values, with labels in the language of the account',
          url: 'text',
          created_at: 'time',
        },
      }),
    ],
  });
  return declareAttachments(streams, ['messages', 'posts']);
}
