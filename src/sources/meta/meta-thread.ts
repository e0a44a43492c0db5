import type { ImportItem, InputFile } from '../../import/importer.ts';
import { makeContentKey } from '../../import/make-key.ts';
import { repairMojibake, repairMojibakeInside } from '../../import/read/decode-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { makeRecord, readEach, withPaths } from '../files/import-items.ts';
import { firstText, integerOf, type JsonObject, listOf, objectOf, someOf, textOf } from '../values/json.ts';
import { listMetaFolders } from './meta-folders.ts';

export const messageIdentity = ['chat_id', 'sender', 'sent_at', 'text'];

/** Facts about a chat. A long one is split into message_1.json, message_2.json and so on. */
interface Thread {
  readonly id: string;
  readonly name: string;
  readonly isGroup: boolean;
}

/** Chats by id, so that the parts of one become one record. */
export type Threads = Map<string, { thread: Thread; tally: ChatTally; file: InputFile }>;

export async function* readThread(
  file: InputFile,
  threads: Threads,
  self: string | undefined,
): AsyncGenerator<ImportItem> {
  const thread = await findThread(file);
  const known = threads.get(thread.id) ?? { thread, tally: new ChatTally(), file };
  threads.set(thread.id, known);
  yield* readEach(file, readJsonElements(file, ['messages.*']), function* (element) {
    const message = objectOf(element.value);
    const data: JsonObject = {
      chat_id: thread.id,
      chat: thread.name,
      ...readMessage(objectOf(repairMojibakeInside(message)), self),
    };
    nameCall(data);
    known.tally.count(data);
    const record = makeRecord(file, 'messages', data, `message ${Number(element.path.at(-1)) + 1}`);
    yield withPaths(record, listPaths(message), listMetaFolders(file));
  });
}

const FILE_KINDS = ['photos', 'videos', 'audio_files', 'gifs', 'files', 'media'];

const listPaths = (message: JsonObject) =>
  FILE_KINDS.flatMap((kind) => listOf(message[kind])).map((one) => textOf(objectOf(one).uri));

export function* describeThreads(threads: Threads): Generator<ImportItem> {
  for (const { thread, tally, file } of threads.values()) {
    const data = { id: thread.id, name: thread.name, is_group: thread.isGroup, ...tally.describe() };
    yield makeRecord(file, 'chats', data);
  }
}

async function findThread(file: InputFile): Promise<Thread> {
  const facts: JsonObject = {};
  for await (const element of readJsonElements(file, ['title', 'threadName', 'thread_path', 'participants']))
    if (element.kind === 'element') facts[String(element.path[0])] = element.value;
  const people = listOf(facts.participants).map((one) =>
    repairMojibake(firstText(one, objectOf(one).name) ?? ''),
  );
  const named = textOf(facts.threadName)?.replace(/_\d+$/, '') ?? textOf(facts.title);
  const folder = file.path.split('/').at(-2);
  const name = named === undefined ? people.join(', ') : repairMojibake(named);
  const id =
    textOf(facts.thread_path)?.split('/').at(-1) ??
    textOf(facts.threadName) ??
    (/message_\d+\.json$/.test(file.path) ? folder : undefined);
  const fallback =
    id ??
    file.path
      .split('/')
      .at(-1)
      ?.replace(/\.json$/i, '');
  return {
    id: id ?? (name === '' ? file.path : name),
    name: name === '' ? (fallback ?? '') : name,
    isGroup: people.length > 2,
  };
}

function readMessage(message: JsonObject, self: string | undefined): JsonObject {
  // Messages with end-to-end encryption are exported by another program, with other keys.
  const sender = firstText(message.sender_name, message.senderName);
  const reactions = listOf(message.reactions)
    .map(objectOf)
    .filter(({ reaction }) => textOf(reaction) !== undefined);
  const share = objectOf(message.share);
  const files = listPaths(message).map((path) => path?.split('/').at(-1));
  return {
    sender,
    from_me: self === undefined || sender === undefined ? undefined : sender === self,
    sent_at: readEpoch(message.timestamp_ms ?? message.timestamp, 'ms'),
    text: firstText(message.content, message.text, share.share_text),
    attachments: someOf([
      ...files,
      textOf(objectOf(message.sticker).uri) === undefined ? undefined : 'sticker',
    ]),
    reactions: someOf(reactions.map(({ reaction }) => textOf(reaction))),
    reacted_by: someOf(reactions.map(({ actor }) => textOf(actor))),
    link: textOf(share.link),
    call_seconds: integerOf(message.call_duration),
    kind: detectKind(message),
    is_missed: message.missed === true || undefined,
    is_unsent: message.is_unsent === true || message.isUnsent === true || undefined,
  };
}

function detectKind({ type, call_duration, missed }: JsonObject): string {
  if (/call/i.test(textOf(type) ?? '') || call_duration !== undefined || missed === true) return 'call';
  return /^(un)?subscribe$/i.test(textOf(type) ?? '') ? 'system' : 'message';
}

/** Most calls have no text. Their key is made without it, as in earlier versions. */
function nameCall(data: JsonObject): void {
  if (data.kind !== 'call' || data.text !== undefined) return;
  data.id = makeContentKey('messages', data, messageIdentity);
  data.text = data.is_missed === true ? 'Missed call' : 'Call';
}
