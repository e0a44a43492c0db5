import type { AttachedFile } from '../../attachments/attached-file.ts';
import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readTime } from '../../import/read/read-time.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { makeRecord, withFiles } from '../files/import-items.ts';
import type { JsonObject } from '../values/json.ts';

/** `May 17, 2022  5:29:42 PM (Read by you after 5 seconds)`, or a notice after the time. */
const HEADER =
  /^([A-Z][a-z]{2} \d\d, \d{4} {1,2}\d{1,2}:\d\d:\d\d [AP]M)(?: (\((?:Read|Delivered) [^)]*\))|(?: (\S.*)))?$/;
const REPLY_NOTE = 'This message responded to an earlier message.';
const MAX_CHARACTERS = 1_000_000;

/** Whether a program wrote the text out of chat.db: a time, a sender, the message. */
export function isMessagesText(text: string): boolean {
  const [first = '', second = ''] = text.split(/\r?\n/, 2);
  return HEADER.test(first.replace(/^\ufeff/, '')) && /^\S/.test(second) && !HEADER.test(second);
}

/** Reads one chat. Replies are also indented below the message they answer; only the copies at their own time count. */
export async function* readMessagesText(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const chat = (file.path.split('/').at(-1) ?? file.path).replace(/\.txt$/i, '');
  const tally = new ChatTally();
  const finish = (block: Block): ImportItem => {
    const data = { chat_id: chat, chat, ...describeBlock(block, options) };
    tally.count(data);
    return withFiles(makeRecord(file, 'messages', data, `line ${block.number}`), findFiles(block));
  };
  let block: Block | undefined;
  for await (const { number, text } of readTextLines(file)) {
    const [header, time = '', , notice] = HEADER.exec(text) ?? [];
    if (header !== undefined) {
      if (block !== undefined) yield finish(block);
      block = { number, time, notice, lines: [], characters: 0 };
    } else if (block !== undefined && block.characters < MAX_CHARACTERS && !text.startsWith('    ')) {
      block.characters += text.length + 1;
      block.lines.push(text);
    }
  }
  if (block !== undefined) yield finish(block);
  if (tally.size > 0) yield makeRecord(file, 'chats', { id: chat, name: chat, ...tally.describe() });
}

interface Block {
  readonly number: number;
  readonly time: string;
  readonly notice: string | undefined;
  readonly lines: string[];
  characters: number;
}

const isFile = (line: string) => /^(?:\/|~\/|attachments\/).*\.\w{2,5}$/.test(line);
const TRANSCRIPT = /^Transcription: (.+)$/;

/** Lists the files that were copied beside the text. The line after a recording may have its transcript. */
function findFiles({ lines }: Block): AttachedFile[] {
  return lines.flatMap((line, index) =>
    index > 0 && isFile(line) && line.startsWith('attachments/')
      ? [{ path: line, transcript: TRANSCRIPT.exec(lines[index + 1] ?? '')?.[1] }]
      : [],
  );
}

function describeBlock({ time, notice, lines }: Block, options: ImportOptions): JsonObject {
  const sent_at = readTime(time, options);
  if (notice !== undefined) return { sent_at, kind: 'system', text: notice };
  const [sender, ...body] = lines;
  const files = body.filter(isFile);
  const words = body.filter((line) => line !== REPLY_NOTE && !files.includes(line));
  return {
    sender,
    from_me: sender === 'Me',
    sent_at,
    kind: 'message',
    text: words.join('\n').trim() || undefined,
    attachments: files.length === 0 ? undefined : files.map((path) => path.split('/').at(-1) ?? path),
  };
}
