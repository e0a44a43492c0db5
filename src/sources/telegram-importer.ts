import type { Importer, ImportOptions, InputFile, Yielded } from '../import/importer.ts';
import { readJsonElements } from '../import/read/read-json.ts';
import { readEpoch } from '../import/read/read-time.ts';
import { ChatTally } from './chat/chat-tally.ts';
import { readTelegramMessage } from './chat/telegram-message.ts';
import { chatTotals } from './chat-declaration.ts';
import { findOwn, type Look, lookAt, recogniseByAccount } from './files/find-own.ts';
import { hasPlaces } from './files/outline-json.ts';
import { isContactPage, readContactPage } from './telegram/html-contacts.ts';
import { isMessagePage, isTelegramPage, type JsonChat, readHtmlChats } from './telegram/html-export.ts';
import { findOwnerRows, findPageTitle } from './telegram/html-page.ts';
import { telegramDeclaration } from './telegram-declaration.ts';
import { integerOf, type Loose, objectOf, someOf, textOf, timeOf } from './values/loose.ts';

const MARKS = ['date_unixtime', 'text_entities', 'from_id', 'actor_id'];
const LISTS = ['messages', 'chats.list[].messages', 'left_chats.list[].messages'];

const CHAT_TYPE =
  /"type"\s*:\s*"(personal_chat|bot_chat|saved_messages|(private|public)_(group|supergroup|channel))"/;

/** One chat, or all of them with what the account knows besides: then the chats may come late in the file. */
function tellKind(look: Look): Kind | undefined {
  if (look.outline.size > 0) return isJsonExport(look) ? 'export' : undefined;
  if (isMessagePage(look)) return 'messages';
  if (!isTelegramPage(look)) return undefined;
  if (isContactPage(look)) return 'contacts';
  return findOwnerRows(look.text).size > 0 ? 'owner' : 'other';
}

type Kind = 'export' | 'messages' | 'contacts' | 'owner' | 'other';

function isJsonExport({ outline, text }: Look): boolean {
  const hasMessages = LISTS.some((list) => MARKS.some((mark) => outline.has(`${list}[].${mark}`)));
  // Old messages have no marks, and nothing but news may stand at the beginning.
  const isOldChat =
    hasPlaces(outline, 'type', 'messages[].type', 'messages[].date') &&
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
      'Open Telegram Desktop (the app from telegram.org, not the one of a store)',
      'Settings, Advanced, Export Telegram data; or in one chat the menu, then Export chat history',
      'Choose machine-readable JSON',
    ],
    waiting: 'Minutes; the first export of an account waits a day.',
    choose: 'JSON has more in it than HTML; both are read. Pictures and videos are not needed.',
  },

  totals: chatTotals,
  async recognise(files) {
    const own = await findOwn(files, tellKind);
    // Other pages alone hold nothing that becomes a record.
    if (!own.some(({ kind }) => READ.includes(kind))) return [];
    const accounts: { file: InputFile; account: string }[] = [];
    for (const { file, kind } of own) {
      const { account } = await findSelf(file, kind);
      if (account !== undefined) accounts.push({ file, account });
    }
    return recogniseByAccount(own, accounts, 'certain');
  },

  async explain(file) {
    return isTelegramPage(await lookAt(file))
      ? 'is a page of a Telegram HTML export without messages; add the pages named messages.html, or export again and choose machine-readable JSON'
      : undefined;
  },

  declare: () => Promise.resolve(telegramDeclaration),

  async *read({ files }, options) {
    const own = await findOwn(files, tellKind);
    const pages = own.filter(({ kind }) => kind === 'messages').map(({ file }) => file);
    const besidePages: BesidePages | undefined =
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
      yield* readChats(file, options, id, besidePages);
    }
    const hasJson = own.some(({ kind }) => kind === 'export');
    for (const { file, kind } of own)
      if (kind === 'contacts' && !hasContacts) yield* readContactPage(file, options);
    yield* readHtmlChats(pages, besidePages?.chats ?? new Map(), ownerName, options);
    for (const makeRecord of besidePages?.records ?? []) yield makeRecord();
    const [page] = pages;
    if (page !== undefined && !hasJson) yield { kind: 'note', file: page, note: NO_CHAT_IDS };
    yield* nameOtherPages(own, hasContacts);
  },
};

const NO_CHAT_IDS =
  'HTML pages do not show the ids of chats: before you import the same chats as JSON, undo this import';
const READ: readonly Kind[] = ['export', 'messages', 'contacts'];

/** Pages of a whole export that no stream is made of: sessions, stories, lists of chats. */
async function* nameOtherPages(
  own: readonly { readonly file: InputFile; readonly kind: Kind }[],
  hasContacts: boolean,
): AsyncGenerator<Yielded> {
  const others = own.filter(({ kind }) => kind === 'other' || (kind === 'contacts' && hasContacts));
  const titles = new Set<string>();
  for (const { file } of others) titles.add(findPageTitle((await lookAt(file)).text) ?? file.path);
  const [first] = others;
  if (first !== undefined)
    yield {
      kind: 'note',
      file: first.file,
      note: `pages of the export that are not imported: ${[...titles].sort().join(', ')}`,
    };
}

/** Who the owner is: by user name and id in JSON, by user name and full name in HTML. */
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
    const rows = findOwnerRows((await lookAt(file)).text);
    const username = textOf(rows.get('username'))?.replace(/^@/, '');
    const name = someOf([textOf(rows.get('first name')), textOf(rows.get('last name'))])?.join(' ');
    return { names: someOf([username, name]) ?? [], account: username, name };
  }
  if (kind !== 'export') return { names: [], account: undefined };
  const { user_id, username } = await findOwner(file);
  const account = textOf(username)?.replace(/^@/, '') ?? textOf(user_id);
  return { names: someOf([textOf(username), textOf(user_id)]) ?? [], account, id: textOf(user_id) };
}

async function findOwner(file: InputFile): Promise<Loose> {
  if (!(await lookAt(file)).outline.has('personal_information.user_id')) return {};
  for await (const element of readJsonElements(file, ['personal_information']))
    return element.kind === 'element' ? objectOf(element.value) : {};
  return {};
}

async function* readContacts(file: InputFile, options: ImportOptions): AsyncGenerator<Yielded> {
  for await (const element of readJsonElements(file, ['contacts.list.*'])) {
    // What is broken is told when the messages are read.
    if (element.kind === 'problem') continue;
    const contact = objectOf(element.value);
    const phone = textOf(contact.phone_number);
    const user = integerText(contact.user_id);
    const data = {
      id: user ?? phone,
      name: someOf([textOf(contact.first_name), textOf(contact.last_name)])?.join(' '),
      phone,
      user_id: user,
      added_at: readEpoch(contact.date_unixtime, 's') ?? timeOf(contact.date, options),
    };
    yield { kind: 'record', stream: 'contacts', data, file };
  }
}

/** Contacts that are not on Telegram have the number 0. */
const integerText = (value: unknown) => (textOf(value) === '0' ? undefined : textOf(value));

interface Chat {
  readonly facts: Loose;
  readonly tally: ChatTally;
}

async function* readChats(
  file: InputFile,
  options: ImportOptions,
  self: string | undefined,
  besidePages: BesidePages | undefined,
): AsyncGenerator<Yielded> {
  const chats = await findChats(file);
  const paths = ['messages.*', 'chats.list.*.messages.*', 'left_chats.list.*.messages.*'];
  for await (const element of readJsonElements(file, paths)) {
    if (element.kind === 'problem') {
      yield { ...element, file };
      continue;
    }
    const chat = getChat(chats, element.path.slice(0, -2).join('.'));
    const { id, name } = nameChat(chat.facts);
    const data = {
      ...readTelegramMessage(objectOf(element.value), id, self, options),
      chat_id: id,
      chat: name,
    };
    chat.tally.count(data);
    if (besidePages !== undefined)
      noteChat(besidePages, name, {
        id,
        tally: chat.tally,
        message: integerOf(objectOf(element.value).id),
      });
    const place = `message ${chat.tally.size} of its chat`;
    yield { kind: 'record', stream: 'messages', data, place, file };
  }
  for (const { facts, tally } of chats.values()) {
    if (tally.size === 0 && facts.id === undefined && facts.name === undefined) continue;
    const makeRecord = (): Yielded => {
      const data = { ...nameChat(facts), type: textOf(facts.type), ...tally.describe() };
      return { kind: 'record', stream: 'chats', data, file };
    };
    if (besidePages === undefined) yield makeRecord();
    else besidePages.records.push(makeRecord);
  }
}

/** What the pages of the same chats need to know, and chats whose records wait until the pages are counted too. */
interface BesidePages {
  readonly chats: Map<string, JsonChat | 'several'>;
  readonly records: (() => Yielded)[];
}

/** Remembers which messages of a chat were read. Of several chats with one name, pages cannot tell which is theirs. */
function noteChat(
  { chats }: BesidePages,
  name: string,
  { id, tally, message }: { id: string; tally: ChatTally; message: number | undefined },
): void {
  const key = name.toLowerCase();
  const known = chats.get(key);
  if (known === 'several' || message === undefined) return;
  const isOther = known !== undefined && known.id !== id;
  const { first, last } = known ?? { first: message, last: message };
  chats.set(
    key,
    isOther ? 'several' : { id, tally, first: Math.min(first, message), last: Math.max(last, message) },
  );
}

/** Names come before or after the messages; they are read first, by a pass of their own. */
async function findChats(file: InputFile): Promise<Map<string, Chat>> {
  const chats = new Map<string, Chat>();
  const facts = ['id', 'name', 'type'];
  const paths = ['', 'chats.list.*.', 'left_chats.list.*.'].flatMap((below) =>
    facts.map((fact) => below + fact),
  );
  for await (const element of readJsonElements(file, paths)) {
    if (element.kind === 'problem') continue;
    const chat = getChat(chats, element.path.slice(0, -1).join('.'));
    chat.facts[String(element.path.at(-1))] = element.value;
  }
  return chats;
}

function getChat(chats: Map<string, Chat>, place: string): Chat {
  const known = chats.get(place) ?? { facts: {}, tally: new ChatTally() };
  chats.set(place, known);
  return known;
}

/** The chat with oneself has no name in it. */
function nameChat(facts: Loose): { id: string; name: string } {
  const name = textOf(facts.name) ?? (facts.type === 'saved_messages' ? 'Saved messages' : 'Deleted account');
  return { id: textOf(facts.id) ?? textOf(facts.name) ?? 'chat', name };
}
