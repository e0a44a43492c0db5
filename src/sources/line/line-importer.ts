import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readDay, readTime } from '../../import/read/read-time.ts';
import { chatTotals, declareChats } from '../chat/chat-declaration.ts';
import { ChatTally, findSelfInPair } from '../chat/chat-tally.ts';
import { makeProblem, makeRecord } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseTogether } from '../files/recognise-files.ts';
import type { JsonObject } from '../values/json.ts';

const MAX_CHARACTERS = 1_000_000;

/** Some phones omit `[LINE]`. The next line says when the chat was saved. */
const NAMED = /^\ufeff?(?:Chat history (?:with|in) .+|.+のトーク履歴)\r?\n(?:Saved on|保存日時)\s?[:：]/;

/** Detects the variant: exports of phones have the chat name in the first line, exports of computers begin with a date. */
function detectKind({ text }: FileProbe): 'chat' | 'bare chat' | undefined {
  if (/^\ufeff?\[LINE\]/.test(text) || NAMED.test(text)) return 'chat';
  const [day = '', ...lines] = text.split(/\r?\n/, 6).filter((line) => line.trim() !== '');
  const isDay = /^\d{4}\.\d{2}\.\d{2} [\p{L}\p{M}]+$/u.test(day) && readLineDay(day) !== undefined;
  return isDay && lines[0] !== undefined && readLineMessage(lines[0])?.sender !== undefined
    ? 'bare chat'
    : undefined;
}

export const lineImporter: Importer = {
  format: 'line',
  title: 'LINE chat',
  guide: {
    steps: [
      'Open the chat in LINE',
      'Tap the menu, then Settings, then Export chat history',
      'Send the file to yourself',
    ],
    waiting: 'None. Each chat is exported on its own.',
  },
  identity: {
    messages: ['chat_id', 'sender', 'sent_at', 'text'],
  },
  totals: chatTotals,
  async recognise(files) {
    const own = await findExportFiles(files, detectKind);
    return [
      ...recogniseTogether(
        own.filter(({ kind }) => kind === 'chat'),
        'certain',
      ),
      ...recogniseTogether(
        own.filter(({ kind }) => kind === 'bare chat'),
        'likely',
      ),
    ];
  },
  declare: () => Promise.resolve(declareChats('line', 'LINE', { kinds: ['media', 'system'] })),
  async *read({ files }, options) {
    for (const file of files) yield* readChat(file, options);
  },
};

async function* readChat(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const name = findName(await probeFile(file));
  const senders = new Set<string>();
  for await (const message of readMessages(file, options))
    if (senders.size < 100 && message.sender !== undefined) senders.add(message.sender);
  const self = findSelfInPair(name, senders);
  if (self !== undefined) yield { kind: 'self', value: self };
  const tally = new ChatTally();
  for await (const { number, sender, sent, text } of readMessages(file, options)) {
    const body = text.trim();
    if (sent === undefined) yield makeProblem(file, 'has no date above it', `line ${number}`);
    const isMedia = /^\[[^[\]\n]{1,24}\]$/.test(body);
    const data: JsonObject = {
      chat_id: name,
      chat: name,
      sender,
      from_me: self === undefined ? undefined : sender === self,
      sent_at: sent,
      kind: sender === undefined ? 'system' : isMedia ? 'media' : 'message',
      text: body === '' ? undefined : body,
      attachments: isMedia ? [body.slice(1, -1)] : undefined,
    };
    tally.count(data);
    yield makeRecord(file, 'messages', data, `line ${number}`);
  }
  if (tally.size > 0) yield makeRecord(file, 'chats', { id: name, name, ...tally.describe() });
}

interface LineMessage {
  readonly number: number;
  readonly sender: string | undefined;
  readonly sent: string | undefined;
  readonly text: string;
}

async function* readMessages(file: InputFile, options: ImportOptions): AsyncGenerator<LineMessage> {
  let day: string | undefined;
  let begun:
    | {
        number: number;
        clock: string;
        day: string | undefined;
        sender: string | undefined;
        lines: string[];
        length: number;
      }
    | undefined;
  const finish = (): LineMessage[] => {
    if (begun === undefined) return [];
    const { number, sender, clock, lines } = begun;
    const whole = lines.join('\n').trimEnd();
    // Messages of several lines are quoted.
    const text = lines.length > 1 && /^".*"$/s.test(whole) ? whole.slice(1, -1).replaceAll('""', '"') : whole;
    return [
      {
        number,
        sender,
        sent: begun.day === undefined ? undefined : readTime(`${begun.day}T${clock}`, options),
        text,
      },
    ];
  };
  for await (const { number, text } of readTextLines(file)) {
    const nextDay = readLineDay(text);
    const message = nextDay === undefined ? readLineMessage(text) : undefined;
    if (nextDay !== undefined || message !== undefined) {
      yield* finish();
      begun =
        message === undefined ? undefined : { ...message, number, day, lines: [message.text], length: 0 };
      day = nextDay ?? day;
    } else if (begun !== undefined && begun.length < MAX_CHARACTERS) {
      begun.lines.push(text);
      begun.length += text.length;
    }
  }
  yield* finish();
}

/** Returns the name in `[LINE] Chat history with Anna`, also in Japanese, Chinese, Thai and other languages. */
function findName({ text, path }: FileProbe): string {
  if (!/^\ufeff?\[LINE\]/.test(text) && !NAMED.test(text))
    return (path.split('/').at(-1) ?? path).replace(/^\[LINE\]\s?|\.txt$/gi, '').trim() || 'LINE';
  const first = (text.split(/\r?\n/, 1)[0] ?? '').replace(/^\ufeff?(?:\[LINE\]\s?)?/, '').trim();
  const match =
    /^(?:Chat history (?:with|in)|Chat (?:with|in))\s(.+)$/i.exec(first) ??
    /^(?:ประวัติการ(?:สนทนา|แชท)กับ|Riwayat obrolan dengan)\s?(.+)$/i.exec(first) ??
    /^(.+?)(?:とのトーク履歴|のトーク履歴)$/.exec(first) ??
    /^(?:與|与)?(.+?)的(?:聊天記錄|聊天记录)$/.exec(first);
  return match?.[1]?.trim() ?? (first === '' ? 'LINE' : first);
}

const DAY =
  /^\s*(?:[\p{L}\p{M}]{1,14}\.?,? ?)?(\d{4}[./]\d{1,2}[./]\d{1,2}|\d{1,2}\/\d{1,2}\/\d{4})(?:\s?[(（]?[\p{L}\p{M}]{1,14}\.?[)）]?)?\s*$/u;
const MESSAGE = /^(上午|下午|午前|午後|오전|오후)?\s?(\d{1,2}):(\d{2})\s?([AP]M)?(?:\t| (?=\S))(.*)$/is;

/** Parses a line with only a date: `2024/05/01(Wed)`, `2024.05.01 Wednesday`, `Wed, 05/01/2024`. */
function readLineDay(text: string): string | undefined {
  const date = DAY.exec(text)?.[1];
  return date === undefined ? undefined : readDay(date, { dayFirst: false });
}

/**
 * Parses `15:45`, a name and the text. Phones separate them by tabs, computers by spaces. A line without a name is a
 * system message.
 */
function readLineMessage(
  line: string,
): { clock: string; sender: string | undefined; text: string } | undefined {
  const match = MESSAGE.exec(line);
  if (match === null) return undefined;
  const [, prefix, hours, minutes, suffix, rest = ''] = match;
  const isAfternoon = /下午|午後|오후|pm/i.test(prefix ?? suffix ?? '');
  const has12Hours = prefix !== undefined || suffix !== undefined;
  const hour = has12Hours ? (Number(hours) % 12) + (isAfternoon ? 12 : 0) : Number(hours);
  if (hour > 23 || Number(minutes) > 59) return undefined;
  const clock = `${String(hour).padStart(2, '0')}:${minutes}:00`;
  const tab = rest.indexOf('\t');
  if (tab > 0) return { clock, sender: rest.slice(0, tab), text: rest.slice(tab + 1) };
  const space = line.includes('\t') ? -1 : rest.indexOf(' ');
  if (space > 0) return { clock, sender: rest.slice(0, space), text: rest.slice(space + 1) };
  return { clock, sender: undefined, text: rest.replace(/^\t/, '') };
}
