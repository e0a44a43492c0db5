import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readTime } from '../../import/read/read-time.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import { type FileProbe, probeFile } from '../files/recognise-files.ts';
import { firstText, type JsonObject, someOf, textOf, timeOf } from '../values/json.ts';
import { findPageTitle, readTelegramPage } from './html-page.ts';
import type { PageItem } from './page-state.ts';

/** A chat of a JSON export in the same import: its id and range of messages. */
export interface JsonChat {
  readonly id: string;
  readonly tally: ChatTally;
  readonly first: number;
  readonly last: number;
}

export const isTelegramPage = ({ text }: FileProbe) =>
  /<title>Exported Data<\/title>/.test(text) && /class="page_wrap/.test(text);

/** Checks only the messages, because people edit page headers. */
export const isMessagePage = ({ text }: FileProbe) =>
  /class="message (?:default|service)[^"]*" id="message-?\d+"/.test(text) && /class="history"/.test(text);

interface PageChat {
  readonly name: string;
  readonly pages: InputFile[];
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const pageNumber = (path: string) => Number(/(\d+)\.html?$/i.exec(path)?.[1] ?? 1);
/** `chats/chat_017` of a full export. */
const isNumbered = (folder: string) => /(?:^|\/)chat_\d+$/.test(folder);

/** Groups pages by chat, in order. In a full export, chats of one name have separate folders. */
async function groupPages(pages: readonly InputFile[]): Promise<Map<string, PageChat>> {
  const groups = new Map<string, PageChat>();
  for (const file of pages) {
    const { text } = await probeFile(file);
    const title = findPageTitle(text) ?? 'Chat';
    const name = title === 'Saved Messages' ? 'Saved messages' : title;
    const folder = folderOf(file.path);
    const key = JSON.stringify(isNumbered(folder) ? [name, folder] : [name]);
    const group = groups.get(key) ?? { name, pages: [] };
    groups.set(key, group);
    group.pages.push(file);
  }
  for (const { pages: own } of groups.values())
    own.sort(
      (a, b) =>
        folderOf(a.path).localeCompare(folderOf(b.path), 'en') || pageNumber(a.path) - pageNumber(b.path),
    );
  return groups;
}

/**
 * Reads the chats of HTML pages. Pages lack chat ids: the name is used, as in old JSON exports. If a JSON export
 * in the same import has the chat, its id is used and its messages are skipped.
 */
export async function* readHtmlChats(
  pages: readonly InputFile[],
  jsonChats: ReadonlyMap<string, JsonChat | 'several'>,
  owner: string | undefined,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  const groups = [...(await groupPages(pages)).values()];
  const names = new Map<string, number>();
  for (const { name } of groups) names.set(name, (names.get(name) ?? 0) + 1);
  for (const group of groups) {
    const isNameShared = (names.get(group.name) ?? 0) > 1;
    const sameName = jsonChats.get(group.name.toLowerCase());
    const json = isNameShared || sameName === 'several' ? undefined : sameName;
    const id = json?.id ?? (isNameShared ? await nameByFirstMessage(group) : group.name);
    const tally = json?.tally ?? new ChatTally();
    let repeated = 0;
    let [sender, source, moment]: (string | undefined)[] = [];
    for (const file of group.pages) {
      let count = 0;
      for await (const item of readTelegramPage(file)) {
        count += 1;
        if (isDayLine(item)) {
          moment = readTime(item.text.trim(), options) ?? moment;
          continue;
        }
        if (item.kind === 'message') sender = item.isJoined ? sender : (textOf(item.sender.trim()) ?? sender);
        source = item.isForwarded ? (textOf(item.forwardedFrom.trim()) ?? source) : undefined;
        const data = {
          ...readPageItem(item, id, options),
          forwarded_from: source,
          chat_id: id,
          chat: group.name,
        } as JsonObject;
        moment = textOf(data.sent_at) ?? moment;
        if (json !== undefined && Number(item.id) >= json.first && Number(item.id) <= json.last) {
          repeated += 1;
          continue;
        }
        data.sent_at ??= moment;
        if (item.kind === 'message') data.sender = sender;
        if (owner !== undefined && sender !== undefined && item.kind === 'message')
          data.from_me = sender === owner;
        tally.count(data);
        if (item.isCut) yield makeProblem(file, 'is too long and was cut', `message ${item.id}`);
        yield makeRecord(file, 'messages', data, `message ${item.id}`);
      }
      if (count === 0) yield makeProblem(file, 'contains no messages');
    }
    const [file] = group.pages;
    if (file === undefined) continue;
    if (repeated > 0)
      yield makeNote(file, `${repeated} messages are also in the JSON export and were imported from there`);
    if (json === undefined && tally.size > 0)
      yield makeRecord(file, 'chats', { id, name: group.name, ...tally.describe() });
  }
}

/** Day separators count down from -1. Messages from before a group became a supergroup are below -900,000,000. */
const isDayLine = ({ kind, id }: PageItem) =>
  kind === 'service' && Number(id) < 0 && Number(id) > -900_000_000;

/** Adds the time of the first message to a name that several chats have. The time is the same in every export. */
async function nameByFirstMessage({ name, pages }: PageChat): Promise<string> {
  const [first] = pages;
  let found: PageItem | undefined;
  for await (const item of first === undefined ? [] : readTelegramPage(first))
    if (item.time !== undefined) {
      found = item;
      break;
    }
  // Without a zone the time is taken as UTC, so that another zone does not change the name.
  const time = found === undefined ? undefined : timeOf(found.time, { timeZone: 'UTC', dayFirst: true });
  return `${name} since ${time ?? folderOf(first?.path ?? '')}`;
}

/** Media types by class, named as in the JSON export. */
const MEDIA: readonly (readonly [mark: string, type: string])[] = [
  ['photo_wrap', 'photo'],
  ['sticker_wrap', 'sticker'],
  ['animated_wrap', 'animation'],
  ['video_file_wrap', 'video_file'],
  ['media_voice_message', 'voice_message'],
  ['media_audio_file', 'audio_file'],
  ['media_photo', 'photo'],
  ['media_video', 'video_file'],
];
/** Media that was not exported has its type as a title. */
const TITLES: Readonly<Record<string, string>> = {
  Sticker: 'sticker',
  Animation: 'animation',
  'Video message': 'video_message',
  'Voice message': 'voice_message',
};

/** Reads the fields that the JSON export has too. */
function readPageItem(item: PageItem, chat: string, options: ImportOptions): JsonObject {
  const title = item.mediaTitle.trim();
  const titled = Object.hasOwn(TITLES, title) ? TITLES[title] : undefined;
  const type = titled ?? MEDIA.find(([mark]) => item.media.includes(mark))?.[1];
  const isCall = item.media.includes('media_call');
  const status = item.mediaStatus.trim();
  return {
    id: `${chat}/${item.id}`,
    sent_at: timeOf(item.time, { ...options, dayFirst: true }),
    text: isCall ? `phone call ${status}`.trim() : firstText(item.text.trim(), tidyPoll(item.poll)),
    kind: item.kind === 'service' || isCall ? 'service' : 'message',
    attachments: isCall ? undefined : nameAttachments(item, title, type),
    reply_to_id: item.replyTo === undefined ? undefined : `${chat}/${item.replyTo}`,
    media_type: type,
    duration_seconds: readDuration(status),
    reactions: someOf(item.reactions.map((one) => textOf(one.trim()))),
  };
}

const tidyPoll = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim().replace(/^- /, ''))
    .filter((line) => line !== '')
    .join('\n');

function nameAttachments(item: PageItem, title: string, type: string | undefined): string[] | undefined {
  const has = (mark: string) => item.media.some((one) => one.startsWith(mark));
  if (has('media_location') || has('media_live_location') || has('media_venue')) return ['location'];
  if (has('media_contact')) return ['contact'];
  const files = [...new Set(item.files.map((path) => path.split('/').at(-1)))];
  const isFile = has('media_file') || has('media_audio_file');
  if (isFile && title !== '' && title !== 'File') return [title];
  if (files.length > 0) return someOf(files);
  return item.media.length === 0 || has('media_poll') ? undefined : [type ?? textOf(title) ?? 'file'];
}

/** Parses `00:05, 20.3 KB` of a recording, `Outgoing (60 seconds)` of a call. */
function readDuration(status: string): number | undefined {
  const seconds = /\((\d+) seconds?\)/.exec(status)?.[1];
  if (seconds !== undefined) return Number(seconds);
  const clock = /^(?:(\d+):)?(\d+):(\d\d)\b/.exec(status);
  return clock === null
    ? undefined
    : Number(clock[1] ?? 0) * 3_600 + Number(clock[2]) * 60 + Number(clock[3]);
}
