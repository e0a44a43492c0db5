import type { Importer, ImportOptions, InputFile, Yielded } from '../import/importer.ts';
import { hashKey } from '../import/read/hash-key.ts';
import { readTime } from '../import/read/read-time.ts';
import { dateOf, localTimeOf, readChatLine } from './chat/chat-line.ts';
import { findName, nameByApp } from './chat/chat-name.ts';
import { ChatTally, findSelfInPair } from './chat/chat-tally.ts';
import { type ChatEntry, readEntries, splitSender, surveyEntries } from './chat/chat-text.ts';
import { isSignalChat } from './chat/signal-chat.ts';
import { chatTotals } from './chat-declaration.ts';
import { findOwn, type Look, recogniseTogether } from './files/find-own.ts';
import type { Loose } from './values/loose.ts';
import { whatsappDeclaration } from './whatsapp-declaration.ts';

const LOG_WORDS = /\b(error|info|debug|warn(ing)?|notice|trace|fatal|critical)\b/i;

/** A text that begins with a message of the usual form. Logs of programs look alike, but they name their levels. */
function tellKind({ text }: Look): 'chat' | undefined {
  const lines = text
    .split(/\r?\n/, 60)
    .filter((line) => line.trim() !== '')
    .slice(0, 40);
  const read = lines.map(readChatLine);
  const first = read.findIndex((line) => line !== undefined);
  if (first < 0 || first > 2 || isSignalChat(text)) return undefined;
  const senders = read.flatMap((line) => (line === undefined ? [] : (splitSender(line.rest).sender ?? [])));
  const isLog = senders.length > 0 && senders.every((sender) => LOG_WORDS.test(sender));
  return isLog || (senders.length === 0 && !/[\u200e]|whatsapp/i.test(text)) ? undefined : 'chat';
}

export const whatsappImporter: Importer = {
  format: 'whatsapp',
  title: 'WhatsApp chat',
  guide: {
    steps: ['Open the chat in WhatsApp', 'Tap its name, then Export chat', 'Send the file to yourself'],
    waiting: 'None. Each chat is exported on its own.',
    choose: 'Without media is enough: only words are read.',
  },
  identity: {
    messages: ['chat_id', 'sender', 'sent_at', 'text'],
  },
  totals: chatTotals,
  recognise: async (files) => recogniseTogether(await findOwn(files, tellKind), 'likely'),
  declare: () => Promise.resolve(whatsappDeclaration),
  async *read({ files }, options) {
    for (const file of files) yield* readChat(file, options);
  },
};

async function* readChat(file: InputFile, options: ImportOptions): AsyncGenerator<Yielded> {
  const { order, first, senders } = await surveyEntries(file);
  const { dayFirst, note } = order.decide(options);
  if (note !== undefined) yield { kind: 'note', file, note };
  const named = findName(file.path);
  const chat = {
    id: named ?? (first === undefined ? 'chat' : hashKey(dateOf(first.line), first.line.clock, first.text)),
    name: named ?? nameByApp(first) ?? [...senders].slice(0, 4).join(', '),
  };
  const self = findSelfInPair(named ?? nameByApp(first), senders);
  if (self !== undefined) yield { kind: 'self', value: self };
  // A group is nobody: what stands under its name is said by the app.
  const group = senders.size > 2 ? nameByApp(first) : undefined;
  const tally = new ChatTally();
  for await (const entry of readEntries(file)) {
    if ('strayLine' in entry) {
      yield {
        kind: 'problem',
        file,
        place: `line ${entry.strayLine}`,
        reason: 'stands before the first message',
      };
      continue;
    }
    const place = `line ${entry.number}`;
    if (entry.cut)
      yield {
        kind: 'problem',
        file,
        place,
        reason: 'is longer than a million characters; the end is left out',
      };
    const sent = readTime(localTimeOf(entry.line, dayFirst), options);
    if (sent === undefined) yield { kind: 'problem', file, place, reason: 'has a date that no calendar has' };
    const body = readBody(entry);
    const isApp = body.kind === 'system' && entry.sender === group;
    const data: Loose = {
      chat_id: chat.id,
      chat: chat.name,
      sender: isApp ? undefined : entry.sender,
      from_me: self === undefined ? undefined : entry.sender === self,
      sent_at: sent,
      ...body,
    };
    tally.count(data);
    yield { kind: 'record', stream: 'messages', data, place, file };
  }
  if (tally.size > 0) yield { kind: 'record', stream: 'chats', data: { ...chat, ...tally.describe() }, file };
}

/** Words for what was left out of an export without media, in the languages that say it without angle brackets. */
const OMITTED =
  /omitt?ed|omitid|oculto|weggelassen|ausgelassen|nicht enthalten|omis|absent|omess|weggelaten|udelad|utelämn|utelat|pominięt|пропущ|отсутств|省略|생략|略去|ausente|dihilangkan|çıkarıldı/i;

/** Android marks a change with words only. */
const EDITED =
  /edited|bearbeitet|modifi|editad|bewerkt|redigera|redigert|edytowan|düzenlen|diedit|редак|измен|編集|编辑|編輯|수정|נערכ/i;

function readBody({ sender, text }: ChatEntry): Loose {
  const edited = /\s?\u200e?<([^<>\n]{5,60})>$/.exec(text);
  const isEdited =
    edited !== null && edited.index > 0 && (text.includes('\u200e<') || EDITED.test(edited[1] ?? ''));
  const body = isEdited ? text.slice(0, edited.index) : text;
  const bare = body
    .replace(/^\u200e+/, '')
    .replace(/\u200e/g, '')
    .trim();
  const attached =
    /<[^<>:\n]+: ([^<>\n]+\.\w{2,5})>$/.exec(bare)?.[1] ??
    /^(\S[^\n]*?\.\w{2,5}) \([^()\n]{3,60}\)(?:\n|$)/.exec(bare)?.[1] ??
    findLeftOut(body);
  const isLeftOut =
    /^<[^<>\n]{3,60}>$/.test(bare) || (body.startsWith('\u200e') && OMITTED.test(bare) && bare.length < 60);
  const kind =
    sender === undefined
      ? 'system'
      : attached !== undefined || isLeftOut
        ? 'media'
        : body.startsWith('\u200e')
          ? 'system'
          : 'message';
  return {
    kind,
    text: bare === '' ? undefined : bare,
    attachments:
      attached !== undefined ? [attached] : kind === 'media' ? [bare.replace(/[<>]/g, '')] : undefined,
    is_edited: isEdited ? true : undefined,
  };
}

/** `Plan.pdf • 3 pages document omitted`: the app's words come after its mark. */
function findLeftOut(body: string): string | undefined {
  const [, name, words] = /^([^\u200e\n]+?)(?: •)? \u200e([^\n]{3,80})$/.exec(body) ?? [];
  return words !== undefined && OMITTED.test(words) ? name?.trim() : undefined;
}
