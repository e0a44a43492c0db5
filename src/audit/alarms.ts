import type { Store } from '../store/store.ts';
import { escapeText } from '../text/escape-text.ts';
import { command, type FormatPart, formatHint, hint } from '../text/hint.ts';
import { alarmKinds, eventKinds } from './event-kinds.ts';

/** A message that every page shows until the owner has confirmed it. */
export interface Alarm {
  readonly at: string;
  readonly text: string;
  readonly grant_id?: string;
  /** The page that shows more, where it is not the page of one app. */
  readonly page?: { readonly path: string; readonly label: string };
  /** It is shown until its cause is gone, and cannot be dismissed. */
  readonly isLasting?: true;
}

const MAX_ALARMS = 5;
const ALL_APPS = { path: '/dashboard/apps', label: 'See all apps' };
const ABOUT_ALL_APPS: ReadonlySet<string> = new Set(['folder_copied', 'ended_again']);

/** Returns the alarms that the owner has not confirmed, newest first. */
export async function readAlarms(store: Store, formatPart?: FormatPart): Promise<Alarm[]> {
  const rows = await store.audit.listEvents(
    { kinds: alarmKinds, afterId: await store.read.owner.readSeenEvent() },
    { order: 'newest', limit: MAX_ALARMS },
  );
  return rows.map(({ at, kind, client, grant_id }) => ({
    at,
    text: `${client === null ? '' : `${escapeText(client)}: `}${formatHint(eventKinds[kind as (typeof alarmKinds)[number]], formatPart)}`,
    ...(grant_id === null ? {} : { grant_id }),
    ...(ABOUT_ALL_APPS.has(kind) ? { page: ALL_APPS } : {}),
  }));
}

/** Returns an alarm for each damaged file. It is shown as long as the file is damaged, even after confirmation. */
export function describeDamage(files: ReadonlySet<string>, now: Date, formatPart: FormatPart): Alarm[] {
  return [...files].map((file) => ({
    at: now.toISOString(),
    isLasting: true,
    text: formatHint(
      hint`${file} is damaged. Its undamaged parts can still be read. Stop the server, run ${command('doctor')}, and restore a backup with ${command('restore')}.`,
      formatPart,
    ),
  }));
}

/** Confirms every alarm so far. */
export async function markAlarmsSeen(store: Store): Promise<void> {
  await store.write.owner.setSeenEvent(await store.audit.findLastEventId());
}

/**
 * Lowers the id of the last seen event to that of the newest event. If the audit was lost or replaced by an older copy,
 * ids are reused, and new alarms would count as seen.
 */
export async function limitAlarmsSeen(store: Store): Promise<void> {
  const last = await store.audit.findLastEventId();
  if ((await store.read.owner.readSeenEvent()) > last) await store.write.owner.setSeenEvent(last);
}
