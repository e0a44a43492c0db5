import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from './errors.ts';
import { DEFAULT_PORT } from './guide/command-name.ts';
import { isAddressRange } from './limits/proxies.ts';
import { type CallRule, DEFAULT_CALL_RULE } from './reads/admission.ts';
import { isTimeZone } from './time/instant.ts';

export interface Config {
  readonly dataDirectory: string;
  readonly host: string;
  readonly port: number;
  /** The one origin everything is addressed by: never taken from a request. */
  readonly publicUrl: string;
  /** Looked up when it is asked for: the first look at the machine's zone takes longer than most commands. */
  readonly timeZone: string;
  /** Somebody chose it; otherwise it is the machine's, which may stand elsewhere than the owner. */
  readonly timeZoneIsGiven: boolean;
  /** Proxies that are believed when they say who called them. */
  readonly trustedProxies: readonly string[];
  readonly callRule: CallRule;
  readonly connections: number;
  /** What was read by whom is kept for so long and in so many bytes; older entries become counts. */
  readonly auditDays: number;
  readonly auditBytes: number;
}

/** What a flag or a variable may say. Flags beat the environment, which beats the default. */
export interface Settings {
  data?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
  'public-url'?: string | undefined;
  'time-zone'?: string | undefined;
  'trusted-proxy'?: string | undefined;
  'calls-per-minute'?: string | undefined;
  'work-per-minute'?: string | undefined;
  connections?: string | undefined;
  'audit-days'?: string | undefined;
  'audit-mb'?: string | undefined;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

const shape = z.object({
  data: z.string().min(1),
  host: z.string().min(1),
  port: z.coerce.number('must be a number').int().min(1).max(65_535),
  'public-url': z
    .string()
    .refine(
      (url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol),
      'must be an http or https URL',
    )
    .refine((url) => URL.canParse(url) && new URL(url).pathname === '/', 'must be an origin without a path')
    .optional(),
  'time-zone': z.string().refine(isTimeZone, 'must be an IANA zone such as Europe/Berlin').optional(),
  'trusted-proxy': z
    .string()
    .transform((list) => list.split(',').map((one) => one.trim()))
    .refine((list) => list.every(isAddressRange), 'must be addresses or ranges such as 127.0.0.1,10.0.0.0/8')
    .optional(),
  'calls-per-minute': z.coerce.number('must be a number').int().min(0).max(1_000_000),
  'work-per-minute': z.coerce.number('must be a number of seconds').min(0).max(1_000),
  connections: z.coerce.number('must be a number').int().min(10).max(100_000),
  'audit-days': z.coerce.number('must be a number').int().min(1).max(36_500),
  'audit-mb': z.coerce.number('must be a number').int().min(10).max(1_000_000),
});

/** Every setting, checked. The only reader of the environment. */
export function loadConfig(flags: Settings = {}, environment: NodeJS.ProcessEnv = process.env): Config {
  const parsed = shape.safeParse({
    data: flags.data ?? environment.PDPP_DATA ?? join(homedir(), '.pdpp'),
    host: flags.host ?? environment.PDPP_HOST ?? '127.0.0.1',
    port: flags.port ?? environment.PDPP_PORT ?? DEFAULT_PORT,
    'public-url': flags['public-url'] ?? environment.PDPP_PUBLIC_URL,
    'time-zone': flags['time-zone'] ?? environment.PDPP_TIME_ZONE,
    'trusted-proxy': flags['trusted-proxy'] ?? environment.PDPP_TRUSTED_PROXY,
    'calls-per-minute':
      flags['calls-per-minute'] ?? environment.PDPP_CALLS_PER_MINUTE ?? DEFAULT_CALL_RULE.callsPerMinute,
    'work-per-minute':
      flags['work-per-minute'] ?? environment.PDPP_WORK_PER_MINUTE ?? DEFAULT_CALL_RULE.workSecondsPerMinute,
    connections: flags.connections ?? environment.PDPP_CONNECTIONS ?? '500',
    // A year and a month, so that a month can be compared with the same one a year ago.
    'audit-days': flags['audit-days'] ?? environment.PDPP_AUDIT_DAYS ?? '400',
    'audit-mb': flags['audit-mb'] ?? environment.PDPP_AUDIT_MB ?? '500',
  });
  if (!parsed.success) {
    throw new AppError('invalid_argument', 'The settings are not valid.', {
      problems: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    });
  }
  const { host, port, data } = parsed.data;
  const publicUrl = parsed.data['public-url'];
  const timeZone = parsed.data['time-zone'];
  if (publicUrl === undefined && !LOOPBACK.includes(host)) {
    throw new AppError(
      'invalid_argument',
      'Listening beyond this computer needs the address that others will use.',
      {
        hint: 'Add --public-url https://your.host, or leave out --host.',
      },
    );
  }
  return Object.freeze({
    dataDirectory: resolve(data),
    host,
    port,
    publicUrl: publicUrl === undefined ? localAddress({ host, port }) : new URL(publicUrl).origin,
    get timeZone() {
      return timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    timeZoneIsGiven: timeZone !== undefined,
    trustedProxies: parsed.data['trusted-proxy'] ?? [],
    callRule: {
      callsPerMinute: parsed.data['calls-per-minute'],
      workSecondsPerMinute: parsed.data['work-per-minute'],
    },
    connections: parsed.data.connections,
    auditDays: parsed.data['audit-days'],
    auditBytes: parsed.data['audit-mb'] * 2 ** 20,
  });
}

/**
 * The command that shows a page to the person at this computer: $BROWSER, or an empty list for the
 * system's own. Undefined where a page would open out of sight: over SSH, or without a screen.
 */
export function readBrowserCommand(environment: NodeJS.ProcessEnv = process.env): string[] | undefined {
  const named = environment.BROWSER?.trim() ?? '';
  // A path may hold spaces; anything else is a program and its options.
  if (named !== '') return existsSync(named) ? [named] : named.split(/\s+/);
  const isRemote = environment.SSH_CONNECTION !== undefined || environment.SSH_TTY !== undefined;
  const hasScreen =
    ['darwin', 'win32'].includes(process.platform) ||
    environment.DISPLAY !== undefined ||
    environment.WAYLAND_DISPLAY !== undefined;
  return isRemote || !hasScreen ? undefined : [];
}

/** Where a program keeps what is one user's, on every folder of the computer: access to servers, in our case. */
export function readUserFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: named = '', APPDATA } = environment;
  const standard =
    process.platform === 'win32' && APPDATA !== undefined ? APPDATA : join(homedir(), '.config');
  // XDG Base Directory: a path that is not absolute is to be ignored.
  return join(isAbsolute(named) ? named : standard, 'pdpp', 'client');
}

/** Where a server with these settings answers on this computer. */
export function localAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Host headers that are answered: the public one, and loopback names while listening there. */
export function allowedHosts(config: Config): Set<string> {
  const hosts = [new URL(config.publicUrl).host];
  if (LOOPBACK.includes(config.host))
    hosts.push(`127.0.0.1:${config.port}`, `localhost:${config.port}`, `[::1]:${config.port}`);
  return new Set(hosts);
}
