import { AppError } from '../../errors.ts';
import { KEEP_FILES, keepFilesField } from '../keeps-files.ts';
import type { AccountField, AccountSettings } from '../sync-source.ts';
import { findPreset } from './mail-presets.ts';

export interface ImapSettings {
  readonly user: string;
  readonly server: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls';
  /** Whether the server reports new mail at once (IMAP IDLE). Otherwise new mail waits for the next scheduled sync. */
  readonly idle: boolean;
  /** Whether the files attached to new mails are kept. */
  readonly 'keep-files'?: true;
}

export const imapFields: readonly AccountField[] = [
  {
    name: 'user',
    label: 'Mail address or user name',
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
    label: 'IMAP server',
    type: 'text',
    isRequired: false,
    hint: 'Such as imap.example.org. Leave it empty for a known provider.',
  },
  {
    name: 'security',
    label: 'Encryption',
    type: 'choice',
    isRequired: false,
    choices: [
      { value: 'tls', label: 'TLS (port 993)' },
      { value: 'starttls', label: 'STARTTLS (port 143)' },
    ],
  },
  { name: 'port', label: 'Port', type: 'number', isRequired: false },
  {
    name: 'idle',
    label: 'Fetch new mail at once',
    type: 'boolean',
    isRequired: false,
    hint: 'Keeps a connection open on which the server reports new mail. On by default.',
  },
  keepFilesField,
];

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9-]{1,63})*\.?|\[?[0-9a-f:.]+\]?)$/i;
const MAX_USER_CHARACTERS = 320;

interface Problem {
  readonly field: string;
  readonly text: string;
}

const refuse = (problems: readonly Problem[]) =>
  new AppError('invalid_argument', problems.map(({ text }) => text).join(' '), {
    hint: 'Enter the mail address. For an unknown provider, also enter the server.',
    field: problems[0]?.field,
  });

/** Validates settings and fills in those of a known provider. */
export function parseImapSettings(given: Readonly<Record<string, unknown>>): ImapSettings {
  const problems: Problem[] = [];
  const report = (field: string, text: string) => problems.push({ field, text });
  const text = (name: string): string => {
    const value = given[name];
    if (value === undefined || value === null) return '';
    if (typeof value === 'string') return value.trim();
    report(name, `The setting “${name}” is not text.`);
    return '';
  };
  const user = text('user');
  const isUser = user !== '' && user.length <= MAX_USER_CHARACTERS && !/\p{Cc}/u.test(user);
  if (!isUser) report('user', 'The mail address or user name is missing or invalid.');
  const preset = findPreset(user);
  const server = text('server') || (preset?.server ?? '');
  if (server === '') report('server', 'The server is missing.');
  else if (server.length > 253 || !HOST.test(server)) report('server', 'The server is not a host name.');
  const isPreset = preset !== undefined && preset.server === server;
  const security = text('security') || (isPreset ? preset.security : 'tls');
  if (security !== 'tls' && security !== 'starttls')
    report('security', 'The encryption is neither “tls” nor “starttls”.');
  const port = given.port === undefined || given.port === '' || given.port === null ? undefined : given.port;
  const number = port === undefined ? (security === 'starttls' ? 143 : 993) : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535)
    report('port', 'The port is not a number between 1 and 65535.');
  const idle = readFlag(given.idle);
  if (idle === undefined) report('idle', 'The setting “idle” is neither true nor false.');
  if (problems.length > 0) throw refuse(problems);
  return {
    user,
    server: server.replace(/\.$/, ''),
    port: number,
    security: security as 'tls' | 'starttls',
    idle: idle as boolean,
    ...(given[KEEP_FILES] === true ? { [KEEP_FILES]: true } : {}),
  };
}

function readFlag(value: unknown): boolean | undefined {
  if (value === undefined || value === null || value === '' || value === true || value === 'true')
    return true;
  return value === false || value === 'false' ? false : undefined;
}

export const readSettings = (settings: AccountSettings): ImapSettings => parseImapSettings(settings);

/** The name of the account: a mail address, or the user at the server. */
export function nameAccount({ user, server }: ImapSettings): string {
  return (user.includes('@') ? user : `${user}@${server}`).toLowerCase();
}
