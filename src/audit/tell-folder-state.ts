import { isCopy } from '../store/sqlite/folder/folder-mark.ts';
import { type Companion, forgetLost, readLost } from '../store/sqlite/folder/made-anew.ts';
import type { SqliteStore } from '../store/sqlite/open-store.ts';
import type { Hint } from '../text/hint.ts';
import { type EventKind, eventKinds } from './event-kinds.ts';
import type { WriteEvent } from './events.ts';
import { foldEndings } from './known-endings.ts';
import { isPassphraseOld, reapplyEndings } from './reapply-endings.ts';

const LOSSES: Record<Companion, EventKind> = { 'audit.sqlite': 'audit_lost', 'cursor.key': 'key_lost' };

/**
 * Looks at the folder before anyone is let in: whether it is the one that ran last and has all its parts. What is
 * found goes into the event log, from where it is shown on every page; the sentences are returned for the start.
 */
export async function tellFolderState(
  store: SqliteStore,
  writeEvent: WriteEvent,
  now: Date,
): Promise<Hint[]> {
  const wasCopied = await isCopy(store);
  const endings = foldEndings(store.audit.raw, now);
  const endedAgain = await reapplyEndings(store.write, endings);
  const found: { kind: EventKind; detail?: string }[] = [
    ...readLost(store.write.raw).map((name) => ({ kind: LOSSES[name] })),
    ...(wasCopied ? [{ kind: 'folder_copied' as const }] : []),
    ...(endedAgain > 0 ? [{ kind: 'ended_again' as const, detail: String(endedAgain) }] : []),
    ...((await isPassphraseOld(store.read, endings)) ? [{ kind: 'passphrase_old' as const }] : []),
  ];
  for (const event of found) await writeEvent(event, now);
  await forgetLost(store.write);
  return found.map(({ kind }) => eventKinds[kind]);
}
