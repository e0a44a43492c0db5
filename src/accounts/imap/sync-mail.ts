import type { SyncItem, SyncRun } from '../sync-source.ts';
import { chooseFolders, listFolders, type MailFolder } from './imap-folders.ts';
import { ImapSession, type ImapTimes } from './imap-session.ts';
import { nameAccount, readSettings } from './imap-settings.ts';
import { type FolderState, type ImapState, nameCollection, readState } from './imap-state.ts';
import { selectFolder } from './list-mails.ts';
import { MailWriter } from './mail-writer.ts';
import { REPLIES } from './reply-threads.ts';
import { FolderSync } from './sync-folder.ts';

/** Items removed between two checkpoints. */
const MAX_REMOVALS = 500;

/**
 * Syncs the folders of an account: first what is new in each of them, then older mails, then deletions. Every checkpoint
 * commits a state from which the next run continues.
 */
export async function* syncMail(run: SyncRun, times: ImapTimes): AsyncGenerator<SyncItem> {
  const session = await ImapSession.open(run, times);
  try {
    yield* new MailSync(run, session).sync();
  } catch (error) {
    if (!run.signal.aborted) throw error;
  } finally {
    session.close();
  }
}

class MailSync {
  readonly #run: SyncRun;
  readonly #session: ImapSession;
  readonly #state: ImapState;
  #folders: FolderSync[] = [];
  #total = 0;

  constructor(run: SyncRun, session: ImapSession) {
    this.#run = run;
    this.#session = session;
    this.#state = structuredClone(readState(run.state));
  }

  async *sync(): AsyncGenerator<SyncItem> {
    const listed = await listFolders(this.#session);
    const chosen = chooseFolders(listed, this.#run.collections);
    const writer = new MailWriter(this.#run, new Set(listed.map(({ name }) => name)), this.#state.own);
    const account = nameAccount(readSettings(this.#run.settings));
    if (account.includes('@')) yield* writer.addSelf(account);
    for (const folder of chosen) {
      const described = await this.#describe(folder);
      const state = this.#findState(described);
      this.#total += described.messages;
      const sync = this.#openFolder(writer, folder, state);
      this.#folders.push(sync);
      if (hasChanged(described, state)) {
        yield* sync.readChanges();
        yield this.#checkpoint();
      }
    }
    yield this.#progress();
    for (const folder of this.#folders)
      if (folder.state.low > 1)
        for await (const item of folder.readOlder()) {
          yield item;
          if (item.kind === 'checkpoint') yield this.#progress();
        }
    for (const folder of this.#folders) yield* this.#removeGone(writer, folder);
    yield* this.#resetOld(listed);
    yield* writer.reportNotes();
    yield this.#checkpoint();
    yield this.#progress();
  }

  /** Completes what a server without LIST-STATUS, or with a failing one, left out. */
  async #describe(folder: MailFolder): Promise<DescribedFolder> {
    const { uidValidity, uidNext, messages, highestModseq } = folder;
    if (uidValidity !== undefined && uidNext !== undefined && messages !== undefined)
      return { ...folder, uidValidity, uidNext, messages, modseq: highestModseq };
    const selected = await selectFolder(this.#session, folder.path);
    return { ...folder, ...selected, messages: selected.exists };
  }

  #findState({ path, uidValidity, uidNext, modseq }: DescribedFolder): FolderState {
    const stored = this.#state.folders[path];
    if (stored?.uidValidity === uidValidity) return stored;
    const state: FolderState = { uidValidity, next: uidNext, low: uidNext, count: 0 };
    if (modseq !== undefined) state.modseq = modseq;
    this.#state.folders[path] = state;
    return state;
  }

  #openFolder(writer: MailWriter, { path, name, isSent }: MailFolder, state: FolderState): FolderSync {
    const folder = { path, name, isSent, collection: nameCollection(path, state.uidValidity) };
    const checkpoint = () => this.#checkpoint();
    return new FolderSync({ run: this.#run, session: this.#session, writer, folder, state, checkpoint });
  }

  async *#removeGone(writer: MailWriter, { folder, gone, state }: FolderSync): AsyncGenerator<SyncItem> {
    for (let at = 0; at < gone.length; at += MAX_REMOVALS) {
      const some = gone.slice(at, at + MAX_REMOVALS);
      yield* writer.remove(folder, some);
      state.count = Math.max(0, state.count - some.length);
      yield this.#checkpoint();
    }
  }

  /**
   * Ends collections that have no folder any more. Until all mails of a folder with new UIDs are read, its old items keep
   * their records. A folder must be missing in two runs, because servers sometimes list only some of their folders.
   */
  async *#resetOld(listed: readonly MailFolder[]): AsyncGenerator<SyncItem> {
    const paths = new Set(listed.map(({ path }) => path));
    const current = new Set(this.#folders.map(({ folder }) => folder.collection));
    const complete = new Set(
      this.#folders.filter(({ state }) => state.low === 1).map(({ folder }) => folder.path),
    );
    const missing: string[] = [];
    for (const collection of await this.#run.items.collections()) {
      const path = collection.slice(0, collection.indexOf('\u0001'));
      if (collection === REPLIES || current.has(collection)) continue;
      if (!paths.has(path)) missing.push(collection);
      const isGone = paths.has(path) ? complete.has(path) : this.#state.missing.includes(collection);
      if (isGone) yield { kind: 'reset', collection };
    }
    for (const path of Object.keys(this.#state.folders))
      if (!paths.has(path)) delete this.#state.folders[path];
    this.#state.missing = missing;
  }

  #checkpoint(): SyncItem {
    return { kind: 'checkpoint', state: structuredClone(this.#state) };
  }

  #progress(): SyncItem {
    const done = this.#folders.reduce((sum, { state }) => sum + state.count, 0);
    return { kind: 'progress', done: Math.min(done, this.#total), total: this.#total };
  }
}

interface DescribedFolder extends MailFolder {
  readonly uidValidity: string;
  readonly uidNext: number;
  readonly messages: number;
  readonly modseq: string | undefined;
}

function hasChanged({ uidNext, messages, modseq }: DescribedFolder, state: FolderState): boolean {
  const isComplete = state.low === 1;
  return (
    uidNext !== state.next ||
    (isComplete && messages !== state.count) ||
    modseq !== state.modseq ||
    // Without mod-sequences, flags can have changed at any time.
    (modseq === undefined && state.count > 0)
  );
}
