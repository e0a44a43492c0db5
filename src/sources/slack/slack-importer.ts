import { posix } from 'node:path';
import type { AttachedFile } from '../../attachments/attached-file.ts';
import type { Importer, ImportItem, InputFile } from '../../import/importer.ts';
import { type JsonElement, readJsonElements } from '../../import/read/read-json.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { makeProblem, makeRecord, withFiles } from '../files/import-items.ts';
import { findPath, hasPaths } from '../files/outline-json.ts';
import {
  type ExportFile,
  type FileProbe,
  findExportFiles,
  probeFile,
  recogniseByAccount,
} from '../files/recognise-files.ts';
import {
  firstText,
  flagOf,
  integerOf,
  type JsonObject,
  listOf,
  objectOf,
  someOf,
  textOf,
  textsOf,
} from '../values/json.ts';
import { slackDeclaration } from './slack-declaration.ts';
import { findSlackText, readSlackText } from './slack-text.ts';

type Kind = 'users' | 'channels' | 'messages';

function detectKind({ outline, text }: FileProbe): Kind | undefined {
  if (hasPaths(outline, '[].id', '[].profile') && /"id"\s*:\s*"[UWB][A-Z0-9]+"/.test(text)) return 'users';
  if (hasPaths(outline, '[].id', '[].members[]') && /"id"\s*:\s*"[CGD][A-Z0-9]+"/.test(text))
    return 'channels';
  return findPath(outline, 'ts') !== undefined && /"ts"\s*:\s*"\d{9,10}\.\d{1,6}"/.test(text)
    ? 'messages'
    : undefined;
}

export const slackImporter: Importer = {
  format: 'slack',
  title: 'Slack export',
  fillsArchive: true,
  guide: {
    steps: [
      'Open the workspace in a browser as its owner or admin',
      'Click its name, then Tools and settings, then Workspace settings',
      'Import/export data, then Export, and choose the dates',
      'Download the zip from the email you receive',
    ],
    waiting: 'Minutes to hours.',
    choose: 'JSON. Private channels and direct messages are only in exports that the plan and Slack allow.',
  },
  async recognise(files) {
    const own = await findExportFiles(files, detectKind);
    const found = await recogniseByAccount(own, async ({ file, kind }) =>
      kind === 'users' ? /"team_id"\s*:\s*"(T[A-Z0-9]+)"/.exec((await probeFile(file)).text)?.[1] : undefined,
    );
    return found.map((one) => ({
      ...one,
      attachmentFolders: one.files.map(({ path }) => posix.join(posix.dirname(path), UPLOADS)),
    }));
  },
  declare: () => Promise.resolve(slackDeclaration),
  async *read({ files }) {
    const own = await findExportFiles(files, detectKind);
    // The app itself is in no list.
    const people = new Map([['USLACKBOT', 'Slackbot']]);
    const channels = new Map<string, { id: string; name: string }>();
    yield* readAll(own, 'users', (user) => {
      const data = readUser(user);
      if (data.id !== undefined) people.set(data.id, data.name ?? data.handle ?? data.id);
      return { stream: 'users', data };
    });
    yield* readAll(own, 'channels', (channel) => {
      const data = readChannel(channel, people);
      if (data.id !== undefined) {
        channels.set(data.id, { id: data.id, name: data.name });
        // Folders of channels are named, those of direct messages have ids.
        channels.set(textOf(channel.name) ?? data.id, { id: data.id, name: data.name });
      }
      return { stream: 'channels', data };
    });
    yield* readAll(own, 'messages', (message, file) => ({
      stream: 'messages',
      data: readMessage(message, file, people, channels),
      files: listSlackFiles(message).map((one) => locateFile(one, file)),
    }));
  },
};

type Read = (
  source: JsonObject,
  file: InputFile,
) => { stream: string; data: JsonObject | undefined; files?: readonly AttachedFile[] };

async function* readAll(
  own: readonly ExportFile<Kind>[],
  wanted: Kind,
  read: Read,
): AsyncGenerator<ImportItem> {
  for (const { file, kind } of own) {
    if (kind !== wanted) continue;
    const path = findPath((await probeFile(file)).outline, wanted === 'messages' ? 'ts' : 'id') ?? '*';
    for await (const element of readJsonElements(file, [path])) yield readOne(element, file, read);
  }
}

function readOne(element: JsonElement, file: InputFile, read: Read): ImportItem {
  if (element.kind === 'problem') return { ...element, file };
  const place = `item ${Number(element.path.at(-1) ?? 0) + 1}`;
  const { stream, data, files = [] } = read(objectOf(element.value), file);
  return data === undefined
    ? makeProblem(file, 'has no timestamp', place)
    : withFiles(makeRecord(file, stream, data, place), files);
}

function readUser(user: JsonObject) {
  const profile = objectOf(user.profile);
  return {
    id: textOf(user.id),
    name: firstText(profile.real_name, user.real_name, profile.display_name, user.name),
    handle: firstText(profile.display_name, user.name),
    title: textOf(profile.title),
    email: textOf(profile.email),
    phone: textOf(profile.phone),
    time_zone: textOf(user.tz),
    is_bot: flagOf(user.is_bot),
    is_deleted: flagOf(user.deleted),
  };
}

function readChannel(channel: JsonObject, people: ReadonlyMap<string, string>) {
  const id = textOf(channel.id);
  const members = textsOf(channel.members);
  const named = textOf(channel.name);
  const isPrivate = flagOf(channel.is_private) ?? /^[GD]/.test(id ?? '');
  const isGroup = channel.is_mpim === true || named?.startsWith('mpdm-') === true;
  const names = someOf((members ?? []).map((member) => people.get(member) ?? member))?.join(', ');
  return {
    id,
    name: (isGroup ? names : named) ?? names ?? id ?? '',
    purpose: textOf(objectOf(channel.purpose).value),
    topic: textOf(objectOf(channel.topic).value),
    is_private: isPrivate,
    is_archived: flagOf(channel.is_archived),
    kind: isGroup
      ? 'group_message'
      : id?.startsWith('D')
        ? 'direct_message'
        : isPrivate
          ? 'private_channel'
          : 'channel',
    members,
    member_count: members?.length,
    created_at: readEpoch(channel.created, 's'),
  };
}

const listSlackFiles = (message: JsonObject) => [...listOf(message.files), message.file].map(objectOf);

/** The folder in which other programs save files. */
const UPLOADS = '__uploads';

/** Slack exports only links. Programs that complete an export save files per channel, or in one folder for all. */
function locateFile({ id, name }: JsonObject, { path }: InputFile): AttachedFile {
  const channel = posix.dirname(path);
  const named = { name: textOf(name) };
  if (textOf(id) === undefined || textOf(name) === undefined) return named;
  return {
    ...named,
    path: [`attachments/${textOf(id)}-${textOf(name)}`, `${UPLOADS}/${textOf(id)}/${textOf(name)}`],
    folders: [channel, posix.dirname(channel)],
  };
}

function readMessage(
  message: JsonObject,
  file: InputFile,
  people: ReadonlyMap<string, string>,
  channels: ReadonlyMap<string, { id: string; name: string }>,
): JsonObject | undefined {
  const ts = textOf(message.ts);
  const sent = readEpoch(ts, 's');
  if (ts === undefined || sent === undefined) return undefined;
  const folder = file.path.split('/').at(-2);
  const called = firstText(message.channel_name, message.channel) ?? folder ?? '';
  const channel = channels.get(called) ??
    channels.get(folder ?? '') ?? { id: called === '' ? 'unknown' : called, name: called };
  const user = firstText(message.user, message.bot_id);
  const thread = textOf(message.thread_ts);
  const said = findSlackText(message);
  const bot = firstText(message.username, objectOf(message.bot_profile).name);
  return {
    channel_id: channel.id,
    ts,
    user_id: user,
    sender: people.get(user ?? '') ?? bot ?? textOf(objectOf(message.user_profile).real_name) ?? user,
    channel: channel.name,
    text: said === undefined ? undefined : readSlackText(said, { people, channels }),
    sent_at: sent,
    subtype: textOf(message.subtype),
    parent_id: thread === undefined || thread === ts ? undefined : JSON.stringify([channel.id, thread]),
    reply_count: integerOf(message.reply_count),
    reactions: someOf(listOf(message.reactions).map((one) => textOf(objectOf(one).name))),
    is_edited: message.edited === undefined ? undefined : true,
    attachments: someOf(listSlackFiles(message).map((one) => firstText(one.name, one.title))),
  };
}
