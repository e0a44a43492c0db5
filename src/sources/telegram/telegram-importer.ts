import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readHtmlEvents } from '../../import/read/html-text.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { chatTotals, declareChats } from '../chat/chat-declaration.ts';
import { declareStream } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { makeNote, makeRecord } from '../files/import-items.ts';
import { hasPaths } from '../files/outline-json.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseByAccount } from '../files/recognise-files.ts';
import { type JsonObject, objectOf, someOf, textOf, timeOf } from '../values/json.ts';
import { isMessagePage, isTelegramPage, readHtmlChats } from './html-export.ts';
import { findOwnerRows, findPageTitle } from './html-page.ts';
import { type ChatIndex, readChats, readContacts } from './json-export.ts';

const streams = declareChats('telegram', 'Telegram', {
  kinds: ['service'],
  chats: { type: 'text: personal_chat, private_group, public_channel and the like' },
  messages: {
    sender_id: 'text',
    reply_to_id: 'text: The message it answers',
    forwarded_from: 'text',
    edited_at: 'time',
    media_type: 'text: photo, voice_message, sticker and the like',
    duration_seconds: 'integer: Of a call, a voice message or a video',
    reactions: 'list: Emoji others reacted with',
  },
  streams: [
    declareStream('contacts', 'Contacts', {
      description: 'People in the address book of the account.',
      detail: 'Names and telephone numbers of your contacts.',
      fields: {
        id: 'text',
        name: 'text, search',
        phone: 'text, sensitive',
        user_id: 'text',
        added_at: 'time',
      },
    }),
  ],
});

const telegramDeclaration = declareAttachments(streams, 'messages');

const MESSAGE_FIELDS = ['date_unixtime', 'text_entities', 'from_id', 'actor_id'];
const LISTS = ['messages', 'chats.list[].messages', 'left_chats.list[].messages'];

const CHAT_TYPE =
  /"type"\s*:\s*"(personal_chat|bot_chat|saved_messages|(private|public)_(group|supergroup|channel))"/;

function detectKind(probe: FileProbe): Kind | undefined {
  if (probe.outline.size > 0) return isJsonExport(probe) ? 'export' : undefined;
  if (isMessagePage(probe)) return 'messages';
  if (!isTelegramPage(probe)) return undefined;
  if (isContactPage(probe)) return 'contacts';
  return findOwnerRows(probe.text).size > 0 ? 'owner' : 'other';
}

type Kind = 'export' | 'messages' | 'contacts' | 'owner' | 'other';

/** Checks for one chat, or a full export, whose chats may be late in the file. */
function isJsonExport({ outline, text }: FileProbe): boolean {
  const hasMessages = LISTS.some((list) => MESSAGE_FIELDS.some((field) => outline.has(`${list}[].${field}`)));
  // Old messages lack these keys, and service messages may fill the beginning.
  const isOldChat =
    hasPaths(outline, 'type', 'messages[].type', 'messages[].date') &&
    (outline.has('messages[].from') || CHAT_TYPE.test(text));
  const isWhole =
    outline.has('personal_information.user_id') || (outline.has('about') && /Telegram/.test(text));
  return hasMessages || isOldChat || isWhole;
}

export const telegramImporter: Importer = {
  format: 'telegram',
  title: 'Telegram export',
  fillsArchive: true,
  guide: {
    steps: [
      'Open Telegram Desktop (from telegram.org, not from an app store)',
      'Settings, Advanced, Export Telegram data; or in one chat the menu, then Export chat history',
      'Choose machine-readable JSON',
    ],
    waiting: 'Minutes; the first export of an account takes a day.',
    choose: 'JSON contains more than HTML; both work. Pictures and videos are not needed.',
  },
  totals: chatTotals,
  async recognise(files) {
    const own = await findExportFiles(files, detectKind);
    // Other pages alone contain no records.
    if (!own.some(({ kind }) => READ.includes(kind))) return [];
    return recogniseByAccount(own, async ({ file, kind }) => (await findSelf(file, kind)).account);
  },
  async explain(file) {
    return isTelegramPage(await probeFile(file))
      ? 'is a page of a Telegram HTML export without messages; add the pages named messages.html, or export again and choose machine-readable JSON'
      : undefined;
  },
  declare: () => Promise.resolve(telegramDeclaration),
  async *read({ files }, options) {
    const own = await findExportFiles(files, detectKind);
    const pages = own.filter(({ kind }) => kind === 'messages').map(({ file }) => file);
    const chatIndex: ChatIndex | undefined =
      pages.length === 0 ? undefined : { chats: new Map(), records: [] };
    let ownerName: string | undefined;
    let hasContacts = false;
    for (const { file, kind } of own) {
      const { names, id, name } = await findSelf(file, kind);
      ownerName ??= name;
      for (const value of names) yield { kind: 'self', value };
      if (kind !== 'export') continue;
      for await (const contact of readContacts(file, options)) {
        hasContacts = true;
        yield contact;
      }
      yield* readChats(file, options, id, chatIndex);
    }
    const hasJson = own.some(({ kind }) => kind === 'export');
    for (const { file, kind } of own)
      if (kind === 'contacts' && !hasContacts) yield* readContactPage(file, options);
    yield* readHtmlChats(pages, chatIndex?.chats ?? new Map(), ownerName, options);
    for (const makeRecord of chatIndex?.records ?? []) yield makeRecord();
    const [page] = pages;
    if (page !== undefined && !hasJson) yield makeNote(page, NO_CHAT_IDS);
    yield* nameOtherPages(own, hasContacts);
  },
};

const NO_CHAT_IDS = 'HTML pages have no chat ids. Undo this import before you import the same chats as JSON';
const READ: readonly Kind[] = ['export', 'messages', 'contacts'];

/** Lists the pages of a full export that are not imported: sessions, stories, chat lists. */
async function* nameOtherPages(
  own: readonly { readonly file: InputFile; readonly kind: Kind }[],
  hasContacts: boolean,
): AsyncGenerator<ImportItem> {
  const others = own.filter(({ kind }) => kind === 'other' || (kind === 'contacts' && hasContacts));
  const titles = new Set<string>();
  for (const { file } of others) titles.add(findPageTitle((await probeFile(file)).text) ?? file.path);
  const [first] = others;
  if (first !== undefined)
    yield makeNote(first.file, `pages of the export not imported: ${[...titles].sort().join(', ')}`);
}

/** Finds the owner: user name and id in JSON, user name and full name in HTML. */
async function findSelf(
  file: InputFile,
  kind: Kind,
): Promise<{
  names: string[];
  account: string | undefined;
  id?: string | undefined;
  name?: string | undefined;
}> {
  if (kind === 'owner') {
    const rows = findOwnerRows((await probeFile(file)).text);
    const username = textOf(rows.get('username'))?.replace(/^@/, '');
    const name = someOf([textOf(rows.get('first name')), textOf(rows.get('last name'))])?.join(' ');
    return { names: someOf([username, name]) ?? [], account: username, name };
  }
  if (kind !== 'export') return { names: [], account: undefined };
  const { user_id, username } = await findOwner(file);
  const account = textOf(username)?.replace(/^@/, '') ?? textOf(user_id);
  return { names: someOf([textOf(username), textOf(user_id)]) ?? [], account, id: textOf(user_id) };
}

async function findOwner(file: InputFile): Promise<JsonObject> {
  if (!(await probeFile(file)).outline.has('personal_information.user_id')) return {};
  for await (const element of readJsonElements(file, ['personal_information']))
    return element.kind === 'element' ? objectOf(element.value) : {};
  return {};
}

const isContactPage = ({ text }: FileProbe) =>
  findPageTitle(text) === 'Contacts' && /class="entry /.test(text);

/** Reads `lists/contacts.html`: name, phone number and date per entry. */
async function* readContactPage(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  let entry: { name: string; details_entry: string; info: string } | undefined;
  let part: 'name' | 'details_entry' | 'info' | undefined;
  const finish = (): ImportItem[] => {
    const [name, phone] = [textOf(entry?.name.trim()), textOf(entry?.details_entry.trim())];
    if (entry === undefined || (name ?? phone) === undefined) return [];
    const added_at = timeOf(entry.info.trim(), { ...options, dayFirst: true });
    return [makeRecord(file, 'contacts', { id: phone ?? name, name, phone, added_at })];
  };
  for await (const event of readHtmlEvents(file)) {
    if (event.kind === 'text') {
      if (entry !== undefined && part !== undefined) entry[part] += event.text;
    } else if (event.kind === 'close') part = undefined;
    else {
      const classes = (event.attributes.class ?? '').split(/\s+/);
      part = (['name', 'details_entry', 'info'] as const).find((one) => classes.includes(one));
      if (!classes.includes('entry')) continue;
      yield* finish();
      entry = { name: '', details_entry: '', info: '' };
    }
  }
  yield* finish();
}
