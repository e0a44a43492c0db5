import { posix } from 'node:path';
import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readTime } from '../../import/read/read-time.ts';
import { readLog } from '../assistant/session-log.ts';
import { chatTotals, declareChats } from '../chat/chat-declaration.ts';
import { localTimeOf } from '../chat/chat-line.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { readEntries } from '../chat/chat-text.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { decodePath } from '../files/decode-path.ts';
import { makeProblem, makeRecord, readEach, withPaths } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseTogether } from '../files/recognise-files.ts';
import { type JsonObject, listOf, objectOf, someOf, textOf, timeOf } from '../values/json.ts';
import { isSignalChat, isSignalData, isSignalLetters } from './signal-chat.ts';
import { readSignalLetters, type SentMessage } from './signal-letters.ts';

const detectKind = ({ text }: FileProbe): 'chat' | 'data' | undefined =>
  isSignalChat(text) ? 'chat' : isSignalData(text) ? 'data' : undefined;

export const signalImporter: Importer = {
  format: 'signal',
  title: 'Signal chats as text',
  guide: {
    steps: [
      'Signal has no export of its own: write the chats out with sigtop or signal-export on a computer with Signal Desktop',
      'Upload the folder that the program created',
    ],
    waiting: 'None: it reads the database of Signal Desktop.',
  },
  identity: {
    messages: ['chat_id', 'sender', 'sent_at', 'text'],
  },
  totals: chatTotals,
  recognise: async (files) =>
    recogniseTogether(await findExportFiles(files, detectKind), 'likely').map((one) => ({
      ...one,
      attachmentFolders: one.files.map(({ path }) => posix.join(posix.dirname(path), 'media')),
    })),
  declare: () => Promise.resolve(declareAttachments(declareChats('signal', 'Signal'), 'messages')),
  async *read({ files }, options) {
    const own = await findExportFiles(files, detectKind);
    const written = new Set(own.filter(({ kind }) => kind === 'chat').map(({ file }) => nameChat(file.path)));
    for (const { file, kind } of own) {
      const { text } = await probeFile(file);
      if (kind === 'data') {
        const chat = nameChat(file.path);
        // The same chat is also there as text.
        if (!written.has(chat)) yield* readChat(readSignalData(file, options), chat, file);
        continue;
      }
      const chat = isSignalLetters(text)
        ? (/^\ufeff?Conversation: (.+?)(?: \(\+?[\d ]+\))?\r?\n/.exec(text)?.[1] ?? nameChat(file.path))
        : nameChat(file.path);
      const messages = isSignalLetters(text) ? readSignalLetters(file, options) : readLines(file, options);
      yield* readChat(messages, chat, file);
    }
  },
};

type SignalMessage = SentMessage | Extract<ImportItem, { kind: 'problem' }>;

async function* readChat(
  messages: AsyncIterable<SignalMessage>,
  chat: string,
  file: InputFile,
): AsyncGenerator<ImportItem> {
  const tally = new ChatTally();
  for await (const message of messages) {
    if ('kind' in message) yield message;
    else {
      const data: JsonObject = { chat_id: chat, chat, ...message.data };
      tally.count(data);
      if (message.data.from_me === true && tally.size === 1)
        yield { kind: 'self', value: String(data.sender) };
      yield withPaths(makeRecord(file, 'messages', data, message.place), message.paths);
    }
  }
  if (tally.size > 0) yield makeRecord(file, 'chats', { id: chat, name: chat, ...tally.describe() });
}

/** `[plan.pdf](./media/plan.pdf)`. File names may contain brackets. */
const FILE = /!?\[([^\]\n]+)\]\((?:\.\/)?(media\/(?:[^()\n]|\([^()\n]*\))+)\)/g;

async function* readLines(file: InputFile, options: ImportOptions): AsyncGenerator<SignalMessage> {
  for await (const entry of readEntries(file)) {
    if ('strayLine' in entry) {
      yield makeProblem(file, 'comes before the first message', `line ${entry.strayLine}`);
      continue;
    }
    const files = [...entry.text.matchAll(FILE)].map(([, name = '', path = '']) => ({ name, path }));
    const data = {
      sender: entry.sender,
      from_me: entry.sender === 'Me',
      sent_at: readTime(localTimeOf(entry.line, true), options),
      text: entry.text === '' ? undefined : entry.text,
      attachments: someOf(files.map(({ name }) => name)),
    };
    yield { place: `line ${entry.number}`, data, paths: files.map(({ path }) => decodePath(path)) };
  }
}

/** `Anna/chat.md`, or `Anna.txt`. */
function nameChat(path: string): string {
  const parts = path.split('/');
  const name = (parts.pop() ?? path).replace(/\.\w+$/, '');
  return /^(chat|index|data)$/i.test(name) ? (parts.pop() ?? name) : name;
}

/** Reads JSON Lines, with the owner as `Me`. */
async function* readSignalData(file: InputFile, options: ImportOptions): AsyncGenerator<SignalMessage> {
  yield* readEach(file, readLog(file), function* (line) {
    const { date, sender, body, sticker, attachments } = line.value;
    const files = listOf(attachments).map(objectOf);
    const data = {
      sender: textOf(sender),
      from_me: sender === 'Me',
      sent_at: timeOf(date, options),
      text: textOf(body)?.trim(),
      attachments: someOf([...files.map(({ name }) => textOf(name)), textOf(sticker)]),
    };
    const paths = files.map(({ path }) => decodePath(textOf(path) ?? ''));
    yield { place: `line ${line.number}`, data, paths };
  });
}
