import type { SyncContext } from '../sync-source.ts';
import { chooseFolders, isGmail, listFolders, type MailFolder } from './imap-folders.ts';
import { ImapSession, type ImapTimes } from './imap-session.ts';
import { readSettings } from './imap-settings.ts';
import { readState } from './imap-state.ts';
import { selectFolder } from './list-mails.ts';

/** Resolves when the inbox changes, when it has changed since `state`, or when a connection has lasted long enough. */
export async function waitForMail(
  context: SyncContext & { readonly state: unknown },
  times: ImapTimes,
): Promise<void> {
  if (!readSettings(context.settings).idle) return waitForAbort(context.signal);
  // A silent server is normal here: IDLE is renewed before it times out.
  const session = await ImapSession.open(context, { ...times, silenceMs: times.idleMs + times.silenceMs });
  try {
    const watched = chooseWatched(await listFolders(session), context.collections, isGmail(session));
    if (watched === undefined) return await waitForAbort(context.signal);
    const changed = listenForChange(session);
    const { uidNext, uidValidity, exists, modseq } = await selectFolder(session, watched.path);
    const known = readState(context.state).folders[watched.path];
    const isKnown =
      known !== undefined &&
      known.uidValidity === uidValidity &&
      known.next === uidNext &&
      known.modseq === modseq &&
      (known.low > 1 || known.count === exists);
    if (!isKnown) return;
    await session.run(
      (client) => Promise.race([changed, client.idle(), sleep(times.watchMs, context.signal)]).then(() => {}),
      { ms: times.watchMs + times.commandMs },
    );
  } finally {
    session.close();
  }
}

/** New mail arrives in the inbox. On Gmail, `All Mail` changes with every mail and label. */
function chooseWatched(
  folders: readonly MailFolder[],
  chosen: readonly string[] | undefined,
  gmail: boolean,
): MailFolder | undefined {
  const synced = chooseFolders(folders, chosen);
  if (gmail) return synced[0];
  return synced.find(({ path }) => path.toUpperCase() === 'INBOX') ?? synced[0];
}

function listenForChange({ client }: ImapSession): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['exists', 'expunge', 'flags'] as const) client.once(event, () => resolve());
  });
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}

const waitForAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
