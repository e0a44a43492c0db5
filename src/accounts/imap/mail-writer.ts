import { ATTACHMENTS } from '../../attachments/attached-file.ts';
import { SYNC_TEXT_MS, TextBudget } from '../../attachments/text-budget.ts';
import { makeMessage } from '../../sources/mail/make-message.ts';
import { MAX_MESSAGE_BYTES } from '../../sources/mail/split-mbox.ts';
import type { SyncItem, SyncKey, SyncRecord, SyncRun } from '../sync-source.ts';
import type { FetchedMail } from './fetch-mails.ts';
import type { MailFolder } from './imap-folders.ts';
import { nameItem } from './imap-state.ts';
import { readAttachments } from './mail-attachments.ts';
import { type MailFlags, versionOf } from './mail-flags.ts';
import { type Data, isSameMail, makeRecords } from './mail-records.ts';
import { type Member, ReplyThreads } from './reply-threads.ts';

type Put = Extract<SyncItem, { kind: 'put' }>;

/** A folder, and the collection that its items belong to. */
export interface OpenFolder extends Pick<MailFolder, 'path' | 'name' | 'isSent'> {
  readonly collection: string;
}

/** New flags of a stored mail. */
export interface FlagChange {
  readonly uid: number;
  readonly flags: MailFlags;
}

/** The maximum number of sender addresses that count as the owner. A person has fewer; a shared folder can have more. */
const MAX_OWN_ADDRESSES = 10;
/** Copies remembered in one run. Beyond this, a mail that leaves its first folder keeps the name of that folder. */
const MAX_COPIES = 20_000;
/** Text of attachments that is in memory before it is stored. */
const MAX_TEXT_CHARACTERS = 16_000_000;

/** Turns fetched mails into items with their records, as an import of the same mailbox would. */
export class MailWriter {
  readonly #run: SyncRun;
  readonly #threads: ReplyThreads;
  readonly #folderNames: ReadonlySet<string>;
  readonly #own: string[];
  /** Mails of the current batch, by key and by item. */
  readonly #messages = new Map<string, Data>();
  readonly #puts = new Map<string, Put>();
  /** By key: a second copy of a mail whose record names the folder of the first copy. */
  readonly #copies = new Map<
    string,
    { put: Pick<Put, 'collection' | 'item' | 'version' | 'kept'>; folder: string }
  >();
  readonly #budget = new TextBudget(SYNC_TEXT_MS);
  readonly #notes = new Set<string>();
  /** Text of the attachments in `#puts`. */
  #textCharacters = 0;

  constructor(run: SyncRun, folderNames: ReadonlySet<string>, own: string[]) {
    this.#run = run;
    this.#threads = new ReplyThreads(run.items);
    this.#folderNames = folderNames;
    this.#own = own;
  }

  /** Reports an address of the owner, once. */
  *addSelf(address: string): Generator<SyncItem> {
    const value = address.toLowerCase();
    if (this.#own.includes(value) || this.#own.length >= MAX_OWN_ADDRESSES) return;
    this.#own.push(value);
    yield { kind: 'self', value };
  }

  /** Yields the items of a batch of new mails. */
  async *write(folder: OpenFolder, mails: readonly FetchedMail[]): AsyncGenerator<SyncItem> {
    this.#messages.clear();
    this.#puts.clear();
    const contents = mails.flatMap(({ content }) => (content === undefined ? [] : [content]));
    const keys = contents.flatMap(({ id, hash }) => [id, `${id}#${hash}`]);
    const stored = await this.#run.readStored('messages', [...new Set(keys)]);
    await this.#threads.load(
      contents.flatMap(({ id, facts }) =>
        facts.inReplyTo === undefined || facts.references.length > 0
          ? []
          : [facts.messageId ?? id, facts.inReplyTo],
      ),
    );
    for (const mail of mails) {
      if (mail.content === undefined) yield* this.#skip(folder, mail);
      else {
        if (folder.isSent || mail.content.facts.isSent)
          yield* this.addSelf(mail.content.facts.fromAddress ?? '');
        yield* this.#reportCut(folder, mail);
        await this.#add(folder, mail, mail.content, stored);
      }
      if (this.#textCharacters >= MAX_TEXT_CHARACTERS) yield* this.#flush();
    }
    yield* this.#flush();
    yield* this.#threads.flush();
  }

  /** Yields the items of mails whose flags have changed. */
  async *updateFlags({ collection }: OpenFolder, changes: readonly FlagChange[]): AsyncGenerator<SyncItem> {
    const items = new Map(changes.map((change) => [nameItem(change.uid), change]));
    const found = await this.#run.items.find(collection, [...items.keys()]);
    const changed = [...found].filter(
      ([item, { version }]) => version !== versionOf((items.get(item) as FlagChange).flags),
    );
    const keyOf = (records: readonly { stream: string; key: string }[]) =>
      records.find(({ stream }) => stream === 'messages')?.key;
    const keys = changed.flatMap(([, { records }]) => keyOf(records) ?? []);
    const stored = await this.#run.readStored('messages', [...new Set(keys)]);
    for (const [item, { records }] of changed) {
      const { flags } = items.get(item) as FlagChange;
      const message = stored.get(keyOf(records) ?? '');
      if (message === undefined) continue;
      const { isUnread, labels } = flags;
      const data = { ...message, is_unread: isUnread, labels: labels.length > 0 ? labels : undefined };
      const kept = findAttachments(records);
      yield { kind: 'put', collection, item, version: versionOf(flags), records: makeRecords(data), kept };
    }
  }

  /** Yields the removal of mails. If another folder has a copy, the record of the mail now names that folder. */
  async *remove(folder: OpenFolder, items: readonly string[]): AsyncGenerator<SyncItem> {
    const found = await this.#run.items.find(folder.collection, items);
    const keys = [...found.values()].flatMap(({ records }) => records.map(({ key }) => key));
    const copies = [...new Set(keys)].filter((key) => this.#copies.has(key));
    const stored = await this.#run.readStored('messages', copies);
    for (const key of copies) {
      const { put, folder: name } = this.#copies.get(key) as { put: Put; folder: string };
      const message = stored.get(key);
      if (message?.folder !== folder.name) continue;
      yield { ...put, kind: 'put', records: makeRecords({ ...message, folder: name }) };
    }
    for (const item of items) yield { kind: 'remove', collection: folder.collection, item };
  }

  /** Yields what the owner should know at the end of a run. */
  *reportNotes(): Generator<SyncItem> {
    const unread = this.#budget.describeUnread();
    if (unread !== undefined) this.#notes.add(unread);
    for (const note of this.#notes) yield { kind: 'note', note };
  }

  *#flush(): Generator<SyncItem> {
    yield* this.#puts.values();
    this.#puts.clear();
    this.#textCharacters = 0;
  }

  *#skip(folder: OpenFolder, { uid, bytes, flags, receivedAt }: FetchedMail): Generator<SyncItem> {
    // The item is stored without a record, so that later runs do not fetch the mail again.
    const item = { collection: folder.collection, item: nameItem(uid), version: versionOf(flags) };
    yield { kind: 'put', ...item, records: [] };
    const reason = receivedAt === undefined ? 'was not sent by the server' : 'cannot be read as mail';
    yield { kind: 'problem', place: `${folder.name}, mail ${uid} (${bytes} bytes)`, reason };
  }

  *#reportCut(folder: OpenFolder, { uid, bytes }: FetchedMail): Generator<SyncItem> {
    if (bytes <= MAX_MESSAGE_BYTES) return;
    const reason = `is larger than ${MAX_MESSAGE_BYTES / 2 ** 20} MB; only its beginning was imported`;
    yield { kind: 'problem', place: `${folder.name}, mail ${uid}`, reason };
  }

  async #add(
    folder: OpenFolder,
    { uid, flags, receivedAt }: FetchedMail,
    { facts, id, hash }: NonNullable<FetchedMail['content']>,
    stored: ReadonlyMap<string, Data>,
  ): Promise<void> {
    const find = (key: string) => this.#messages.get(key) ?? stored.get(key);
    const first = find(id);
    const key = first === undefined || isSameMail(first, facts.fields) ? id : `${id}#${hash}`;
    const known = find(key);
    const at = { collection: folder.collection, item: nameItem(uid) };
    const threadId = facts.gmailThread ?? (await this.#findThread(facts, id, at));
    const storedFolder =
      typeof known?.folder === 'string' && known.folder !== folder.name ? known.folder : undefined;
    const isCopy = storedFolder !== undefined && this.#folderNames.has(storedFolder);
    const data = makeMessage(facts, {
      id: key,
      threadId,
      sentAt: facts.sentAt ?? receivedAt,
      isOwn: folder.isSent || this.#own.includes(facts.fromAddress ?? ''),
      folder: isCopy ? storedFolder : folder.name,
      isUnread: flags.isUnread,
    });
    const version = versionOf(flags);
    const attachments = await readAttachments(data, facts.files, {
      options: { timeZone: this.#run.timeZone },
      budget: this.#budget,
      addNote: (note) => this.#notes.add(note),
      keepFile: this.#run.keepFile,
    });
    for (const {
      data: { text },
    } of attachments)
      this.#textCharacters += typeof text === 'string' ? text.length : 0;
    const records = [...makeRecords(data), ...attachments];
    if (isCopy && this.#copies.size < MAX_COPIES)
      this.#copies.set(key, {
        put: { ...at, version, kept: findAttachments(records.map(keyOf)) },
        folder: folder.name,
      });
    this.#messages.set(key, data);
    this.#puts.set(putKey(at), { kind: 'put', ...at, version, records });
  }

  async #findThread(
    { messageId = '', references, inReplyTo }: NonNullable<FetchedMail['content']>['facts'],
    id: string,
    at: Pick<Member, 'collection' | 'item'>,
  ): Promise<string> {
    if (references[0] !== undefined) return references[0];
    if (inReplyTo === undefined) return messageId || id;
    const { root, moved } = this.#threads.place(messageId || id, inReplyTo, at);
    for (const member of moved) await this.#move(member, root);
    return root;
  }

  /** Puts a stored mail into another conversation. */
  async #move({ collection, item }: Member, threadId: string): Promise<void> {
    const pending = this.#puts.get(putKey({ collection, item }));
    const found = pending ?? (await this.#run.items.find(collection, [item])).get(item);
    if (found === undefined) return;
    const message = pending === undefined ? await this.#readMessage(found.records) : pending.records[0]?.data;
    if (message === undefined) return;
    const data: Data = { ...message, thread_id: threadId };
    const version = found.version ?? undefined;
    const records = [...makeRecords(data), ...(pending?.records ?? []).filter(isAttachment)];
    const kept = pending === undefined ? findAttachments(found.records as readonly SyncKey[]) : pending.kept;
    const put: Put = { kind: 'put', collection, item, records, ...(kept === undefined ? {} : { kept }) };
    this.#puts.set(putKey(put), version === undefined ? put : { ...put, version });
    this.#messages.set(String(data.id), data);
  }

  async #readMessage(records: readonly unknown[]): Promise<Data | undefined> {
    const { key } =
      (records as { stream: string; key: string }[]).find(({ stream }) => stream === 'messages') ?? {};
    return key === undefined ? undefined : (await this.#run.readStored('messages', [key])).get(key);
  }
}

const isAttachment = ({ stream }: { readonly stream: string }) => stream === ATTACHMENTS;
const findAttachments = (records: readonly SyncKey[]) => records.filter(isAttachment);
const keyOf = ({ stream, data }: SyncRecord): SyncKey => ({ stream, key: String(data.id) });
const putKey = ({ collection, item }: Pick<Put, 'collection' | 'item'>) => `${collection}\n${item}`;
