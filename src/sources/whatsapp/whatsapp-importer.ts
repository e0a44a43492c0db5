import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { readTime } from '../../import/read/read-time.ts';
import { chatTotals } from '../chat/chat-declaration.ts';
import { dateOf, localTimeOf, readChatLine } from '../chat/chat-line.ts';
import { ChatTally, findSelfInPair } from '../chat/chat-tally.ts';
import { type ChatEntry, readEntries, splitSender, surveyEntries } from '../chat/chat-text.ts';
import { isNotice, readBody } from '../chat/whatsapp-body.ts';
import { makeNote, makeProblem, makeRecord, withPaths } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, recogniseTogether } from '../files/recognise-files.ts';
import { isSignalChat } from '../signal/signal-chat.ts';
import { type JsonObject, listOf, textOf } from '../values/json.ts';
import { whatsappDeclaration } from './whatsapp-declaration.ts';

const LOG_WORDS = /\b(error|info|debug|warn(ing)?|notice|trace|fatal|critical)\b/i;

/** Recognises a text that begins with a message. Program logs look alike, but contain log levels. */
function detectKind({ text }: FileProbe): 'chat' | undefined {
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
    choose: 'Include media if you want the text of attached files; pictures are listed by name.',
  },
  identity: {
    messages: ['chat_id', 'sender', 'sent_at', 'text'],
  },
  totals: chatTotals,
  recognise: async (files) => recogniseTogether(await findExportFiles(files, detectKind), 'likely'),
  declare: () => Promise.resolve(whatsappDeclaration),
  async *read({ files }, options) {
    for (const file of files) yield* readChat(file, options);
  },
};

async function* readChat(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const { order, first, senders, speakers } = await surveyEntries(file);
  const { dayFirst, note } = order.decide(options);
  if (note !== undefined) yield makeNote(file, note);
  const named = findName(file.path);
  const namedByApp = nameByApp(first);
  const chat = {
    id: named ?? (first === undefined ? 'chat' : hashKey(dateOf(first.line), first.line.clock, first.text)),
    name: named ?? namedByApp ?? [...senders].slice(0, 4).join(', '),
  };
  const self = findSelfInPair(named ?? namedByApp, senders);
  if (self !== undefined) yield { kind: 'self', value: self };
  // Texts under the name of a group are notices of the app.
  const group =
    senders.size > 2 && namedByApp !== undefined && !speakers.has(namedByApp) ? namedByApp : undefined;
  const tally = new ChatTally();
  for await (const entry of readEntries(file)) {
    if ('strayLine' in entry) {
      yield makeProblem(file, 'comes before the first message', `line ${entry.strayLine}`);
      continue;
    }
    const place = `line ${entry.number}`;
    if (entry.cut)
      yield makeProblem(file, 'is longer than a million characters; the rest was skipped', place);
    const sent = readTime(localTimeOf(entry.line, dayFirst), options);
    if (sent === undefined) yield makeProblem(file, 'has an invalid date', place);
    const body = readBody(entry);
    const isApp = body.kind === 'system' && entry.sender === group;
    const data: JsonObject = {
      chat_id: chat.id,
      chat: chat.name,
      sender: isApp ? undefined : entry.sender,
      from_me: self === undefined ? undefined : entry.sender === self,
      sent_at: sent,
      ...body,
    };
    tally.count(data);
    yield withPaths(makeRecord(file, 'messages', data, place), listOf(body.attachments).map(textOf));
  }
  if (tally.size > 0) yield makeRecord(file, 'chats', { ...chat, ...tally.describe() });
}

/** On an iPhone the app's first notice has the name of the chat. */
function nameByApp(first: ChatEntry | undefined): string | undefined {
  return first?.line.bracketed === true && isNotice(first.text) ? first.sender : undefined;
}

/**
 * Finds the chat name in `WhatsApp Chat with Anna.txt`, or in a folder or zip of that name around `_chat.txt`, in
 * many languages.
 */
function findName(path: string): string | undefined {
  for (const part of path.split('/').reverse()) {
    const bare = part.replace(/(\.(txt|zip))+$/i, '').replace(/ \(\d+\)$/, '');
    const match =
      /whatsapp.*?\s(?:with|mit|con|com|avec|met|med|ile|z|s|с|-|–)\s(.+)$/i.exec(bare) ??
      /^(?:chat|conversa|discussion).*whatsapp\s(?:\S+\s)?(.+)$/i.exec(bare);
    if (match?.[1] !== undefined) return match[1].trim();
  }
  return undefined;
}
