import { ATTACHMENTS, type KeepFile } from '../../attachments/attached-file.ts';
import { KeepSession } from '../../import/kept-files/keep-session.ts';
import { findKeptFolder } from '../../import/kept-files/sweep-kept-files.ts';
import type { AccountRow } from '../../store/accounts/account-store.ts';
import type { Store } from '../../store/store.ts';
import { keepsFiles } from '../keeps-files.ts';
import type { RunReport } from './run-report.ts';

export interface AccountFilesOptions {
  readonly store: Store;
  readonly account: AccountRow;
  readonly report: RunReport;
  /** Finds or creates the connection of the account. */
  readonly openConnection: () => Promise<string>;
}

/** The kept files of an account during a run: keeps those of new mails, and deletes those of deleted mails. */
export class AccountFiles {
  /** Keeps a file, if the owner wants that. */
  readonly keep: KeepFile | undefined;
  readonly #options: AccountFilesOptions;
  #open: Promise<{ session: KeepSession; connectionId: string }> | undefined;

  constructor(options: AccountFilesOptions) {
    this.#options = options;
    const { account, report, store } = options;
    if (!keepsFiles(account)) return;
    if (store.shared === undefined) this.keep = (...file) => this.#keep(...file);
    else report.builder.addNote('Attached files are not kept, because the data is in PostgreSQL.');
  }

  /** Opens a session before records are deleted, if the connection has kept files. */
  async begin(): Promise<void> {
    const { account, store } = this.#options;
    const { connection_id: id } = account;
    if (id !== null && findKeptFolder(store, id) !== undefined) await this.#openSession(async () => id);
  }

  /** Ends the session. `isComplete` if everything that the source yielded is stored. */
  async close(isComplete: boolean): Promise<void> {
    const open = await this.#open?.catch(() => undefined);
    if (open === undefined) return;
    const { removed = 0, skipped = 0 } = this.#options.report.builder.build().streams[ATTACHMENTS] ?? {};
    await open.session.close(this.#options.store, open.connectionId, !isComplete || removed + skipped > 0);
  }

  async #keep(...file: Parameters<KeepFile>): Promise<void> {
    const { session } = await this.#openSession(this.#options.openConnection);
    await session.keep(...file);
  }

  #openSession(findConnection: () => Promise<string>) {
    this.#open ??= findConnection().then(async (connectionId) => {
      const session = await KeepSession.open(this.#options.store.directory, connectionId);
      this.#options.report.keptRun = session.run;
      return { session, connectionId };
    });
    return this.#open;
  }
}
