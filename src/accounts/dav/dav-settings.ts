import { AppError } from '../../errors.ts';
import type { AccountField, AccountSettings } from '../sync-source.ts';
import { findDavPreset } from './dav-presets.ts';

export interface DavSettings {
  readonly user: string;
  /** Where discovery begins, or a folder. */
  readonly server: string;
}

export const davFields: readonly AccountField[] = [
  {
    name: 'user',
    label: 'User name or mail address',
    type: 'text',
    isRequired: true,
    hint: 'The server of a known provider is found from the address.',
  },
  {
    name: 'secret',
    label: 'Password',
    type: 'secret',
    isRequired: true,
    hint: 'Most providers need an app password, which you make on their website.',
  },
  {
    name: 'server',
    label: 'Address of the server',
    type: 'url',
    isRequired: false,
    hint: 'Such as https://cloud.example.org. Leave it empty for a known provider.',
  },
];

const MAX_CHARACTERS = 2_000;

/** Validates settings. Fills in the server of a known provider. */
export function parseDavSettings(
  given: Readonly<Record<string, unknown>>,
  findServer: (user: string) => string | undefined,
): DavSettings {
  const problems: { readonly field: string; readonly text: string }[] = [];
  const user = readText(given.user);
  if (user === '' || user.length > 320 || /\p{Cc}/u.test(user) || user.includes(':'))
    problems.push({ field: 'user', text: 'The user name is missing or invalid.' });
  const written = readText(given.server);
  const server = written === '' ? findServer(user) : readUrl(written);
  if (server === undefined)
    problems.push({
      field: 'server',
      text:
        written === '' ? 'The address of the server is missing.' : 'The address of the server is not valid.',
    });
  if (problems.length > 0)
    throw new AppError('invalid_argument', problems.map(({ text }) => text).join(' '), {
      field: problems[0]?.field,
      hint: 'Enter the user name. For an unknown provider, also enter an address with https.',
    });
  return { user, server: server as string };
}

export const findServerOf = (kind: 'caldav' | 'carddav') => (user: string) => findDavPreset(user)?.[kind];

/** Settings were validated when they were stored. */
export const readDavSettings = (settings: AccountSettings) => settings as unknown as DavSettings;

export function readText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Returns a normalised address. `cloud.example.org` means https. Plain http is checked when it is used. */
export function readUrl(text: string): string | undefined {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (whole.length > MAX_CHARACTERS || !URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb || url.hostname === '' || url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url.href;
}

/** The name of the account: a mail address, or the user at the server. */
export function nameAccount({ user, server }: DavSettings): string {
  return (user.includes('@') ? user : `${user}@${new URL(server).host}`).toLowerCase();
}
