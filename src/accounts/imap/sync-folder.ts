import { MAX_MESSAGE_BYTES } from '../../sources/mail/split-mbox.ts';
import type { SyncItem, SyncRun } from '../sync-source.ts';
import { fetchMails, type ListedMail, splitBatches } from './fetch-mails.ts';
import { isGmail } from './imap-folders.ts';
import type { ImapSession } from './imap-session.ts';
import { type FolderState, nameItem, readUid } from './imap-state.ts';
import {
  findPosition,
  listFlags,
  listMails,
  MAX_COMMAND_POSITIONS,
  type Selected,
  selectFolder,
} from './list-mails.ts';
import { versionOf } from './mail-flags.ts';
import type { FlagChange, MailWriter, OpenFolder } from './mail-writer.ts';

/**
 * Without mod-sequences, the flags of this many newest mails are compared in every run, and those of all mails at
 * longer intervals.
 */
const MAX_COMPARED = 10_000;
const COMPARE_ALL_MS = 6 * 3_600_000;
/** The number of mails listed by one command. They are fetched in smaller batches. */
const LISTED_MAILS = 2_000;
const MAX_FLAG_CHANGES = 200;

/** Syncs one folder. `folder.state` is changed as items are yielded, and is valid at every checkpoint. */
export class FolderSync {
  readonly #run: SyncRun;
  readonly #session: ImapSession;
  readonly #writer: MailWriter;
  readonly #folder: OpenFolder;
  readonly #state: FolderState;
  readonly #checkpoint: () => SyncItem;
  /** Items that the server no longer has. They are removed when all folders are read, because mails move between them. */
  readonly gone: string[] = [];
  #isSelected = false;
  #selected: Selected | undefined;

  constructor(parts: {
    readonly run: SyncRun;
    readonly session: ImapSession;
    readonly writer: MailWriter;
    readonly folder: OpenFolder;
    readonly state: FolderState;
    readonly checkpoint: () => SyncItem;
  }) {
    this.#run = parts.run;
    this.#session = parts.session;
    this.#writer = parts.writer;
    this.#folder = parts.folder;
    this.#state = parts.state;
    this.#checkpoint = parts.checkpoint;
  }

  get folder(): OpenFolder {
    return this.#folder;
  }

  get state(): FolderState {
    return this.#state;
  }

  /** Yields new mails, changed flags and deletions since the last run. */
  async *readChanges(): AsyncGenerator<SyncItem> {
    const selected = await this.#select();
    if (selected.uidNext > this.#state.next) yield* this.#readNew(selected);
    const { modseq, low } = this.#state;
    const hasModseq = selected.modseq !== undefined && modseq !== undefined;
    // A server that was restored from a backup counts changes again that it has counted before.
    const wentBack = hasModseq && BigInt(selected.modseq) < BigInt(modseq);
    if (hasModseq && !wentBack && selected.modseq !== modseq) yield* this.#followFlags(modseq);
    const isComplete = low === 1;
    const isAll = wentBack || (isComplete && this.#state.count !== selected.exists);
    if (!hasModseq || isAll) yield* this.#compare(selected, isAll);
    if (selected.modseq === undefined) delete this.#state.modseq;
    else this.#state.modseq = selected.modseq;
  }

  /** Yields the mails below `low`, the newest ones first. */
  async *readOlder(): AsyncGenerator<SyncItem> {
    await this.#select();
    for (let position = await findPosition(this.#session, this.#state.low); position > 1; ) {
      const { expunges } = this.#session;
      const from = Math.max(1, position - LISTED_MAILS);
      const listed = await listMails(this.#session, from, position - 1);
      const older = listed.filter(({ uid }) => uid < this.#state.low).reverse();
      for (const batch of splitBatches(older)) {
        yield* this.#readBatch(batch);
        this.#state.low = (batch.at(-1) as ListedMail).uid;
        yield this.#checkpoint();
      }
      position =
        this.#session.expunges === expunges ? from : await findPosition(this.#session, this.#state.low);
      if (older.length === 0 && this.#session.expunges === expunges) position = from;
    }
    this.#state.low = 1;
    yield this.#checkpoint();
  }

  async #select(): Promise<Selected> {
    const { mailbox } = this.#session.client;
    this.#isSelected &&= mailbox !== false && mailbox.path === this.#folder.path;
    if (!this.#isSelected || this.#selected === undefined)
      this.#selected = await selectFolder(this.#session, this.#folder.path);
    this.#isSelected = true;
    return this.#selected;
  }

  async *#readNew({ uidNext }: Selected): AsyncGenerator<SyncItem> {
    for (;;) {
      const position = await findPosition(this.#session, this.#state.next);
      const listed = await listMails(this.#session, position, position + LISTED_MAILS - 1);
      const fresh = listed.filter(({ uid }) => uid >= this.#state.next);
      for (const batch of splitBatches(fresh)) {
        yield* this.#readBatch(batch);
        this.#state.next = (batch.at(-1) as ListedMail).uid + 1;
        yield this.#checkpoint();
      }
      if (fresh.length < LISTED_MAILS) break;
    }
    this.#state.next = Math.max(this.#state.next, uidNext);
  }

  async *#readBatch(batch: readonly ListedMail[]): AsyncGenerator<SyncItem> {
    yield* this.#writer.write(this.#folder, await fetchMails(this.#session, batch, this.#run.timeZone));
    this.#state.count += batch.length;
  }

  async *#followFlags(changedSince: string): AsyncGenerator<SyncItem> {
    for (const [from, to] of this.#windows()) {
      const changed = await listFlags(this.#session, from, to, {
        withLabels: this.#withLabels,
        changedSince,
      });
      yield* this.#updateFlags(changed.filter(({ uid }) => uid >= this.#state.low && uid < this.#state.next));
    }
  }

  /** Compares the items with the server: their flags, and with `all` whether they exist. */
  async *#compare({ exists }: Selected, all: boolean): AsyncGenerator<SyncItem> {
    const { comparedAt = 0, low, next } = this.#state;
    const now = this.#run.now().getTime();
    const isAll = all || exists <= MAX_COMPARED || now - comparedAt >= COMPARE_ALL_MS;
    const known = new KnownItems(this.#run.items.list(this.#folder.collection));
    const missing: ListedMail[] = [];
    for (const [from, to] of this.#windows(isAll ? 1 : exists - MAX_COMPARED)) {
      const listed = await listFlags(this.#session, from, to, { withLabels: this.#withLabels });
      const changed: FlagChange[] = [];
      for (const { uid, flags } of listed.filter((mail) => mail.uid >= low && mail.uid < next)) {
        const { skipped, version } = await known.skipTo(uid);
        if (isAll) this.gone.push(...skipped);
        if (version === undefined) missing.push({ uid, bytes: MAX_MESSAGE_BYTES });
        else if (version !== versionOf(flags)) changed.push({ uid, flags });
      }
      yield* this.#updateFlags(changed);
    }
    if (isAll) {
      this.gone.push(...(await known.rest()));
      // A run that failed may have removed items without counting them.
      this.#state.count = known.count;
      this.#state.comparedAt = now;
    }
    for (const batch of splitBatches(missing)) {
      yield* this.#readBatch(batch);
      yield this.#checkpoint();
    }
  }

  async *#updateFlags(changes: readonly FlagChange[]): AsyncGenerator<SyncItem> {
    for (let at = 0; at < changes.length; at += MAX_FLAG_CHANGES) {
      yield* this.#writer.updateFlags(this.#folder, changes.slice(at, at + MAX_FLAG_CHANGES));
      yield this.#checkpoint();
    }
  }

  get #withLabels(): boolean {
    return isGmail(this.#session);
  }

  *#windows(start = 1): Generator<[from: number, to: number]> {
    const { mailbox } = this.#session.client;
    const exists = mailbox === false ? 0 : mailbox.exists;
    for (let from = Math.max(1, start); from <= exists; from += MAX_COMMAND_POSITIONS)
      yield [from, from + MAX_COMMAND_POSITIONS - 1];
  }
}

/** The items of a folder in the order of their UIDs, next to those of the server. */
class KnownItems {
  readonly #iterator: AsyncIterator<{ readonly item: string; readonly version: string | null }>;
  #next: { readonly item: string; readonly version: string | null } | undefined;
  #hasBegun = false;
  #count = 0;

  constructor(items: AsyncIterable<{ readonly item: string; readonly version: string | null }>) {
    this.#iterator = items[Symbol.asyncIterator]();
  }

  /** The number of items that were read or skipped. */
  get count(): number {
    return this.#count;
  }

  /** Skips the items before this UID. `version` is undefined if there is no item with the UID. */
  async skipTo(uid: number): Promise<{ skipped: string[]; version: string | null | undefined }> {
    const skipped: string[] = [];
    if (!this.#hasBegun) await this.#advance();
    while (this.#next !== undefined && readUid(this.#next.item) < uid) {
      skipped.push(this.#next.item);
      await this.#advance();
    }
    const { item, version } = this.#next ?? {};
    if (item !== nameItem(uid)) return { skipped, version: undefined };
    await this.#advance();
    return { skipped, version };
  }

  async rest(): Promise<string[]> {
    return (await this.skipTo(Number.POSITIVE_INFINITY)).skipped;
  }

  async #advance(): Promise<void> {
    if (this.#next !== undefined) this.#count += 1;
    this.#hasBegun = true;
    const { done, value } = await this.#iterator.next();
    this.#next = done === true ? undefined : value;
  }
}
