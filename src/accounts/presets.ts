import { type DavPreset, davPresets } from './dav/dav-presets.ts';
import { mailPresets } from './imap/mail-presets.ts';
import type { AccountKind } from './sync-source.ts';

/** A provider whose settings are known, for one kind of account. */
export interface AccountPreset {
  readonly id: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  /** What the owner must do there first. */
  readonly hint: string;
  /** The page where an app password is made. Null if there is none. */
  readonly password_page: string | null;
}

const feedPresets: readonly AccountPreset[] = [
  {
    id: 'google-calendar',
    name: 'Google Calendar',
    settings: {},
    hint: 'In Google Calendar, open the settings of a calendar and copy its secret address in iCal format.',
    password_page: null,
  },
  {
    id: 'outlook-calendar',
    name: 'Outlook Calendar',
    settings: {},
    hint: 'In Outlook on the web, open Settings, Calendar, Shared calendars. Publish a calendar and copy its ICS address.',
    password_page: null,
  },
];

/** Lists the providers of a kind, in the order of the page. */
export function listPresets(kind: AccountKind): readonly AccountPreset[] {
  switch (kind) {
    case 'imap':
      return mailPresets.map(({ id, name, server, password, passwordPage }) => ({
        id,
        name,
        settings: { server },
        hint: password,
        password_page: passwordPage,
      }));
    case 'caldav':
    case 'carddav':
      return davPresets.flatMap((preset) => describeDav(preset, kind));
    case 'feed':
      return feedPresets;
    default:
      return [];
  }
}

/** A provider without a server of its own, such as Nextcloud, leaves the address to the owner. */
function describeDav(preset: DavPreset, kind: 'caldav' | 'carddav'): AccountPreset[] {
  const { id, name, domains, password: hint, passwordPage: password_page } = preset;
  const server = preset[kind];
  if (server === undefined && domains.length > 0) return [];
  return [{ id, name, settings: server === undefined ? {} : { server }, hint, password_page }];
}
