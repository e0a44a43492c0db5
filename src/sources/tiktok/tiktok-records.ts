import { readEpoch } from '../../import/read/read-time.ts';
import type { JsonItem } from '../files/json-items.ts';
import { readOtherItem } from '../social/other-item.ts';
import { type JsonObject, objectOf, someOf, textOf, timeOf } from '../values/json.ts';

/** Times are UTC without a zone. TikTok writes `N/A` for unknown values. */
function readTikTokTime(value: unknown): string | undefined {
  const text = textOf(value)?.replace(/ UTC$/, '');
  if (text === undefined) return undefined;
  return /^\d{9,}$/.test(text) ? readEpoch(text) : timeOf(text, { timeZone: 'UTC' });
}

type Read = (item: JsonObject) => JsonObject;

const readText = (value: unknown) => (value === 'N/A' ? undefined : textOf(value));
const readCommonFields = (item: JsonObject) => ({
  url: readText(item.link ?? item.videolink),
  created_at: readTikTokTime(item.date),
});
const favorite =
  (what: string): Read =>
  (item) => ({
    ...readCommonFields(item),
    kind: 'favorite',
    what,
    title: readText(item.favoritecollection) ?? readText(item.title),
    url: findLink(item),
  });
const person =
  (kind: string): Read =>
  (item) => ({ kind, name: readText(item.username), created_at: readTikTokTime(item.date) });

/** Favourites name their link by type: `EffectLink`. */
const findLink = (item: JsonObject) =>
  readText(
    Object.entries(item).find(([name, value]) => name.endsWith('link') && textOf(value) !== undefined)?.[1],
  );

/** Streams by list name, in lower case: the sections around them were renamed over the years. */
const LISTS: Readonly<Record<string, readonly [stream: string, read: Read]>> = {
  itemfavoritelist: ['likes', (item) => ({ ...readCommonFields(item), kind: 'like', what: 'video' })],
  favoritevideolist: ['likes', favorite('video')],
  favoritesoundlist: ['likes', favorite('sound')],
  favoritehashtaglist: ['likes', favorite('hashtag')],
  favoriteeffectslist: ['likes', favorite('effect')],
  favoritecollectionlist: ['likes', favorite('collection')],
  repostlist: ['likes', (item) => ({ ...readCommonFields(item), kind: 'repost', what: 'video' })],
  sharehistorylist: [
    'likes',
    (item) => ({
      ...readCommonFields(item),
      kind: 'share',
      what: readText(item.sharedcontent),
      method: readText(item.method),
    }),
  ],
  searchlist: [
    'searches',
    (item) => ({ query: readText(item.searchterm ?? item.search), created_at: readTikTokTime(item.date) }),
  ],
  commentslist: [
    'comments',
    (item) => ({
      text: readText(item.comment ?? item.content),
      url: readText(item.url ?? item.link),
      created_at: readTikTokTime(item.date),
    }),
  ],
  fanslist: ['people', person('follower')],
  following: ['people', person('following')],
  blocklist: ['people', person('blocked')],
  loginhistorylist: [
    'logins',
    (item) => ({
      ip: readText(item.ip),
      device: readText(item.devicemodel),
      system: readText(item.devicesystem),
      network: readText(item.networktype),
      carrier: readText(item.carrier),
      created_at: readTikTokTime(item.date),
    }),
  ],
};

const readPost: Read = (item) => ({
  text: readText(item.title ?? item.description),
  url: readText(item.link ?? item.videolink),
  likes: readText(item.likes),
  sound: readText(item.sound),
  visibility: readText(item.whocanview),
  place: readText(item.location),
  created_at: readTikTokTime(item.date),
});

/** Keys that become a field. */
const FIELD_KEYS =
  /^(?:date|link|videolink|effectlink|favoritecollection|sharedcontent|method|searchterm|search|comment|content|url|username|ip|devicemodel|devicesystem|networktype|carrier|title|description|likes|sound|whocanview|location)$/;

const MAX_REST_CHARACTERS = 2_000;

/** Lists the other fields of an item: TikTok adds some from time to time. */
function listRest(item: JsonObject): string[] | undefined {
  const rest = Object.entries(item).filter(([name]) => !FIELD_KEYS.test(name));
  return someOf(
    rest.map(([name, value]) => {
      const isFilled = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
      const text = isFilled
        ? JSON.stringify(value)
        : readText(typeof value === 'boolean' ? String(value) : value);
      return text === undefined ? undefined : `${name}: ${text}`.slice(0, MAX_REST_CHARACTERS).toWellFormed();
    }),
  );
}

/** Returns whether an item only holds settings of the export. */
export const isSettingItem = ({ number, value }: JsonItem) =>
  number === undefined && Object.keys(objectOf(value)).every((name) => /^(?:App|IsFastLane)$/.test(name));

export function readTikTokItem(item: JsonItem): { stream: string; data: JsonObject } {
  const small = lowerKeys(item.value);
  const [list = '', holder = ''] = item.names.map(squeeze).reverse();
  if (item.number !== undefined && list === 'videolist' && /history/.test(holder))
    return {
      stream: 'viewing',
      data: {
        url: readCommonFields(small).url,
        watched_at: readTikTokTime(small.date),
        more: listRest(small),
      },
    };
  if (item.number !== undefined && list === 'videolist' && /^(?:videos?|posts?)$/.test(holder))
    return { stream: 'posts', data: { ...readPost(small), more: listRest(small) } };
  const known = item.number !== undefined && Object.hasOwn(LISTS, list) ? LISTS[list] : undefined;
  if (known !== undefined) {
    const data = { ...known[1](small), more: listRest(small) };
    // An item with no field of its stream goes to `other`.
    if (Object.entries(data).some(([name, value]) => !/^(?:kind|what)$/.test(name) && value !== undefined))
      return { stream: known[0], data };
  }
  return { stream: 'other', data: readOtherItem(item, readTikTokTime) };
}

/** `Chat History with anna:` */
function readChatName(names: readonly string[]): string {
  const key = (names.at(-1) ?? '').trim().replace(/:$/, '');
  return key.replace(/^(?:Group )?Chat History with /i, '').trim() || 'Unknown';
}

export function isMessage({ names, number, value }: JsonItem): boolean {
  const item = lowerKeys(value);
  return (
    number !== undefined &&
    names.some((name) => /^(?:direct ?messages?|group ?chats?)$/i.test(name)) &&
    item.from !== undefined &&
    (item.content !== undefined || item.date !== undefined)
  );
}

export function readTikTokMessage({ names, value }: JsonItem, self: string | undefined): JsonObject {
  const item = lowerKeys(value);
  const sender = readText(item.from);
  const chat = readChatName(names);
  return {
    chat_id: chat,
    chat,
    sender,
    from_me: self === undefined || sender === undefined ? undefined : sender === self,
    sent_at: readTikTokTime(item.date),
    text: textOf(item.content),
  };
}

const squeeze = (name: string) => name.toLowerCase().replaceAll(' ', '');

/** Newer exports write `date`, older ones `Date`. */
function lowerKeys(value: unknown): JsonObject {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, inner]) => [squeeze(name), inner]));
}
