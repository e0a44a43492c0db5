import type { Importer, InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { chatTotals, declareChats } from '../chat/chat-declaration.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { declareStream, oneOf } from '../declare.ts';
import { makeRecord, readEach } from '../files/import-items.ts';
import { readJsonItems } from '../files/json-items.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseByAccount } from '../files/recognise-files.ts';
import { otherIdentity, otherStream } from '../social/other-item.ts';
import { objectOf, textOf } from '../values/json.ts';
import { isMessage, isSettingItem, readTikTokItem, readTikTokMessage } from './tiktok-records.ts';

const more = 'list: What else the export says of it';
const tiktokDeclaration = declareChats('tiktok', 'TikTok', {
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
        likes: 'text: Number of likes, as the export writes it',
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

/** Lists that only TikTok has, at most two levels below the top. */
const OWN_LIST =
  /^(?:[^.[]+\.){0,2}(?:ItemFavoriteList|FavoriteVideoList|FavoriteSoundList|FavoriteHashtagList|FavoriteEffectsList|FavoriteCollectionList|ShareHistoryList|WatchLiveMap|OffTikTokActivityDataList)(?:\[\])?$/;
/** Common list names, with TikTok's sections around them. */
const OWN_PLACE =
  /^(?:(?:Your )?Activity\.[^.[]+\.(?:VideoList|FansList|Following|SearchList|HashtagList|LoginHistoryList|ActivitySummaryMap)|Direct Messages?\.[^.[]+\.ChatHistory|Profile(?: And Settings)?\.Profile Info(?:rmation)?\.ProfileMap|Comment\.Comments\.CommentsList|(?:Video\.Videos|Post\.Posts)\.VideoList|App Settings\.(?:Block(?: List)?\.BlockList|Settings\.SettingsMap)|(?:(?:Watch|Video Browsing) History)\.VideoList)(?:\[\]|\.|$)/;

function detectKind({ outline }: FileProbe): 'export' | undefined {
  for (const place of outline) if (OWN_LIST.test(place) || OWN_PLACE.test(place)) return 'export';
  return undefined;
}

export const tiktokImporter: Importer = {
  format: 'tiktok',
  title: 'TikTok export',
  fillsArchive: true,
  guide: {
    steps: [
      'Open TikTok, Profile, menu, Settings and privacy, Account, Download your data',
      'Choose all data and the file format JSON, then Request data',
      'Download the zip under Download data when it is ready',
    ],
    waiting: 'Minutes to days.',
    choose: 'JSON instead of TXT.',
  },
  totals: chatTotals,
  identity: {
    messages: ['chat_id', 'sender', 'sent_at', 'text'],
    viewing: ['url', 'watched_at'],
    posts: ['url', 'created_at'],
    comments: ['text', 'created_at'],
    likes: ['kind', 'what', 'url', 'created_at'],
    people: ['kind', 'name'],
    searches: ['query', 'created_at'],
    logins: ['created_at', 'ip', 'device'],
    other: otherIdentity,
  },
  async recognise(files) {
    const own = await findExportFiles(files, detectKind);
    return recogniseByAccount(own, async ({ file }) => await findUserName(file));
  },
  async explain(file) {
    const { text } = await probeFile(file);
    const isText = /^Date: \d{4}-\d\d-\d\d[^\n]*\r?\nLink: https?:\/\/[\w.]*tiktok/m.test(text);
    const isPage = /<html/i.test(text) && /https?:\/\/www\.tiktokv\.com\/share\/video\//.test(text);
    return isText || isPage
      ? 'is a TikTok export in text format; request your data again and choose JSON'
      : undefined;
  },
  declare: () => Promise.resolve(tiktokDeclaration),
  async *read({ files }) {
    const chats = new Map<string, { tally: ChatTally; file: InputFile }>();
    for (const file of files) {
      const self = await findUserName(file);
      if (self !== undefined) yield { kind: 'self', value: self };
      yield* readEach(file, readJsonItems(file), function* (item) {
        if (isSettingItem(item)) return;
        const place = `${item.names.at(-1) ?? 'list'} ${item.number ?? ''}`.trim();
        if (!isMessage(item)) return yield { kind: 'record', ...readTikTokItem(item), place, file };
        const data = readTikTokMessage(item, self);
        const chat = String(data.chat_id);
        const { tally } = chats.get(chat) ?? { tally: new ChatTally() };
        chats.set(chat, { tally, file });
        tally.count(data);
        yield makeRecord(file, 'messages', data, `message ${tally.size} of its chat`);
      });
    }
    for (const [id, { tally, file }] of chats)
      yield makeRecord(file, 'chats', { id, name: id, ...tally.describe() });
  },
};

/** The profile may be the last section. */
async function findUserName(file: InputFile): Promise<string | undefined> {
  for await (const element of readJsonElements(file, ['*.*.ProfileMap'])) {
    const name = element.kind === 'element' ? textOf(objectOf(element.value).userName) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}
