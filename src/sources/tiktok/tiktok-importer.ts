import type { Importer, InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { chatTotals } from '../chat/chat-declaration.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { readJsonItems } from '../files/json-items.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseByAccount } from '../files/recognise-files.ts';
import { makeRecord, readEach } from '../files/yielded.ts';
import { otherIdentity } from '../social/other-item.ts';
import { objectOf, textOf } from '../values/json.ts';
import { tiktokDeclaration } from './tiktok-declaration.ts';
import { isMessage, isSwitch, readTikTokItem, readTikTokMessage } from './tiktok-records.ts';

/** Names of lists that only TikTok has, at most two sections below the top. */
const OWN_LIST =
  /^(?:[^.[]+\.){0,2}(?:ItemFavoriteList|FavoriteVideoList|FavoriteSoundList|FavoriteHashtagList|FavoriteEffectsList|FavoriteCollectionList|ShareHistoryList|WatchLiveMap|OffTikTokActivityDataList)(?:\[\])?$/;
/** Names that others use too, with the sections that TikTok puts around them. */
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
    waiting: 'Minutes to some days.',
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
      ? 'is a part of a TikTok export as text; request your data again and choose JSON'
      : undefined;
  },
  declare: () => Promise.resolve(tiktokDeclaration),
  async *read({ files }) {
    const chats = new Map<string, { tally: ChatTally; file: InputFile }>();
    for (const file of files) {
      const self = await findUserName(file);
      if (self !== undefined) yield { kind: 'self', value: self };
      yield* readEach(file, readJsonItems(file), function* (item) {
        if (isSwitch(item)) return;
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

/** The profile may come after everything else. */
async function findUserName(file: InputFile): Promise<string | undefined> {
  for await (const element of readJsonElements(file, ['*.*.ProfileMap'])) {
    const name = element.kind === 'element' ? textOf(objectOf(element.value).userName) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}
