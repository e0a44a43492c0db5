import type { Importer, ImportOptions, InputFile, Yielded } from '../../import/importer.ts';
import { readTime } from '../../import/read/read-time.ts';
import { chatTotals, declareChats } from '../chat/chat-declaration.ts';
import { localTimeOf } from '../chat/chat-line.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { readEntries } from '../chat/chat-text.ts';
import { findOwn, type Look, lookAt, recogniseTogether } from '../files/find-own.ts';
import type { Loose } from '../values/loose.ts';
import { isSignalChat, isSignalData, isSignalLetters } from './signal-chat.ts';
import { readSignalData } from './signal-data.ts';
import { readSignalLetters } from './signal-letters.ts';

const tellKind = ({ text }: Look): 'chat' | 'data' | undefined =>
  isSignalChat(text) ? 'chat' : isSignalData(text) ? 'data' : undefined;

export const signalImporter: Importer = {
  format: 'signal',
  title: 'Signal chats as text',
  guide: {
    steps: [
      'Signal has no export of its own: write the chats out with sigtop or signal-export on a computer with Signal Desktop',
      'Give the folder that it made',
    ],
    waiting: 'None: it reads the database of Signal Desktop.',
  },
  identity: {
    messages: ['chat_id', 'sender', 'sent_at', 'text'],
  },
  totals: chatTotals,
  recognise: async (files) => recogniseTogether(await findOwn(files, tellKind), 'likely'),
  declare: () => Promise.resolve(declareChats('signal', 'Signal')),
  async *read({ files }, options) {
    const own = await findOwn(files, tellKind);
    const written = new Set(own.filter(({ kind }) => kind === 'chat').map(({ file }) => nameChat(file.path)));
    for (const { file, kind } of own) {
      const { text } = await lookAt(file);
      if (kind === 'data') {
        const chat = nameChat(file.path);
        // The same chat lies beside it as text.
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

export type SignalMessage =
  | { readonly place: string; readonly data: Loose }
  | Extract<Yielded, { kind: 'problem' }>;

async function* readChat(
  messages: AsyncIterable<SignalMessage>,
  chat: string,
  file: InputFile,
): AsyncGenerator<Yielded> {
  const tally = new ChatTally();
  for await (const message of messages) {
    if ('kind' in message) yield message;
    else {
      const data: Loose = { chat_id: chat, chat, ...message.data };
      tally.count(data);
      if (message.data.from_me === true && tally.size === 1)
        yield { kind: 'self', value: String(data.sender) };
      yield { kind: 'record', stream: 'messages', data, place: message.place, file };
    }
  }
  if (tally.size > 0)
    yield { kind: 'record', stream: 'chats', data: { id: chat, name: chat, ...tally.describe() }, file };
}

async function* readLines(file: InputFile, options: ImportOptions): AsyncGenerator<SignalMessage> {
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
    const names = [...entry.text.matchAll(/!?\[([^\]\n]+)\]\((?:\.\/)?media\/[^)\n]+\)/g)].map(
      ([, name]) => name,
    );
    const data = {
      sender: entry.sender,
      from_me: entry.sender === 'Me',
      sent_at: readTime(localTimeOf(entry.line, true), options),
      text: entry.text === '' ? undefined : entry.text,
      attachments: names.length === 0 ? undefined : names,
    };
    yield { place: `line ${entry.number}`, data };
  }
}

/** `Anna/chat.md`, or `Anna.txt`. */
function nameChat(path: string): string {
  const parts = path.split('/');
  const name = (parts.pop() ?? path).replace(/\.\w+$/, '');
  return /^(chat|index|data)$/i.test(name) ? (parts.pop() ?? name) : name;
}
