import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { makeRecord, readEach, withPaths } from '../files/import-items.ts';
import {
  firstText,
  integerOf,
  type JsonObject,
  listOf,
  objectOf,
  someOf,
  textOf,
  timeOf,
} from '../values/json.ts';
import type { JsonChat } from './html-export.ts';

export async function* readContacts(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  for await (const element of readJsonElements(file, ['contacts.list.*'])) {
    // Problems are reported when the messages are read.
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

/** Contacts without Telegram have the id 0. */
const integerText = (value: unknown) => (textOf(value) === '0' ? undefined : textOf(value));

interface Chat {
  readonly facts: JsonObject;
  readonly tally: ChatTally;
}

export async function* readChats(
  file: InputFile,
  options: ImportOptions,
  self: string | undefined,
  chatIndex: ChatIndex | undefined,
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
    if (chatIndex !== undefined)
      noteChat(chatIndex, name, {
        id,
        tally: chat.tally,
        message: integerOf(objectOf(element.value).id),
      });
    const place = `message ${chat.tally.size} of its chat`;
    const { file: path, photo } = objectOf(element.value);
    yield withPaths(makeRecord(file, 'messages', data, place), [textOf(path), textOf(photo)]);
  });
  for (const { facts, tally } of chats.values()) {
    if (tally.size === 0 && facts.id === undefined && facts.name === undefined) continue;
    const makeChat = (): ImportItem => {
      const data = { ...nameChat(facts), type: textOf(facts.type), ...tally.describe() };
      return makeRecord(file, 'chats', data);
    };
    if (chatIndex === undefined) yield makeChat();
    else chatIndex.records.push(makeChat);
  }
}

/** Chats by name, for the HTML pages of the same chats. `records` are yielded after the pages, which add to their counts. */
export interface ChatIndex {
  readonly chats: Map<string, JsonChat | 'several'>;
  readonly records: (() => ImportItem)[];
}

/** Records which messages of a chat were read. If several chats share a name, pages cannot be matched. */
function noteChat(
  { chats }: ChatIndex,
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

/** Names may follow the messages, so a first pass reads them. */
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

/** The chat with oneself has no name. */
function nameChat(facts: JsonObject): { id: string; name: string } {
  const name = textOf(facts.name) ?? (facts.type === 'saved_messages' ? 'Saved messages' : 'Deleted account');
  return { id: firstText(facts.id, facts.name) ?? 'chat', name };
}

/** Reads a message or a service message (a call, a new member). Ids count from 1 in every chat. */
function readTelegramMessage(
  message: JsonObject,
  chat: string,
  self: string | undefined,
  options: ImportOptions,
): JsonObject {
  const [id, replyTo] = [textOf(message.id), textOf(message.reply_to_message_id)];
  const sender = firstText(message.from_id, message.actor_id);
  const isService = message.type === 'service';
  return {
    id: id === undefined ? undefined : `${chat}/${id}`,
    sender: firstText(message.from, message.actor),
    sender_id: sender,
    from_me: self === undefined || sender === undefined ? undefined : sender.replace(/^user/, '') === self,
    sent_at: readEpoch(message.date_unixtime, 's') ?? timeOf(message.date, options),
    text: isService ? describeService(message) : (readWords(message) ?? describeContent(message)),
    kind: isService ? 'service' : 'message',
    attachments: nameAttachments(message),
    reply_to_id: replyTo === undefined ? undefined : `${chat}/${replyTo}`,
    forwarded_from: textOf(message.forwarded_from),
    edited_at: readEdited(message, options),
    media_type:
      textOf(message.media_type) ??
      (textOf(message.photo) === undefined ? undefined : 'photo') ??
      (message.type === 'unsupported' ? 'unsupported' : undefined),
    duration_seconds: integerOf(message.duration_seconds),
    reactions: someOf(listOf(message.reactions).map((one) => textOf(objectOf(one).emoji))),
  };
}

/** A text is a string, or a list of strings and entities. */
function readWords(message: JsonObject): string | undefined {
  const join = (pieces: unknown) =>
    listOf(pieces)
      .map((piece) => (typeof piece === 'string' ? piece : readPiece(objectOf(piece))))
      .join('');
  return firstText(message.text, join(message.text), join(message.text_entities));
}

/** A link with another text. */
function readPiece({ text, href }: JsonObject): string {
  const [words, address] = [typeof text === 'string' ? text : '', textOf(href)];
  return address === undefined || address === words ? words : `${words} (${address})`;
}

/** Old exports write 1970 for messages that were never edited. */
function readEdited({ edited, edited_unixtime }: JsonObject, options: ImportOptions): string | undefined {
  const time = readEpoch(edited_unixtime, 's') ?? timeOf(edited, options);
  return time === undefined || time < '1971' ? undefined : time;
}

/** Returns the content of messages without words: polls, lists, contacts and places. */
function describeContent(message: JsonObject): string | undefined {
  const todo = objectOf(message.todo_list);
  const { first_name, last_name, phone_number } = objectOf(message.contact_information);
  const { latitude, longitude } = objectOf(message.location_information);
  const items = listOf(todo.items).map((item) => readWords(objectOf(item)));
  return (
    describePoll(objectOf(message.poll)) ??
    someOf([firstText(todo.title, readWords({ text: todo.title })), ...items])?.join('\n') ??
    someOf([first_name, last_name, phone_number].map(textOf))?.join(' ') ??
    someOf([
      textOf(message.place_name),
      textOf(message.address),
      someOf([latitude, longitude].map(textOf))?.join(', '),
    ])?.join('\n')
  );
}

function describePoll({ question, answers }: JsonObject): string | undefined {
  const asked = firstText(question, objectOf(question).text);
  const offered = listOf(answers).map((answer) => textOf(objectOf(answer).text));
  return asked === undefined ? undefined : someOf([asked, ...offered])?.join('\n');
}

function describeService(message: JsonObject): string | undefined {
  const members = someOf(listOf(message.members).map(textOf))?.join(', ');
  const parts = [message.action, message.title, members, message.discard_reason, readWords(message)];
  return someOf(parts.map(textOf))?.join(' ').replaceAll('_', ' ');
}

/** Files that were not exported have a sentence in place of a path. */
function nameAttachments(message: JsonObject): string[] | undefined {
  const { latitude, longitude } = objectOf(message.location_information);
  const file = firstText(message.file_name, message.file, message.photo);
  return someOf([
    file?.startsWith('(') ? (textOf(message.media_type) ?? 'file') : file?.split('/').at(-1),
    textOf(message.sticker_emoji),
    latitude === undefined || longitude === undefined ? undefined : 'location',
    message.contact_information === undefined ? undefined : 'contact',
  ]);
}
