import { posix } from 'node:path';
import type { Importer, InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { chatTotals, declareChats } from '../chat/chat-declaration.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { declareStream, oneOf } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { makeRecord, readEach, withFiles } from '../files/import-items.ts';
import { attachIndexed, indexFiles } from '../files/index-files.ts';
import { readJsonItems } from '../files/json-items.ts';
import { probeFile, recogniseByAccount } from '../files/recognise-files.ts';
import { otherIdentity, otherStream } from '../social/other-item.ts';
import { objectOf, textOf } from '../values/json.ts';
import { findSnapchatParts } from './snapchat-files.ts';
import { isSnapMessage, readSnapItem, readSnapMessage } from './snapchat-records.ts';

const streams = declareChats('snapchat', 'Snapchat', {
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

const snapchatDeclaration = declareAttachments(streams, 'messages');

export const snapchatImporter: Importer = {
  format: 'snapchat',
  title: 'Snapchat export',
  fillsArchive: true,
  guide: {
    steps: [
      'Open accounts.snapchat.com, My Data',
      'Turn on Export JSON files, choose what to include and submit the request',
      'Download the zip from the email you receive',
    ],
    waiting: 'Hours to a day.',
    choose:
      'Turn on Export JSON files. Memories are not needed; pictures are imported by name and type only.',
  },
  totals: chatTotals,
  identity: {
    messages: ['chat_id', 'from_me', 'sent_at', 'text', 'kind', 'media_type'],
    people: ['kind', 'username'],
    memories: ['created_at', 'kind'],
    places: ['kind', 'name', 'created_at', 'latitude', 'longitude'],
    searches: ['query', 'created_at'],
    calls: ['created_at', 'direction', 'type'],
    other: otherIdentity,
  },
  async recognise(files) {
    const own = await findSnapchatParts(files);
    const found = await recogniseByAccount(own, async ({ file, kind }) =>
      kind === 'account' ? await findUserName(file) : undefined,
    );
    return found.map((one) => ({
      ...one,
      attachmentFolders: one.files.map((file) => posix.join(findRoot(file), 'chat_media')),
    }));
  },
  async explain(file) {
    const { text, path } = await probeFile(file);
    const isPage = /<html/i.test(text) && /snapchat/i.test(text.slice(0, 20_000));
    return isPage && /\.html?$/i.test(path)
      ? 'is a page of a Snapchat export; the JSON files are read instead. If there are none, request your data again and turn on Export JSON files'
      : undefined;
  },
  declare: () => Promise.resolve(snapchatDeclaration),
  async *read({ files, listFiles }) {
    const own = await findSnapchatParts(files);
    let self: string | undefined;
    for (const { file, kind } of own) if (kind === 'account') self ??= await findUserName(file);
    if (self !== undefined) yield { kind: 'self', value: self };
    const chats = new Map<string, { name: string; tally: ChatTally; file: InputFile }>();
    for (const { file, kind } of own) {
      const name = (file.path.split('/').at(-1) ?? '').replace(/\.json$/i, '');
      const media = kind === 'chats' ? indexFiles(listFiles, findRoot(file), findMediaId) : new Map();
      yield* readEach(file, readJsonItems(file), function* (item) {
        const isTalk = kind === 'chats' || kind === 'snaps';
        // Lists of messages are named after people.
        const place = `${isTalk ? 'item' : (item.names.at(-1) ?? 'item')} ${item.number ?? ''}`.trim();
        if (!isTalk || !isSnapMessage(item))
          return yield { kind: 'record', ...readSnapItem(item, kind, name), place, file };
        const data = readSnapMessage(item, kind, self);
        const id = String(data.chat_id);
        const chat = chats.get(id) ?? { name: id, tally: new ChatTally(), file };
        chats.set(id, { ...chat, name: String(data.chat) });
        chat.tally.count(data);
        const ids = (textOf(objectOf(item.value)['Media IDs']) ?? '').split('|');
        yield withFiles(
          makeRecord(file, 'messages', data, place),
          ids.flatMap((id) => attachIndexed(media, id.trim())),
        );
      });
    }
    for (const [id, { name, tally, file }] of chats)
      yield makeRecord(file, 'chats', { id, name, ...tally.describe() });
  },
};

/** The folder of the export: JSON files are in a folder `json` beside the media. */
function findRoot({ path }: InputFile): string {
  const folder = posix.dirname(path);
  return posix.basename(folder) === 'json' ? posix.dirname(folder) : folder;
}

/** `chat_media/2024-05-01_b~AbC.jpg`: returns the id after the day. */
const findMediaId = (path: string) =>
  /(?:^|\/)chat_media\/\d{4}-\d\d-\d\d_([^/]+?)(?:\.\w{2,5})?$/.exec(path)?.[1];

async function findUserName(file: InputFile): Promise<string | undefined> {
  for await (const element of readJsonElements(file, ['Basic Information']))
    if (element.kind === 'element') return textOf(objectOf(element.value).Username);
  return undefined;
}
