import { readEpoch } from '../../import/read/read-time.ts';
import type { JsonItem } from '../files/json-items.ts';
import { readOtherItem } from '../social/other-item.ts';
import {
  firstText,
  flagOf,
  integerOf,
  type JsonObject,
  listOf,
  objectOf,
  textOf,
  timeOf,
} from '../values/json.ts';
import type { SnapchatPart } from './snapchat-files.ts';

/** `2023-05-01 10:11:12 UTC`, in older files `2023/05/01 10:11:12 UTC`. */
function readSnapTime(value: unknown): string | undefined {
  const text = textOf(value)
    ?.replace(/ UTC$/, '')
    .replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3');
  return text === undefined || !/\d{4}/.test(text) ? undefined : timeOf(text, { timeZone: 'UTC' });
}

const MAX_POSITION_CHARACTERS = 200;

/** `Latitude, Longitude: 52.5, 13.4` and `52.5 ± 10.2 meters, 13.4 ± 10.2 meters`. */
function readPosition(value: unknown): { latitude?: number; longitude?: number } {
  const plain = (textOf(value) ?? '')
    .slice(0, MAX_POSITION_CHARACTERS)
    .replace(/\s*±\s*[\d.]+(?:\s*meters)?/g, '');
  const [, latitude, longitude] = /(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(plain) ?? [];
  const [north, east] = [Number(latitude), Number(longitude)];
  const isKnown = latitude !== undefined && (north !== 0 || east !== 0);
  return isKnown ? { latitude: north, longitude: east } : {};
}

/** Reads a message or a snap. Chats are keyed by friend; older files have a section per direction. */
export function readSnapMessage(
  { names, value }: JsonItem,
  part: 'chats' | 'snaps',
  self: string | undefined,
): JsonObject {
  const item = objectOf(value);
  const section = names.at(-1) ?? '';
  const isSection = /^(?:Received|Sent) (?:(?:Saved|Unsaved) Chat|Snap) History$/.test(section);
  const isMine = flagOf(item.IsSender) ?? (isSection ? section.startsWith('Sent') : undefined);
  const [from, to, media] = [textOf(item.From), textOf(item.To), textOf(item['Media Type'])];
  const chat = isSection ? (to ?? from ?? 'Unknown') : section;
  const isSystem = media?.startsWith('STATUS') === true;
  const isText = media === undefined || media === 'TEXT';
  return {
    chat_id: chat,
    chat: textOf(item['Conversation Title']) ?? chat,
    sender: isMine === true ? (self ?? (from === chat ? undefined : from)) : from,
    from_me: isMine,
    // Older files have no finer time: seconds give the same key in both.
    sent_at: readSnapTime(item.Created) ?? readEpoch(item['Created(microseconds)']),
    text: firstText(item.Content, item.Text),
    kind: isSystem ? 'system' : part === 'snaps' ? 'snap' : 'message',
    attachments: isText || isSystem ? undefined : [media.toLowerCase()],
    media_type: media,
  };
}

export const isSnapMessage = ({ number, value }: JsonItem) => {
  const item = objectOf(value);
  return number !== undefined && (item.Created ?? item['Created(microseconds)']) !== undefined;
};

type Read = (item: JsonObject, list: string, value: unknown) => JsonObject | undefined;

const readers: Partial<Record<SnapchatPart, readonly [stream: string, read: Read]>> = {
  people: [
    'people',
    (item, kind) =>
      textOf(item.Username) === undefined
        ? undefined
        : {
            kind,
            username: textOf(item.Username),
            name: textOf(item['Display Name']),
            source: textOf(item.Source),
            created_at: readSnapTime(item['Creation Timestamp']),
            changed_at: readSnapTime(item['Last Modified Timestamp']),
          },
  ],
  memories: [
    'memories',
    (item) =>
      item.Date === undefined
        ? undefined
        : {
            kind: textOf(item['Media Type']),
            ...readPosition(item.Location),
            created_at: readSnapTime(item.Date),
          },
  ],
  places: ['places', readPlace],
  searches: [
    'searches',
    (item) => {
      const query = firstText(item['Search Term'], item.Query, item.Search);
      const time = item['Date and time (hourly)'] ?? item.Date ?? item.Created;
      return query === undefined ? undefined : { query, created_at: readSnapTime(time) };
    },
  ],
  calls: [
    'calls',
    (item, list) => {
      const direction = /^(incoming|outgoing)/i.exec(list)?.[1]?.toLowerCase();
      const time = item['Date & Time'] ?? item.Date ?? item.Created;
      if (direction === undefined || time === undefined) return undefined;
      const seconds = textOf(item['Length (sec)'])?.replace(/[^\d.]/g, '');
      return {
        direction,
        type: textOf(item.Type),
        result: textOf(item.Result),
        place:
          [textOf(item.City), textOf(item.Country)].filter((one) => one !== undefined).join(', ') ||
          undefined,
        network: textOf(item.Network),
        length_seconds: integerOf(seconds),
        created_at: readSnapTime(time),
      };
    },
  ],
};

/** Points are objects, or pairs of time and position. */
function readPlace(item: JsonObject, kind: string, value: unknown): JsonObject | undefined {
  const pair = listOf(value);
  const position = readPosition(item['Latitude, Longitude'] ?? pair[1]);
  const name = firstText(item.Name, item.City, item.Place);
  const created_at = readSnapTime(item.Time ?? item.Date ?? pair[0]);
  return position.latitude === undefined && (name === undefined || created_at === undefined)
    ? undefined
    : { kind, name, ...position, created_at };
}

/** Converts an item that is not a message. An item that does not fit its part goes to `other`. */
export function readSnapItem(
  item: JsonItem,
  part: SnapchatPart,
  file: string,
): { stream: string; data: JsonObject } {
  const [stream, read] = (item.number === undefined ? undefined : readers[part]) ?? [];
  const data = read?.(objectOf(item.value), item.names.at(-1) ?? file, item.value);
  if (stream !== undefined && data !== undefined) return { stream, data };
  return { stream: 'other', data: readOtherItem({ ...item, names: [file, ...item.names] }, readSnapTime) };
}
