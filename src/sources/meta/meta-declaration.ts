import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { declareChats } from '../chat/chat-declaration.ts';
import { describeObject, flag, integer, list, oneOf, selection, sensitive, text, time } from '../declare.ts';

const timed = { cursor_field: 'created_at', consent_time_field: 'created_at', selection } as const;

/** Instagram and Facebook export alike. */
export function declareMeta(key: string, name: string): SourceDeclaration {
  return declareChats(key, name, {
    chats: { is_group: flag() },
    kinds: ['call', 'system'],
    messages: {
      reactions: list('Emoji others reacted with'),
      link: text('What was shared'),
      call_seconds: integer('How long a call took'),
      reacted_by: list('Who reacted, in the order of the reactions'),
      is_missed: flag('Whether a call was missed'),
      is_unsent: flag('Whether the sender took it back'),
    },
    streams: [
      {
        name: 'posts',
        description: 'Posts, stories and reels of the owner, with their captions.',
        display: { label: 'Posts', detail: 'What you posted, with captions; pictures stay in the export.' },
        semantics: 'append_only',
        schema: describeObject(['id'], {
          id: text(),
          kind: oneOf(['post', 'story', 'reel']),
          text: text(),
          title: text('What it says about the post: who posted where'),
          created_at: time(),
          media: list('Where pictures and videos lie in the export'),
          links: list(),
          place: sensitive(text('Name of a place')),
        }),
        primary_key: ['id'],
        ...timed,
        views: [{ id: 'basic', label: 'Text and time', fields: ['id', 'text', 'created_at'] }],
        query: { search: { lexical_fields: ['text', 'title'] } },
      },
      {
        name: 'comments',
        description: 'Comments that the owner wrote.',
        display: { label: 'Comments', detail: 'What you wrote below posts of others and your own.' },
        semantics: 'append_only',
        schema: describeObject(['id'], {
          id: text(),
          text: text(),
          owner: text('Whose post it was'),
          title: text('What it says about the comment'),
          created_at: time(),
        }),
        primary_key: ['id'],
        ...timed,
        query: { search: { lexical_fields: ['text', 'owner'] } },
      },
      {
        name: 'likes',
        description: 'What the owner liked, reacted to or saved.',
        display: { label: 'Likes', detail: 'What you liked, reacted to or saved, and when.' },
        semantics: 'append_only',
        schema: describeObject(['id'], {
          id: text(),
          kind: oneOf(['like', 'save']),
          owner: text('Whose post it was'),
          title: text('What it says about it'),
          reaction: text(),
          url: text(),
          created_at: time(),
        }),
        primary_key: ['id'],
        ...timed,
        query: { search: { lexical_fields: ['owner', 'title'] } },
      },
      {
        name: 'people',
        description: 'Friends, followers and those the owner follows.',
        display: { label: 'People', detail: 'With whom you are connected and since when.' },
        semantics: 'mutable_state',
        schema: describeObject(['id'], {
          id: text(),
          kind: oneOf(['friend', 'follower', 'following', 'blocked', 'other']),
          name: text(),
          url: text(),
          created_at: time('Since when'),
        }),
        primary_key: ['id'],
        ...timed,
        query: { search: { lexical_fields: ['name'] } },
      },
      {
        name: 'searches',
        description: 'What the owner searched for.',
        display: { label: 'Searches', detail: 'What you searched for and when.' },
        semantics: 'append_only',
        schema: describeObject(['id'], { id: text(), query: text(), created_at: time() }),
        primary_key: ['id'],
        ...timed,
        query: { search: { lexical_fields: ['query'] } },
      },
      {
        name: 'other',
        description: 'What else is in the export: ads, logins, devices, settings, what was shown.',
        display: {
          label: 'Everything else',
          detail: 'Ads and topics, logins, devices and settings, as the export lists them.',
        },
        semantics: 'append_only',
        schema: sensitive(
          describeObject(['id'], {
            id: text(),
            list: text('Name of the list in the export'),
            title: text(),
            values: list('All that is said of it, with labels in the language of the account'),
            url: text(),
            created_at: time(),
          }),
        ),
        primary_key: ['id'],
        ...timed,
        query: { search: { lexical_fields: ['title', 'values', 'list'] } },
      },
    ],
  });
}
