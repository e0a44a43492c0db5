import { declareChats } from '../chat/chat-declaration.ts';
import { declareStream, oneOf } from '../declare.ts';
import { otherStream } from '../social/other-item.ts';

const more = 'list: What else the export says of it';
export const tiktokDeclaration = declareChats('tiktok', 'TikTok', {
  streams: [
    declareStream('viewing', 'Watched', {
      description: 'Videos and live streams that the owner watched.',
      detail: 'Links of the videos you watched and when.',
      semantics: 'append_only',
      time: 'watched_at',
      fields: { id: 'text', url: 'text, search', more, watched_at: 'time' },
    }),
    declareStream('posts', 'Posts', {
      description: 'Videos that the owner posted.',
      detail: 'What you posted, with titles; videos stay at TikTok.',
      semantics: 'append_only',
      time: 'created_at',
      view: { label: 'Text and time', fields: ['id', 'text', 'created_at'] },
      fields: {
        id: 'text',
        text: 'text, search: Title or description',
        url: 'text',
        likes: 'text: How many liked it, as the export writes it',
        sound: 'text',
        visibility: 'text: Who can view it',
        place: 'text, sensitive: Name of a place',
        more,
        created_at: 'time',
      },
    }),
    declareStream('comments', 'Comments', {
      description: 'Comments that the owner wrote.',
      detail: 'What you wrote below videos.',
      semantics: 'append_only',
      time: 'created_at',
      fields: {
        id: 'text',
        text: 'text, search',
        url: 'text',
        more,
        created_at: 'time',
      },
    }),
    declareStream('likes', 'Likes', {
      description: 'What the owner liked, saved, shared or reposted.',
      detail: 'What you liked, saved or shared, and when.',
      semantics: 'append_only',
      time: 'created_at',
      search: ['title', 'what', 'url'],
      fields: {
        id: 'text',
        kind: oneOf(['like', 'favorite', 'share', 'repost']),
        what: 'text: video, sound, hashtag, effect and the like',
        title: 'text: Name of a collection',
        url: 'text',
        method: 'text: How it was shared',
        more,
        created_at: 'time',
      },
    }),
    declareStream('people', 'People', {
      description: 'Followers, those the owner follows, and blocked accounts.',
      detail: 'With whom you are connected and since when.',
      time: 'created_at',
      fields: {
        id: 'text',
        kind: oneOf(['follower', 'following', 'blocked']),
        name: 'text, search',
        more,
        created_at: 'time: Since when',
      },
    }),
    declareStream('searches', 'Searches', {
      description: 'What the owner searched for.',
      detail: 'What you searched for and when.',
      semantics: 'append_only',
      time: 'created_at',
      fields: { id: 'text', query: 'text, search', more, created_at: 'time' },
    }),
    declareStream('logins', 'Logins', {
      description: 'Logins to the account, with device and address.',
      detail: 'When and from where you logged in.',
      semantics: 'append_only',
      time: 'created_at',
      isSensitive: true,
      search: ['device', 'ip'],
      fields: {
        id: 'text',
        ip: 'text',
        device: 'text',
        system: 'text',
        network: 'text',
        carrier: 'text',
        more,
        created_at: 'time',
      },
    }),
    otherStream,
  ],
});
