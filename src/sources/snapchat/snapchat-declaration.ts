import { declareChats } from '../chat/chat-declaration.ts';
import { describeObject, number, oneOf, selection, sensitive, text, time } from '../declare.ts';
import { otherStream } from '../social/other-item.ts';

const timed = { cursor_field: 'created_at', consent_time_field: 'created_at', selection } as const;

export const snapchatDeclaration = declareChats('snapchat', 'Snapchat', {
  kinds: ['snap', 'system'],
  messages: { media_type: text('TEXT, MEDIA, IMAGE, VIDEO, STICKER, NOTE and the like') },
  streams: [
    {
      name: 'people',
      description: 'Friends, requests, blocked and deleted accounts.',
      display: { label: 'People', detail: 'With whom you are connected and since when.' },
      semantics: 'mutable_state',
      schema: describeObject(['id'], {
        id: text(),
        kind: text('Name of the list: Friends, Blocked Users, Deleted Friends and the like'),
        username: text(),
        name: text('Display name'),
        source: text('How they were added'),
        created_at: time('Since when'),
        changed_at: time(),
      }),
      primary_key: ['id'],
      ...timed,
      query: { search: { lexical_fields: ['name', 'username'] } },
    },
    {
      name: 'memories',
      description: 'Pictures and videos that the owner saved.',
      display: { label: 'Memories', detail: 'When and where you saved pictures, without the pictures.' },
      semantics: 'append_only',
      schema: describeObject(['id'], {
        id: text(),
        kind: text('Image or Video'),
        latitude: sensitive(number()),
        longitude: sensitive(number()),
        created_at: time(),
      }),
      primary_key: ['id'],
      ...timed,
      query: { search: { lexical_fields: ['kind'] } },
    },
    {
      name: 'places',
      description: 'Where the owner was, as Snapchat recorded it.',
      display: { label: 'Places', detail: 'Where you were and when.' },
      semantics: 'append_only',
      schema: sensitive(
        describeObject(['id'], {
          id: text(),
          kind: text('Name of the list: Location History, Frequent Locations and the like'),
          name: text('City or business'),
          latitude: number(),
          longitude: number(),
          created_at: time(),
        }),
      ),
      primary_key: ['id'],
      ...timed,
      query: { search: { lexical_fields: ['name', 'kind'] } },
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
      name: 'calls',
      description: 'Calls with friends.',
      display: { label: 'Calls', detail: 'When you called and were called, and for how long.' },
      semantics: 'append_only',
      schema: describeObject(['id'], {
        id: text(),
        direction: oneOf(['incoming', 'outgoing']),
        type: text('Audio or video'),
        result: text(),
        place: sensitive(text('City and country')),
        network: text(),
        length_seconds: number(),
        created_at: time(),
      }),
      primary_key: ['id'],
      ...timed,
      query: { search: { lexical_fields: ['type', 'result'] } },
    },
    otherStream,
  ],
});
