import { limitAlarmsSeen } from '../../audit/alarms.ts';
import { type EventKind, eventKinds } from '../../audit/event-kinds.ts';
import type { WriteEvent } from '../../audit/events.ts';
import { readKnownEndings } from '../../audit/known-endings.ts';
import { isPassphraseOld, reapplyEndings } from '../../grants/end-access.ts';
import { isCopy } from '../../store/sqlite/folder/folder-mark.ts';
import { clearMissing, type RequiredFile, readMissing } from '../../store/sqlite/folder/recreated-files.ts';
import type { SqliteStore } from '../../store/sqlite/open-store.ts';
import type { Hint } from '../../text/hint.ts';

const LOSSES: Record<RequiredFile, EventKind> = { 'audit.sqlite': 'audit_lost', 'server-secret': 'key_lost' };

/**
 * Checks before the first request whether the folder is complete and not a copy. Ends the access that an older copy has
 * revived. Writes the findings to the event log, which pages show as alarms, and returns them.
 */
export async function checkFolderState(
  store: SqliteStore,
  writeEvent: WriteEvent,
  now: Date,
): Promise<Hint[]> {
  const wasCopied = await isCopy(store);
  await limitAlarmsSeen(store);
  const endings = await readKnownEndings(store.audit, now);
  const endedAgain = await reapplyEndings(store.write, endings);
  const found: { kind: EventKind; detail?: string }[] = [
    ...(await readMissing(store.read)).map((name) => ({ kind: LOSSES[name] })),
    ...(wasCopied ? [{ kind: 'folder_copied' as const }] : []),
    ...(endedAgain > 0 ? [{ kind: 'ended_again' as const, detail: String(endedAgain) }] : []),
    ...((await isPassphraseOld(store.read, endings)) ? [{ kind: 'passphrase_old' as const }] : []),
  ];
  for (const event of found) await writeEvent(event, now);
  await clearMissing(store.write);
  return found.map(({ kind }) => eventKinds[kind]);
}
