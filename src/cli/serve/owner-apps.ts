import { finished } from 'node:stream';
import { AppError, errorBody } from '../../errors.ts';
import type { AppFetch, RequestBindings } from '../../http/choose-app.ts';
import { answerHeaders } from '../../http/guard.ts';
import { LruCache } from '../../limits/cache.ts';
import { Queue } from '../../limits/queue.ts';
import type { HostedOwner } from '../../store/owners/owner-list.ts';

/** The app of an owner in memory. */
export interface OpenApp {
  readonly fetch: AppFetch;
  /** Returns whether closing would interrupt the owner: an upload waits for a decision, or an import runs. */
  isBusy(): boolean;
  close(): Promise<void>;
}

export interface OwnerAppsOptions {
  findByHosts(hosts: readonly string[]): Promise<HostedOwner[]>;
  open(owner: HostedOwner): Promise<OpenApp>;
  /** Apps in memory at a time. For one more, the app that was used least recently is closed. */
  readonly maxApps: number;
  /** An app that was not used for this time is closed. */
  readonly idleMs: number;
  /** Reports that an app could not be opened or closed. */
  onError(owner: HostedOwner, error: unknown): void;
}

/** Added and removed owners take effect within this time. */
const CHECK_INTERVAL_MS = 500;
/** A store that could not be opened is tried again after this time. */
const RETRY_MS = 1_000;
const MAX_CACHED_HOSTS = 10_000;

interface Entry {
  readonly owner: HostedOwner;
  readonly opening: Promise<OpenApp>;
  requests: number;
  usedAt: number;
}

/** The apps of the other owners. Each is opened by its first request, and closed when it is idle or its owner is removed. */
export class OwnerApps {
  readonly #options: OwnerAppsOptions;
  /** By host, the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Map<string, Promise<void>>();
  /** Unknown hosts, and hosts whose app could not be opened, with the time of the failed attempt. */
  readonly #absent = new LruCache<string, number>(MAX_CACHED_HOSTS);
  readonly #failed = new LruCache<string, number>(MAX_CACHED_HOSTS);
  /** Opening a store on SQLite blocks the process for some milliseconds. */
  readonly #openings = new Queue();
  /** Started with the first app. */
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;

  constructor(options: OwnerAppsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Answers with the app of the owner who has a host. Returns undefined if no owner has it. */
  async fetch(host: string, request: Request, bindings: RequestBindings): Promise<Response | undefined> {
    let app: OpenApp;
    try {
      const entry = this.#entries.get(host) ?? (await this.#find(host));
      if (entry === undefined) return;
      this.#use(host, entry, bindings);
      app = await entry.opening;
    } catch {
      return unavailable();
    }
    return app.fetch(request, bindings);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
    await Promise.all([...this.#entries.keys()].map((host) => this.#close(host)));
    await Promise.all(this.#closing.values());
  }

  #use(host: string, entry: Entry, { outgoing }: RequestBindings): void {
    entry.requests += 1;
    if (this.#entries.delete(host)) this.#entries.set(host, entry);
    // The answer may be a stream that goes on after the app has returned it.
    finished(outgoing, () => {
      entry.requests -= 1;
      entry.usedAt = Date.now();
    });
  }

  async #find(host: string): Promise<Entry | undefined> {
    if (isRecent(this.#absent.get(host), CHECK_INTERVAL_MS)) return;
    if (isRecent(this.#failed.get(host), RETRY_MS)) throw new Error('The app could not be opened.');
    const [owner] = await this.#options.findByHosts([host]);
    if (owner === undefined) {
      this.#absent.set(host, Date.now());
      return;
    }
    await this.#makeRoom();
    // Another request may have opened the app in the meantime.
    return this.#entries.get(host) ?? this.#add(host, owner);
  }

  #add(host: string, owner: HostedOwner): Entry {
    this.#timer ??= setInterval(() => this.#checkOnce(), CHECK_INTERVAL_MS).unref();
    const entry: Entry = { owner, opening: this.#open(host, owner), requests: 0, usedAt: Date.now() };
    this.#entries.set(host, entry);
    entry.opening.catch((error: unknown) => {
      this.#entries.delete(host);
      this.#failed.set(host, Date.now());
      this.#options.onError(owner, error);
    });
    return entry;
  }

  async #open(host: string, owner: HostedOwner): Promise<OpenApp> {
    await this.#closing.get(host);
    const leave = await this.#openings.enter();
    try {
      return await this.#options.open(owner);
    } finally {
      leave();
    }
  }

  /** Closes the least recently used app that is idle. Throws if all apps are in use. */
  async #makeRoom(): Promise<void> {
    if (this.#entries.size < this.#options.maxApps) return;
    for (const [host, entry] of this.#entries) {
      if (!(await isUnused(entry)) || this.#entries.get(host) !== entry) continue;
      return this.#close(host);
    }
    throw new Error('All apps are in use.');
  }

  #checkOnce(): void {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
  }

  /** Closes the apps of removed owners, and those that were not used for long. */
  async #check(): Promise<void> {
    if (this.#entries.size === 0) return;
    const found = await this.#options.findByHosts([...this.#entries.keys()]).catch(() => undefined);
    for (const [host, entry] of this.#entries) {
      const isRemoved = found !== undefined && !found.some((owner) => isSame(owner, entry.owner));
      const isIdle = Date.now() - entry.usedAt > this.#options.idleMs && (await isUnused(entry));
      if (isRemoved || isIdle) void this.#close(host);
    }
  }

  /** Takes an app out of memory. Its requests finish first, and the next request for the host waits. */
  #close(host: string): Promise<void> {
    const entry = this.#entries.get(host);
    if (entry === undefined) return Promise.resolve();
    this.#entries.delete(host);
    const closing = closeEntry(entry)
      .catch((error: unknown) => this.#options.onError(entry.owner, error))
      .finally(() => {
        if (this.#closing.get(host) === closing) this.#closing.delete(host);
      });
    this.#closing.set(host, closing);
    return closing;
  }
}

/** How long the requests of a closing app may take. */
const DRAIN_MS = 10_000;
const DRAIN_POLL_MS = 50;

async function closeEntry(entry: Entry): Promise<void> {
  const app = await entry.opening.catch(() => undefined);
  const until = Date.now() + DRAIN_MS;
  while (entry.requests > 0 && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
  await app?.close();
}

async function isUnused(entry: Entry): Promise<boolean> {
  if (entry.requests > 0) return false;
  const app = await entry.opening.catch(() => undefined);
  return app !== undefined && !app.isBusy() && entry.requests === 0;
}

function isSame(a: HostedOwner, b: HostedOwner): boolean {
  return a.host === b.host && a.name === b.name && a.createdAt === b.createdAt;
}

function isRecent(time: number | undefined, withinMs: number): boolean {
  return time !== undefined && Date.now() - time < withinMs;
}

/** Says nothing about the cause: anybody can ask. */
function unavailable(): Response {
  const error = new AppError('busy', 'This address cannot be served right now.', {
    hint: 'Try again in a minute.',
  });
  const headers = [...answerHeaders(''), ['retry-after', '60']] as [string, string][];
  return Response.json(errorBody(error), { status: error.status, headers });
}
