import type { Importer, ImportItem, InputFile } from '../../import/importer.ts';
import { readJson, readJsonElements } from '../../import/read/read-json.ts';
import { declareChats } from '../chat/chat-declaration.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { makeRecord, readEach } from '../files/import-items.ts';
import { hasPaths } from '../files/outline-json.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseByAccount } from '../files/recognise-files.ts';
import { detectTable, readTable, type TableKind } from '../files/table-kind.ts';
import { firstText, type JsonObject, listOf, objectOf, someOf, textOf, timeOf } from '../values/json.ts';
import { readThreadTable, threadTable } from './discord-table.ts';
import { isThreadExport, readThread } from './discord-thread.ts';

const streams = declareChats('discord', 'Discord', {
  chats: {
    server: 'text: Name of the server it is on; none for direct messages',
    type: 'text: GUILD_TEXT, DM, GROUP_DM and the like',
    recipients: 'list: With whom, in direct messages: numbers or names of accounts',
  },
  messages: {
    server: 'text: Name of the server',
    sender_id: 'text',
    reply_to_id: 'text: The message it answers',
    edited_at: 'time',
  },
});

const discordDeclaration = declareAttachments(streams, 'messages');

type Kind = 'messages' | 'table' | 'thread' | 'thread table' | 'channel' | 'names' | 'user';
const TABLES: Record<'table' | 'thread table', TableKind> = {
  table: { columns: ['id', 'timestamp', 'contents'] },
  'thread table': threadTable,
};
const MESSAGE_KINDS: readonly Kind[] = ['messages', 'table', 'thread', 'thread table'];
const SNOWFLAKE = /\d{15,20}/;

function detectKind(probe: FileProbe): Kind | undefined {
  const { outline, text, path } = probe;
  if (hasPaths(outline, '[].ID', '[].Timestamp', '[].Contents')) return 'messages';
  if (isThreadExport(probe)) return 'thread';
  const isId = new RegExp(`"id"\\s*:\\s*"?${SNOWFLAKE.source}"?`).test(text);
  if (
    isId &&
    hasPaths(outline, 'id', 'username') &&
    (outline.has('discriminator') || outline.has('global_name'))
  )
    return 'user';
  if (
    isId &&
    hasPaths(outline, 'id', 'type') &&
    (hasPaths(outline, 'guild.id') || outline.has('recipients[]') || /channel\.json$/.test(path))
  )
    return 'channel';
  if (outline.size > 0 && [...outline].every((path) => /^\d{15,20}$/.test(path))) return 'names';
  return detectTable(probe, TABLES);
}

export const discordImporter: Importer = {
  format: 'discord',
  title: 'Discord data package',
  fillsArchive: true,
  guide: {
    steps: [
      'Open Discord, then User settings, Data & privacy',
      'Request all of my data',
      'Download the zip from the email you receive',
    ],
    waiting: 'Days, up to 30.',
    choose: 'Messages and Account are enough. The package contains only your own messages.',
  },
  identity: { messages: ['chat_id', 'sender', 'sent_at', 'text'] },
  async recognise(files) {
    const own = await findExportFiles(files, detectKind);
    if (!own.some(({ kind }) => MESSAGE_KINDS.includes(kind))) return [];
    return (
      await recogniseByAccount(own, async ({ file, kind }) =>
        kind === 'user' ? textOf((await readObject(file)).username) : undefined,
      )
    ).map((one) => ({ ...one, ...findFolder(one.files) }));
  },
  async explain(file) {
    const { text } = await probeFile(file);
    const isPage =
      /class="?(chatlog|preamble)__|class=chatlog/.test(text) && /^\s*<!doctype html/i.test(text);
    return isPage ? 'is a page of DiscordChatExporter; export again and choose JSON' : undefined;
  },
  declare: () => Promise.resolve(discordDeclaration),
  async *read({ files }, options) {
    const own = await findExportFiles(files, detectKind);
    const of = (wanted: Kind) => own.filter(({ kind }) => kind === wanted).map(({ file }) => file);
    let self: string | undefined;
    const ids = new Set<string>();
    for (const file of of('user')) {
      const { username, id } = await readObject(file);
      self ??= textOf(username);
      ids.add(textOf(id) ?? '');
      for (const value of [textOf(username), textOf(id)])
        if (value !== undefined) yield { kind: 'self', value };
    }
    const names: JsonObject = {};
    for (const file of of('names')) Object.assign(names, await readObject(file));
    const channels = new Map<string, JsonObject>();
    for (const file of of('channel')) channels.set(folderOf(file), await readObject(file));
    for (const file of [...of('messages'), ...of('table')]) yield* readChannel(file, channels, names, self);
    for (const file of of('thread')) yield* readThread(file, ids);
    for (const file of of('thread table')) yield* readThreadTable(file, ids, options);
  },
};

async function* readChannel(
  file: InputFile,
  channels: ReadonlyMap<string, JsonObject>,
  names: JsonObject,
  self: string | undefined,
): AsyncGenerator<ImportItem> {
  const channel = channels.get(folderOf(file)) ?? {};
  const id =
    textOf(channel.id) ?? SNOWFLAKE.exec(folderOf(file))?.[0] ?? SNOWFLAKE.exec(file.path)?.[0] ?? 'unknown';
  const server = textOf(objectOf(channel.guild).name);
  const name = firstText(channel.name, names[id]) ?? id;
  const tally = new ChatTally();
  yield* readEach(file, readMessages(file), function* (message) {
    const { value } = message;
    const data = {
      id: textOf(value.id),
      chat_id: id,
      chat: name,
      server,
      sender: self,
      from_me: true,
      sent_at: timeOf(value.timestamp, { timeZone: 'UTC' }),
      text: textOf(value.contents),
      attachments: someOf((textOf(value.attachments) ?? '').split(/\s+/).map(textOf)),
    };
    tally.count(data);
    yield makeRecord(file, 'messages', data, message.place);
  });
  const recipients = someOf(listOf(channel.recipients).map((one) => firstText(one, objectOf(one).username)));
  const data = { id, name, server, type: textOf(channel.type), recipients, ...tally.describe() };
  yield makeRecord(file, 'chats', data);
}

type Message =
  | { kind: 'message'; value: JsonObject; place: string }
  | Extract<ImportItem, { kind: 'problem' }>;

/** Reads messages as JSON from newer packages, and as CSV with lower-case column names from older ones. */
async function* readMessages(file: InputFile): AsyncGenerator<Message> {
  const kind = (await findExportFiles([file], detectKind))[0]?.kind;
  if (kind === 'table') {
    for await (const row of readTable(file, TABLES.table))
      yield row.kind === 'problem' ? row : { kind: 'message', value: row.row, place: row.place };
    return;
  }
  yield* readEach(file, readJsonElements(file, ['*']), function* (element) {
    const { ID, Timestamp, Contents, Attachments } = objectOf(element.value);
    const value = { id: ID, timestamp: Timestamp, contents: Contents, attachments: Attachments };
    yield { kind: 'message', value, place: `message ${Number(element.path[0]) + 1}` };
  });
}

async function readObject(file: InputFile): Promise<JsonObject> {
  const whole = await readJson(file);
  return whole.kind === 'broken' ? {} : objectOf(whole.value);
}

/** Returns the root folder of the package, so that its other files, such as statistics, count as recognised. */
function findFolder(files: readonly InputFile[]): { folder?: string } {
  const folder = files
    .map(({ path }) => /^(.+)\/[^/]+\/c?\d{15,20}\//.exec(path)?.[1])
    .find((one) => one !== undefined);
  return folder === undefined ? {} : { folder };
}

const folderOf = (file: InputFile) => file.path.slice(0, Math.max(0, file.path.lastIndexOf('/')));
