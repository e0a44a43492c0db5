import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from './errors.ts';
import { DEFAULT_PORT } from './guide/command-name.ts';
import { isAddressRange } from './limits/proxies.ts';
import { type CallRule, DEFAULT_CALL_RULE } from './reads/admission.ts';
import type { HostedOwner } from './store/owners/owner-list.ts';
import { splitDatabaseUrl } from './text/database-url.ts';
import { parseDuration } from './time/durations.ts';
import { isTimeZone } from './time/instant.ts';

export interface Config {
  readonly dataDirectory: string;
  /** The data folder of the main owner, which has the server's secret and the list of the other owners. */
  readonly mainDirectory: string;
  /** The name of the owner, if it is not the main one. */
  readonly owner?: string;
  readonly host: string;
  readonly port: number;
  /** The origin of all addresses. Never taken from a request. */
  readonly publicUrl: string;
  readonly timeZone: string;
  /** Whether the owner chose the zone. Otherwise it is the machine's, which may differ from the owner's. */
  readonly timeZoneIsGiven: boolean;
  /** Proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly string[];
  readonly callRule: CallRule;
  /** Threads that run tools; with none, tools run in the main thread. */
  readonly workers: number;
  readonly callTimeoutMs: number;
  readonly connections: number;
  /** Audit entries are kept for this many days and bytes. Older ones become counts. */
  readonly auditDays: number;
  readonly auditBytes: number;
  /** Undefined if the server makes no backups by itself. */
  readonly backups: BackupSchedule | undefined;
  /** Where to ask for the newest version instead of npm. */
  readonly updateUrl: string | undefined;
  /** Undefined if the data is in the data folder. */
  readonly database: DatabaseConfig | undefined;
  /** The server's secret, or the file that holds it. Undefined for the file in the data folder. */
  readonly secret: { readonly bytes: Uint8Array } | { readonly file: string } | undefined;
}

/** When a server makes backups, and how many it keeps. */
export interface BackupSchedule {
  readonly everyMs: number;
  readonly keep: number;
  readonly folder: string;
}

/** How to connect to PostgreSQL. */
export interface DatabaseConfig {
  readonly url: string;
  readonly replicaUrl: string | undefined;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
  readonly pooler: 'none' | 'transaction';
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

function count(min: number, max: number) {
  return z.coerce.number('must be a number').int().min(min).max(max);
}

const settings = z.object({
  data: z
    .string()
    .min(1)
    .default(() => join(homedir(), '.pdpp')),
  host: z.string().min(1).default('127.0.0.1'),
  port: count(1, 65_535).default(DEFAULT_PORT),
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
    .default([]),
  'calls-per-minute': count(0, 1_000_000).default(DEFAULT_CALL_RULE.callsPerMinute),
  'work-per-minute': z.coerce
    .number('must be a number of seconds')
    .min(0)
    .max(1_000)
    .default(DEFAULT_CALL_RULE.workSecondsPerMinute),
  // Two: while one app's long call runs in one, the other answers everybody else.
  workers: count(0, 64).default(2),
  'call-timeout': count(1, 600).default(10),
  connections: count(10, 100_000).default(500),
  // More than a year, so that a month can be compared with the same month of the previous year.
  'audit-days': count(1, 36_500).default(400),
  'audit-mb': count(10, 1_000_000).default(500),
  'backup-to': z.string().min(1).optional(),
  'backup-every': z
    .string()
    .default('1d')
    .transform((text) => parseDuration(text) ?? 0)
    .refine((duration) => duration > 0, 'must be a duration such as 12h or 1d'),
  'backup-keep': count(1, 1_000).default(7),
});

/** It may name several servers, separated by commas, as libpq takes them. */
const databaseUrl = z
  .string()
  .refine(isDatabaseUrl, 'must be a URL such as postgres://user:password@host:5432/database')
  .optional();

function isDatabaseUrl(url: string): boolean {
  try {
    return splitDatabaseUrl(url).length > 0;
  } catch {
    return false;
  }
}

/** Settings of the environment that have no flag, because a command line is visible to other users. */
const environmentSettings = z.object({
  DATABASE_URL: databaseUrl,
  DATABASE_REPLICA_URL: databaseUrl,
  DATABASE_POOL_SIZE: count(2, 1_000).default(10),
  DATABASE_STATEMENT_TIMEOUT: count(1, 3_600).optional(),
  DATABASE_POOLER: z.enum(['none', 'transaction'], 'must be none or transaction').default('none'),
  PDPP_SERVER_SECRET: z
    .string()
    .transform(parseSecret)
    .refine((bytes) => bytes.length === SECRET_BYTES, 'must be 32 bytes in hexadecimal or base64')
    .optional(),
  PDPP_SERVER_SECRET_FILE: z.string().min(1).optional(),
  PDPP_UPDATE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
});

const SECRET_BYTES = 32;

function parseSecret(text: string): Buffer {
  return Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
}

/** The settings that flags can override. Flags override the environment, which overrides the defaults. */
export type Settings = Partial<Record<keyof typeof settings.shape, string | undefined>>;

/** Paths, which a program started in another folder needs as absolute paths. */
const PATH_SETTINGS: readonly string[] = ['data', 'backup-to'];

/** Returns the settings that differ from the defaults, by flag or in the environment, as a service would repeat them. */
export function listGivenSettings(
  flags: Settings,
  environment: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const given = Object.entries(readGiven(flags, environment));
  return Object.fromEntries(
    given.map(([name, value]) => [name, PATH_SETTINGS.includes(name) ? resolve(value) : value]),
  );
}

/** Returns the settings that have a flag or a variable, unchecked. */
function readGiven(flags: Settings, environment: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(settings.shape) as (keyof Settings)[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = flags[name] ?? environment[`PDPP_${name.toUpperCase().replaceAll('-', '_')}`];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Loads and checks all settings. In the environment, `--public-url` is `PDPP_PUBLIC_URL`. */
export function loadConfig(flags: Settings = {}, environment: NodeJS.ProcessEnv = process.env): Config {
  const raw = readGiven(flags, environment);
  const parsed = settings.safeParse(raw);
  const given = environmentSettings.safeParse(environment);
  if (!parsed.success || !given.success) {
    const issues = [...(parsed.error?.issues ?? []), ...(given.error?.issues ?? [])];
    throw new AppError('invalid_argument', 'Invalid settings.', {
      problems: issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    });
  }
  const { host, port, data, 'public-url': publicUrl, 'time-zone': timeZone } = parsed.data;
  if (publicUrl === undefined && !LOOPBACK.includes(host)) {
    throw new AppError('invalid_argument', 'To listen beyond this computer, set the public address.', {
      hint: 'Add --public-url https://your.host, or remove --host.',
    });
  }
  const hasSchedule = (['backup-every', 'backup-keep'] as const).some((name) => name in raw);
  if (hasSchedule && parsed.data['backup-to'] === undefined) {
    throw new AppError('invalid_argument', 'To make backups, name the folder for them.', {
      hint: 'Add --backup-to FOLDER.',
    });
  }
  return Object.freeze({
    dataDirectory: resolve(data),
    mainDirectory: resolve(data),
    host,
    port,
    publicUrl: publicUrl === undefined ? localAddress({ host, port }) : new URL(publicUrl).origin,
    timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    timeZoneIsGiven: timeZone !== undefined,
    trustedProxies: parsed.data['trusted-proxy'],
    callRule: {
      callsPerMinute: parsed.data['calls-per-minute'],
      workSecondsPerMinute: parsed.data['work-per-minute'],
    },
    workers: parsed.data.workers,
    callTimeoutMs: parsed.data['call-timeout'] * 1_000,
    connections: parsed.data.connections,
    auditDays: parsed.data['audit-days'],
    auditBytes: parsed.data['audit-mb'] * 2 ** 20,
    backups: readSchedule(parsed.data),
    updateUrl: given.data.PDPP_UPDATE_URL,
    database: readDatabase(given.data, parsed.data['call-timeout']),
    secret: readSecret(given.data),
  });
}

type ParsedSettings = z.infer<typeof settings>;

function readSchedule(given: ParsedSettings): BackupSchedule | undefined {
  const { 'backup-to': folder, 'backup-every': everyMs, 'backup-keep': keep } = given;
  return folder === undefined ? undefined : { folder: resolve(folder), everyMs, keep };
}

type EnvironmentSettings = z.infer<typeof environmentSettings>;

function readDatabase(given: EnvironmentSettings, callTimeoutSeconds: number): DatabaseConfig | undefined {
  if (given.DATABASE_URL === undefined) return;
  return {
    url: given.DATABASE_URL,
    replicaUrl: given.DATABASE_REPLICA_URL,
    poolSize: given.DATABASE_POOL_SIZE,
    statementTimeoutMs: (given.DATABASE_STATEMENT_TIMEOUT ?? callTimeoutSeconds) * 1_000,
    pooler: given.DATABASE_POOLER,
  };
}

function readSecret({ PDPP_SERVER_SECRET: bytes, PDPP_SERVER_SECRET_FILE: file }: EnvironmentSettings) {
  if (bytes !== undefined) return { bytes };
  return file === undefined ? undefined : { file: resolve(file) };
}

/**
 * Returns the command that opens a browser: $BROWSER, or an empty list for the system's default. Undefined over SSH or
 * without a screen.
 */
export function readBrowserCommand(environment: NodeJS.ProcessEnv = process.env): string[] | undefined {
  const named = environment.BROWSER?.trim() ?? '';
  // A path can contain spaces; anything else is a program with its options.
  if (named !== '') return existsSync(named) ? [named] : named.split(/\s+/);
  const isRemote = environment.SSH_CONNECTION !== undefined || environment.SSH_TTY !== undefined;
  const hasScreen =
    ['darwin', 'win32'].includes(process.platform) ||
    environment.DISPLAY !== undefined ||
    environment.WAYLAND_DISPLAY !== undefined;
  return isRemote || !hasScreen ? undefined : [];
}

/** Returns the folder of the user's connected servers. */
export function readUserFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: named = '', APPDATA } = environment;
  const standard =
    process.platform === 'win32' && APPDATA !== undefined ? APPDATA : join(homedir(), '.config');
  // XDG Base Directory: relative paths are ignored.
  return join(isAbsolute(named) ? named : standard, 'pdpp', 'client');
}

/** Returns the address of a server with these settings on this computer. */
export function localAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const isAnyAddress = host === '0.0.0.0' || host === '::';
  const name = isAnyAddress ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Returns the settings for one of the other owners. The address differs from the main one only in its host name. */
export function configOf(config: Config, { name, host, folder }: HostedOwner): Config {
  return { ...config, owner: name, publicUrl: replaceHost(config.publicUrl, host), dataDirectory: folder };
}

/** Returns an origin with another host name. */
export function replaceHost(origin: string, host: string): string {
  const url = new URL(origin);
  url.hostname = host;
  return url.origin;
}

/** Returns the accepted Host headers: the public one, and loopback names if the server listens there. */
export function allowedHosts(config: Config): Set<string> {
  const hosts = [new URL(config.publicUrl).host];
  if (LOOPBACK.includes(config.host))
    hosts.push(`127.0.0.1:${config.port}`, `localhost:${config.port}`, `[::1]:${config.port}`);
  return new Set(hosts);
}
