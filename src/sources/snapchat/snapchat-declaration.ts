import { declareChats } from '../chat/chat-declaration.ts';
import { declareStream, oneOf } from '../declare.ts';
import { otherStream } from '../social/other-item.ts';

export const snapchatDeclaration = declareChats('snapchat', 'Snapchat', {
  kinds: ['snap', 'system'],
  messages: { media_type: 'text: TEXT, MEDIA, IMAGE, VIDEO, STICKER, NOTE and the like' },
  streams: [
    declareStream('people', 'People', {
      description: 'Friends, requests, blocked and deleted accounts.',
      detail: 'With whom you are connected and since when.',
      time: 'created_at',
      search: ['name', 'username'],
      fields: {
        id: 'text',
        kind: 'text: Name of the list: Friends, Blocked Users, Deleted Friends and the like',
        username: 'text',
        name: 'text: Display name',
        source: 'text: How they were added',
        created_at: 'time: Since when',
        changed_at: 'time',
      },
    }),
    declareStream('memories', 'Memories', {
      description: 'Pictures and videos that the owner saved.',
      detail: 'When and where you saved pictures, without the pictures.',
      semantics: 'append_only',
      time: 'created_at',
      fields: {
        id: 'text',
        kind: 'text, search: Image or Video',
        latitude: 'number, sensitive',
        longitude: 'number, sensitive',
        created_at: 'time',
      },
    }),
    declareStream('places', 'Places', {
      description: 'Where the owner was, as Snapchat recorded it.',
      detail: 'Where you were and when.',
      semantics: 'append_only',
      time: 'created_at',
      isSensitive: true,
      search: ['name', 'kind'],
      fields: {
        id: 'text',
        kind: 'text: Name of the list: Location History, Frequent Locations and the like',
        name: 'text: City or business',
        latitude: 'number',
        longitude: 'number',
        created_at: 'time',
      },
    }),
    declareStream('searches', 'Searches', {
      description: 'What the owner searched for.',
      detail: 'What you searched for and when.',
      semantics: 'append_only',
      time: 'created_at',
      fields: { id: 'text', query: 'text, search', created_at: 'time' },
    }),
    declareStream('calls', 'Calls', {
      description: 'Calls with friends.',
      detail: 'When you called and were called, and for how long.',
      semantics: 'append_only',
      time: 'created_at',
      fields: {
        id: 'text',
        direction: oneOf(['incoming', 'outgoing']),
        type: 'text, search: Audio or video',
        result: 'text, search',
        place: 'text, sensitive: City and country',
        network: 'text',
        length_seconds: 'number',
        created_at: 'time',
      },
    }),
    otherStream,
  ],
});
