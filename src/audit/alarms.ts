import type { Store } from '../store/store.ts';
import { escapeText } from '../text/escape-text.ts';
import { command, type FormatPart, formatHint, hint } from '../text/hint.ts';
import { alarmKinds, eventKinds } from './event-kinds.ts';

/** Something that the owner must see on every page until they say that they have. */
export interface Alarm {
  readonly at: string;
  readonly text: string;
  readonly grant_id?: string;
  /** The page to look at, where it is not that of one app. */
  readonly page?: { readonly path: string; readonly label: string };
}

const MAX_SHOWN = 5;
const ALL_APPS = { path: '/dashboard/apps', label: 'See all apps' };
const ABOUT_ALL_APPS: ReadonlySet<string> = new Set(['folder_copied', 'ended_again']);

/** What has happened since the owner last said that they have seen it, newest first; texts name commands of ours. */
export async function readAlarms(store: Store, formatPart?: FormatPart): Promise<Alarm[]> {
  const rows = await store.audit.listEvents(
    { kinds: alarmKinds, afterId: await store.read.owner.readSeenEvent() },
    { order: 'newest', limit: MAX_SHOWN },
  );
  return rows.map(({ at, kind, client, grant_id }) => ({
    at,
    text: `${client === null ? '' : `${escapeText(client)}: `}${formatHint(eventKinds[kind as (typeof alarmKinds)[number]], formatPart)}`,
    ...(grant_id === null ? {} : { grant_id }),
    ...(ABOUT_ALL_APPS.has(kind) ? { page: ALL_APPS } : {}),
  }));
}

/** Damage is not a thing of the past: it is shown for as long as it is there, seen or not. */
export function describeDamage(files: ReadonlySet<string>, now: Date, formatPart: FormatPart): Alarm[] {
  return [...files].map((file) => ({
    at: now.toISOString(),
    text: formatHint(
      hint`${file} is damaged. What lies on its sound pages is still served. Stop the server, run ${command('doctor')}, and restore a backup with ${command('restore')}.`,
      formatPart,
    ),
  }));
}

/** Marks every event so far as seen; later alarms are shown again. */
export async function markAlarmsSeen(store: Store): Promise<void> {
  await store.write.owner.setSeenEvent(await store.audit.findLastEventId());
}

/** Events of an audit file that was lost or is an older copy take numbers that were seen before: lowers the mark to it. */
export async function limitAlarmsSeen(store: Store): Promise<void> {
  const last = await store.audit.findLastEventId();
  if ((await store.read.owner.readSeenEvent()) > last) await store.write.owner.setSeenEvent(last);
}
