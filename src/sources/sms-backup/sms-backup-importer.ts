import type { AttachedFile } from '../../attachments/attached-file.ts';
import type { Importer, ImportItem, InputFile } from '../../import/importer.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { readXmlEvents } from '../../import/read/read-xml.ts';
import { chatTotals, declareChats } from '../chat/chat-declaration.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { declareStream, oneOf } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { openBase64, replaceBase64 } from '../files/base64-parts.ts';
import { makeRecord, withFiles } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, recogniseTogether } from '../files/recognise-files.ts';
import { integerOf, type JsonObject, someOf, textOf } from '../values/json.ts';
import { findPartData } from './find-part-data.ts';

const streams = declareChats('sms', 'SMS', {
  chats: { phone: 'text, sensitive: Numbers of the others' },
  messages: {
    phone: 'text, sensitive: Number of the other person',
    subject: 'text',
    type: oneOf(['sms', 'mms']),
    status: oneOf(['received', 'sent', 'draft', 'outbox', 'failed', 'queued', 'other']),
    is_read: 'flag',
  },
  streams: [
    declareStream('calls', 'Calls', {
      description: 'Telephone calls, with whom and how long.',
      detail: 'Whom you called or who called you, when and how long.',
      semantics: 'append_only',
      time: 'called_at',
      fields: {
        id: 'text',
        name: 'text, search',
        phone: 'text, sensitive',
        direction: oneOf(['incoming', 'outgoing', 'missed', 'voicemail', 'rejected', 'blocked', 'other']),
        duration_seconds: 'integer',
        called_at: 'time',
      },
    }),
  ],
});

const smsBackupDeclaration = declareAttachments(streams, 'messages');

type Attributes = Readonly<Record<string, string>>;

interface Mms {
  readonly attributes: Attributes;
  readonly parts: Attributes[];
  readonly senders: string[];
}

const SMS = ['other', 'received', 'sent', 'draft', 'outbox', 'failed', 'queued'];
const CALLS = ['other', 'incoming', 'outgoing', 'missed', 'voicemail', 'rejected', 'blocked'];

const detectKind = ({ text }: FileProbe): string | undefined =>
  /^\s*(?:<\?xml[^>]*>|<!--[\s\S]{0,4000}?-->|<!DOCTYPE[^>]*>|<\?[^>]*>|\s)*<(smses|calls)[\s>]/.exec(
    text,
  )?.[1];

const isOfMessages = ({ kind }: { kind: string }) => kind === 'smses';

export const smsBackupImporter: Importer = {
  format: 'sms-backup',
  title: 'SMS Backup & Restore',
  guide: {
    steps: [
      'Open SMS Backup & Restore on the phone',
      'Back up now, to a folder or drive that you can open on this computer',
      'Copy the files sms-….xml and calls-….xml',
    ],
    waiting: 'Minutes.',
    choose: 'Include media if you want the text of attached files; pictures are listed by name.',
  },
  identity: {
    messages: ['chat_id', 'from_me', 'sent_at', 'text'],
    calls: ['phone', 'direction', 'called_at', 'duration_seconds'],
  },
  totals: chatTotals,
  recognise: async (files) => recogniseTogether(await findExportFiles(files, detectKind)),
  declare: () => Promise.resolve(smsBackupDeclaration),
  async *read({ files }) {
    const chats = new Map<string, { data: JsonObject; tally: ChatTally; file: InputFile }>();
    const names = new PhoneNames();
    const own = await findExportFiles(files, detectKind);
    // Messages have names, calls may have only numbers.
    for (const { file } of [...own.filter(isOfMessages), ...own.filter((one) => !isOfMessages(one))]) {
      for await (const one of readBackup(file, names)) {
        if (one.kind === 'record' && one.stream === 'messages') {
          const { chat_id, chat, phone } = one.data;
          const known = chats.get(String(chat_id)) ?? {
            data: { id: chat_id, name: chat, phone },
            tally: new ChatTally(),
            file,
          };
          chats.set(String(chat_id), known);
          known.tally.count(one.data);
        }
        yield one;
      }
    }
    for (const { data, tally, file } of chats.values())
      yield makeRecord(file, 'chats', { ...data, ...tally.describe() });
  },
};

async function* readBackup(file: InputFile, names: PhoneNames): AsyncGenerator<ImportItem> {
  let mms: Mms | undefined;
  let number = 0;
  for await (const event of readXmlEvents(replaceBase64(file, findPartData))) {
    if (event.kind === 'problem') yield { ...event, file };
    if (event.kind === 'open') {
      const { name, attributes } = event;
      if (name === 'sms' || name === 'mms' || name === 'call') number += 1;
      const place = `item ${number}`;
      if (name === 'sms') yield makeRecord(file, 'messages', readSms(attributes, names), place);
      else if (name === 'call') yield makeRecord(file, 'calls', readCall(attributes, names), place);
      else if (name === 'mms') mms = { attributes, parts: [], senders: [] };
      else if (name === 'part') mms?.parts.push(attributes);
      // 137 is the sender; in a group that differs from the chat's number.
      else if (name === 'addr' && attributes.type === '137' && attributes.address !== undefined)
        mms?.senders.push(attributes.address);
    }
    if (event.kind === 'close' && event.name === 'mms' && mms !== undefined) {
      const record = makeRecord(file, 'messages', readMms(mms, names), `item ${number}`);
      yield withFiles(record, listFiles(mms, file));
      mms = undefined;
    }
  }
}

/** A missing value is written as `null`. */
function findValue(attributes: Attributes, name: string): string | undefined {
  const value = textOf(attributes[name]);
  return value === 'null' ? undefined : value;
}

function describeChat(attributes: Attributes, names: PhoneNames) {
  const phone = findValue(attributes, 'address');
  if (phone === undefined) return { chat_id: 'unknown', chat: 'Unknown', phone };
  const named = findValue(attributes, 'contact_name');
  const name = named === undefined || /^\(unknown\)$/i.test(named) ? undefined : named;
  const phones = phone.split('~');
  if (name !== undefined) names.learn(phones, name);
  const knownNames = phones.map((one) => names.find(one) ?? one).join(', ');
  return { chat_id: phones.map(plainNumber).sort().join('~'), chat: name ?? knownNames, phone };
}

function readSms(attributes: Attributes, names: PhoneNames): JsonObject {
  const chat = describeChat(attributes, names);
  const status = SMS[Number(findValue(attributes, 'type') ?? 0)] ?? 'other';
  const isMine = status !== 'received' && status !== 'other';
  return {
    ...chat,
    sender: isMine ? 'Me' : chat.chat,
    from_me: isMine,
    sent_at: readEpoch(findValue(attributes, 'date'), 'ms'),
    text: findValue(attributes, 'body'),
    subject: findValue(attributes, 'subject'),
    type: 'sms',
    status,
    is_read: findValue(attributes, 'read') === undefined ? undefined : attributes.read === '1',
  };
}

function readMms({ attributes, parts, senders }: Mms, names: PhoneNames): JsonObject {
  const chat = describeChat(attributes, names);
  const status = SMS[Number(findValue(attributes, 'msg_box') ?? 0)] ?? 'other';
  const isMine = status !== 'received' && status !== 'other';
  const [sender] = senders;
  const isGroup = chat.phone?.includes('~') === true;
  return {
    ...chat,
    sender: isMine ? 'Me' : isGroup ? (names.find(sender ?? '') ?? sender ?? chat.chat) : chat.chat,
    from_me: isMine,
    sent_at: readEpoch(findValue(attributes, 'date'), 'ms'),
    text: someOf(parts.filter(({ ct }) => ct === 'text/plain').map((part) => findValue(part, 'text')))?.join(
      '\n',
    ),
    subject: findValue(attributes, 'sub'),
    attachments: someOf(parts.filter(isFile).map((part) => nameFile(part) ?? findValue(part, 'ct'))),
    type: 'mms',
    status,
    is_read: findValue(attributes, 'read') === undefined ? undefined : attributes.read === '1',
  };
}

/** Other parts are the text of the message and its layout. */
const isFile = ({ ct }: Attributes) => ct !== 'text/plain' && ct !== 'application/smil';

const nameFile = (part: Attributes) =>
  findValue(part, 'cl') ?? findValue(part, 'name') ?? findValue(part, 'fn');

/** A backup without media has parts without data. */
const listFiles = ({ parts }: Mms, file: InputFile): AttachedFile[] =>
  parts
    .filter((part) => isFile(part) && findValue(part, 'data') !== undefined)
    .map((part) => ({
      name: nameFile(part),
      mediaType: findValue(part, 'ct'),
      ...openBase64(file, findValue(part, 'data')),
    }));

function readCall(attributes: Attributes, names: PhoneNames): JsonObject {
  const { chat, phone } = describeChat(
    { address: attributes.number ?? '', contact_name: attributes.contact_name ?? '' },
    names,
  );
  return {
    name: chat,
    phone,
    direction: CALLS[Number(findValue(attributes, 'type') ?? 0)] ?? 'other',
    duration_seconds: integerOf(findValue(attributes, 'duration')),
    called_at: readEpoch(findValue(attributes, 'date'), 'ms'),
  };
}

const MAX_NAMES = 50_000;

/** Removes spaces and punctuation. */
const plainNumber = (phone: string) => phone.replace(/[\s()-]/g, '');

class PhoneNames {
  readonly #names = new Map<string, string>();

  /** The name of a group lists its members in the order of their numbers. */
  learn(phones: readonly string[], name: string): void {
    const names = phones.length === 1 ? [name] : name.split(', ');
    if (names.length !== phones.length) return;
    for (const [index, phone] of phones.entries()) {
      const member = names[index]?.trim() ?? '';
      if (member !== '' && !/^\(unknown\)$/i.test(member) && this.#names.size < MAX_NAMES)
        this.#names.set(plainNumber(phone), member);
    }
  }

  find(phone: string): string | undefined {
    return this.#names.get(plainNumber(phone));
  }
}
