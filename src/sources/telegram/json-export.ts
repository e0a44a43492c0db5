import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { makeRecord, readEach } from '../files/yielded.ts';
import { firstText, integerOf, type JsonObject, objectOf, someOf, textOf, timeOf } from '../values/json.ts';
import type { JsonChat } from './html-export.ts';
import { readTelegramMessage } from './telegram-message.ts';

export async function* readContacts(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
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
    yield makeRecord(file, 'contacts', data);
  }
}

/** Contacts that are not on Telegram have the number 0. */
const integerText = (value: unknown) => (textOf(value) === '0' ? undefined : textOf(value));

interface Chat {
  readonly facts: JsonObject;
  readonly tally: ChatTally;
}

export async function* readChats(
  file: InputFile,
  options: ImportOptions,
  self: string | undefined,
  besidePages: BesidePages | undefined,
): AsyncGenerator<ImportItem> {
  const chats = await findChats(file);
  const paths = ['messages.*', 'chats.list.*.messages.*', 'left_chats.list.*.messages.*'];
  yield* readEach(file, readJsonElements(file, paths), function* (element) {
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
    yield makeRecord(file, 'messages', data, place);
  });
  for (const { facts, tally } of chats.values()) {
    if (tally.size === 0 && facts.id === undefined && facts.name === undefined) continue;
    const makeChat = (): ImportItem => {
      const data = { ...nameChat(facts), type: textOf(facts.type), ...tally.describe() };
      return makeRecord(file, 'chats', data);
    };
    if (besidePages === undefined) yield makeChat();
    else besidePages.records.push(makeChat);
  }
}

/** What the pages of the same chats need to know, and chats whose records wait until the pages are counted too. */
export interface BesidePages {
  readonly chats: Map<string, JsonChat | 'several'>;
  readonly records: (() => ImportItem)[];
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
function nameChat(facts: JsonObject): { id: string; name: string } {
  const name = textOf(facts.name) ?? (facts.type === 'saved_messages' ? 'Saved messages' : 'Deleted account');
  return { id: firstText(facts.id, facts.name) ?? 'chat', name };
}
