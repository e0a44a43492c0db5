import type { ImportItem, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { repairMojibakeInside } from '../../import/read/decode-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readTime } from '../../import/read/read-time.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { makeNote, makeRecord, readEach, withPaths } from '../files/import-items.ts';
import { type FileProbe, probeFile } from '../files/recognise-files.ts';
import { firstText, type JsonObject, listOf, objectOf, someOf, textOf } from '../values/json.ts';
import type { MetaRecord } from './meta-records.ts';
import type { Threads } from './meta-thread.ts';

/** Until 2020 there was one file per kind, and short items were lists: `[when, who]`. */
const LISTS =
  /^(?:(?:media|comment)_likes|saved_media|(?:media|live)_comments)\[\]\[\]$|^(?:photos|videos|stories|igtv)\[\]\.(?:taken_at|path)$/;
const CONNECTIONS = ['followers', 'following', 'blocked_users', 'follow_requests_sent'];

export function detectOldPart({ outline }: FileProbe): 'profile' | 'old-list' | 'old-messages' | undefined {
  const has = (...places: string[]) => places.every((place) => outline.has(place));
  if (has('[].participants[]') && (has('[].conversation[]') || has('[].conversation[].sender')))
    return 'old-messages';
  if (has('username', 'private_account') || has('username', 'date_joined')) return 'profile';
  const isConnections = CONNECTIONS.filter((name) => has(name) && !has(`${name}[]`)).length > 1;
  return isConnections || has('[].search_click') || [...outline].some((place) => LISTS.test(place))
    ? 'old-list'
    : undefined;
}

/** All times are UTC, also without a zone. */
const timeOf = (value: unknown) => readTime(textOf(value) ?? '', { timeZone: 'UTC' });

export async function* readOldList(file: InputFile): AsyncGenerator<ImportItem> {
  // Searches are a list; all else is in named lists and objects.
  const isList = (await probeFile(file)).outline.has('[]');
  let left = 0;
  yield* readEach(file, readJsonElements(file, [isList ? '*' : '*.*']), function* (element) {
    const value = repairMojibakeInside(element.value);
    const [list, key] = element.path;
    const record = isList ? readOldSearch(objectOf(value)) : readOldItem(String(list), key, value);
    if (record === undefined) left += 1;
    else
      yield withPaths(
        makeRecord(file, record.stream, record.data, element.path.join(' ')),
        listOf(record.data.media).map(textOf),
      );
  });
  if (left > 0) yield makeNote(file, `${left} empty items skipped`);
}

function readOldSearch({ search_click, time }: JsonObject): MetaRecord | undefined {
  const query = textOf(search_click);
  return query === undefined ? undefined : { stream: 'searches', data: { query, created_at: timeOf(time) } };
}

const PEOPLE: Readonly<Record<string, string>> = {
  followers: 'follower',
  following: 'following',
  blocked_users: 'blocked',
};

function readOldItem(list: string, key: unknown, value: unknown): MetaRecord | undefined {
  const [when, first, second] = listOf(value).map((one) => textOf(one));
  if (/_likes$|^saved_media$/.test(list) && when !== undefined) {
    const kind = list === 'saved_media' ? 'save' : 'like';
    return { stream: 'likes', data: { kind, owner: first, created_at: timeOf(when) } };
  }
  if (/_comments$/.test(list) && first !== undefined)
    return { stream: 'comments', data: { text: first, owner: second, created_at: timeOf(when) } };
  if (typeof key === 'string' && typeof value === 'string' && CONNECTIONS.includes(list)) {
    const kind = PEOPLE[list] ?? 'other';
    return { stream: 'people', data: { id: `${kind}/${key}`, kind, name: key, created_at: timeOf(value) } };
  }
  const { caption, taken_at, path, location } = objectOf(value);
  if (taken_at === undefined || list === 'direct') return undefined;
  const data = {
    kind: list === 'stories' ? 'story' : 'post',
    text: textOf(caption),
    created_at: timeOf(taken_at),
    media: someOf([textOf(path)]),
    place: textOf(location),
  };
  return { stream: 'posts', data };
}

/** All conversations are in one file with their participants, the newest message first. */
export async function* readOldMessages(
  file: InputFile,
  threads: Threads,
  selves: readonly string[],
): AsyncGenerator<ImportItem> {
  const people = new Map<unknown, string[]>();
  for await (const element of readJsonElements(file, ['*.participants']))
    if (element.kind === 'element')
      people.set(
        element.path[0],
        listOf(element.value).flatMap((one) => textOf(one) ?? []),
      );
  yield* readEach(file, readJsonElements(file, ['*.conversation.*']), function* (element) {
    const [index, , number] = element.path;
    const members = people.get(index) ?? [];
    const id = hashKey(...(members.length > 0 ? [...members].sort() : [String(index)]));
    const name = members.filter((one) => !selves.includes(one)).join(', ') || members.join(', ');
    const known = threads.get(id) ?? {
      thread: { id, name, isGroup: members.length > 2 },
      tally: new ChatTally(),
      file,
    };
    threads.set(id, known);
    const message = objectOf(repairMojibakeInside(element.value));
    const data = { chat_id: id, chat: name, ...readOldMessage(message, selves) };
    known.tally.count(data);
    const place = `conversation ${Number(index) + 1}, message ${Number(number) + 1}`;
    yield makeRecord(file, 'messages', data, place);
  });
}

function readOldMessage(message: JsonObject, selves: readonly string[]): JsonObject {
  const sender = textOf(message.sender);
  return {
    sender,
    from_me: selves.length === 0 || sender === undefined ? undefined : selves.includes(sender),
    sent_at: timeOf(message.created_at),
    text: firstText(
      message.text,
      message.media_share_caption,
      message.heart,
      message.story_share,
      message.action,
    ),
    link: firstText(message.link, message.media_share_url),
    attachments: someOf([textOf(message.media), textOf(message.voice_media)]),
    reactions: listOf(message.likes).length > 0 ? listOf(message.likes).map(() => '❤') : undefined,
  };
}
