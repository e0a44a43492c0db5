import { sayCommand } from '../guide/command-name.ts';
import type { Store } from '../store/open-store.ts';
import { escapeText } from '../text/escape-text.ts';
import { readAlarmsSeen } from './alarms-seen.ts';
import { alarmKinds, eventKinds } from './event-kinds.ts';

/** Something that the owner must see on every page until they say that they have. */
export interface Alarm {
  readonly at: string;
  readonly text: string;
  readonly grant_id?: string;
  /** The page to look at, where it is not that of one app. */
  readonly page?: { readonly path: string; readonly label: string };
}

const MOST_SHOWN = 5;
const ALL_APPS = { path: '/dashboard/apps', label: 'See all apps' };
const ABOUT_ALL_APPS: ReadonlySet<string> = new Set(['folder_copied', 'ended_again']);

/** What has happened since the owner last said that they have seen it, newest first. */
export async function readAlarms(store: Store, command = 'pdpp'): Promise<Alarm[]> {
  const rows = await store.audit.db
    .selectFrom('events')
    .select(['at', 'kind', 'client', 'grant_id'])
    .where('id', '>', await readAlarmsSeen(store))
    .where('kind', 'in', alarmKinds)
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  return rows.map(({ at, kind, client, grant_id }) => ({
    at,
    text: `${client === null ? '' : `${escapeText(client)}: `}${sayCommand(eventKinds[kind as (typeof alarmKinds)[number]], command)}`,
    ...(grant_id === null ? {} : { grant_id }),
    ...(ABOUT_ALL_APPS.has(kind) ? { page: ALL_APPS } : {}),
  }));
}

/** Damage is not a thing of the past: it is shown for as long as it is there, seen or not. */
export function describeDamage(files: ReadonlySet<string>, now: Date, command = 'pdpp'): Alarm[] {
  return [...files].map((file) => ({
    at: now.toISOString(),
    text: `${file} is damaged. What lies on its sound pages is still served. Stop the server, run ${command} doctor, and restore a backup with ${command} restore.`,
  }));
}
