import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readTime } from '../../import/read/read-time.ts';
import { readLog } from '../assistant/session-log.ts';
import { chatTotals, declareChats } from '../chat/chat-declaration.ts';
import { localTimeOf } from '../chat/chat-line.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { readEntries } from '../chat/chat-text.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseTogether } from '../files/recognise-files.ts';
import { type JsonObject, listOf, objectOf, someOf, textOf, timeOf } from '../values/json.ts';
import { isSignalChat, isSignalData, isSignalLetters } from './signal-chat.ts';

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
  recognise: async (files) => recogniseTogether(await findExportFiles(files, detectKind), 'likely'),
  declare: () => Promise.resolve(declareChats('signal', 'Signal')),
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

type SignalMessage =
  | { readonly place: string; readonly data: JsonObject }
  | Extract<ImportItem, { kind: 'problem' }>;

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
      yield makeRecord(file, 'messages', data, message.place);
    }
  }
  if (tally.size > 0) yield makeRecord(file, 'chats', { id: chat, name: chat, ...tally.describe() });
}

async function* readLines(file: InputFile, options: ImportOptions): AsyncGenerator<SignalMessage> {
  for await (const entry of readEntries(file)) {
    if ('strayLine' in entry) {
      yield makeProblem(file, 'comes before the first message', `line ${entry.strayLine}`);
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

/** Reads JSON Lines, with the owner as `Me`. */
async function* readSignalData(
  file: InputFile,
  options: ImportOptions,
): AsyncGenerator<{ place: string; data: JsonObject } | Extract<ImportItem, { kind: 'problem' }>> {
  yield* readEach(file, readLog(file), function* (line) {
    const { date, sender, body, sticker, attachments } = line.value;
    const data = {
      sender: textOf(sender),
      from_me: sender === 'Me',
      sent_at: timeOf(date, options),
      text: textOf(body)?.trim(),
      attachments: someOf([...listOf(attachments).map((one) => textOf(objectOf(one).name)), textOf(sticker)]),
    };
    yield { place: `line ${line.number}`, data };
  });
}

const MAX_CHARACTERS = 1_000_000;

interface Letter {
  readonly number: number;
  readonly heads: [string, string][];
  readonly body: string[];
  inBody: boolean;
  length: number;
}

/** Reads messages as blocks: headers (`From:`, `Type:`, `Sent:`), an empty line, the text. */
async function* readSignalLetters(
  file: InputFile,
  options: ImportOptions,
): AsyncGenerator<{ place: string; data: JsonObject }> {
  let letter: Letter | undefined;
  let held: { number: number; text: string } | undefined;
  let afterBlank = true;
  for await (const { number, text } of readTextLines(file)) {
    if (held !== undefined) {
      // A text line may begin so too; in a header, the type follows.
      if (/^(Type|Sent): /.test(text)) {
        if (letter !== undefined) yield finish(letter, options);
        letter = { number: held.number, heads: [], body: [], inBody: false, length: 0 };
      }
      add(letter, held.text);
      held = undefined;
    }
    if (afterBlank && /^From: /.test(text) && (letter === undefined || letter.inBody))
      held = { number, text };
    else add(letter, text);
    afterBlank = text.trim() === '';
  }
  if (held !== undefined) add(letter, held.text);
  if (letter !== undefined) yield finish(letter, options);
}

function add(letter: Letter | undefined, text: string): void {
  if (letter === undefined) return;
  const head = letter.inBody ? null : /^([A-Z][a-z]+): (.*)$/.exec(text);
  if (head !== null) letter.heads.push([head[1] as string, head[2] as string]);
  else {
    letter.inBody = true;
    letter.length += text.length + 1;
    if (letter.length <= MAX_CHARACTERS) letter.body.push(text);
  }
}

function finish(
  { number, heads, body }: Letter,
  options: ImportOptions,
): { place: string; data: JsonObject } {
  const find = (name: string) => heads.find(([head]) => head === name)?.[1];
  const text = body.join('\n').trim();
  const files = heads
    .filter(([head]) => head === 'Attachment')
    .map(([, value]) => value.replace(/ \([^()]*\)$/, ''));
  const sent = find('Sent') ?? find('Received');
  return {
    place: `line ${number}`,
    data: {
      sender: find('From')?.replace(/ \(\+?[\d ]+\)$/, ''),
      from_me: find('Type') === 'outgoing' || find('From') === 'You',
      sent_at: sent === undefined ? undefined : readTime(sent, options),
      text: text === '' ? undefined : text,
      attachments: someOf(files),
    },
  };
}
