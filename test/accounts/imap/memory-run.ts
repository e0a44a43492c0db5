import { createNetwork } from '../../../src/accounts/network/create-network.ts';
import type {
  SyncContext,
  SyncItem,
  SyncKey,
  SyncRun,
  SyncSource,
} from '../../../src/accounts/sync-source.ts';
import { authority, HOST, PASSWORD, USER } from './dovecot.ts';

type Data = Record<string, unknown>;
interface Item {
  readonly version: string | null;
  readonly records: readonly SyncKey[];
}

/** A network in which every name leads to this machine. */
export const testNetwork = (ca = authority.cert) =>
  createNetwork({
    allowPrivate: true,
    ca,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });

export function makeContext(port: number, more: Partial<SyncContext> = {}): SyncContext {
  return {
    settings: { user: USER, server: HOST, port },
    secret: PASSWORD,
    collections: undefined,
    network: testNetwork(),
    timeZone: 'Europe/Berlin',
    now: () => new Date(),
    signal: new AbortController().signal,
    ...more,
  };
}

/** Keeps what runs yield in memory, by the rules of the interface. What is not committed is lost. */
export class MemoryRun {
  items = new Map<string, Map<string, Item>>();
  records = new Map<string, Data>();
  state: unknown;
  self = new Set<string>();
  problems: string[] = [];
  progress: { done: number; total: number | undefined }[] = [];
  puts = 0;
  checkpoints = 0;
  /** Runs after a checkpoint, while the source waits. */
  onCheckpoint: (count: number) => Promise<void> | void = () => {};

  /** Runs once. `stopAfter` ends it after so many checkpoints, as a crash would. */
  async sync(source: SyncSource, context: SyncContext, stopAfter = Number.POSITIVE_INFINITY): Promise<void> {
    let pending: SyncItem[] = [];
    let checkpoints = 0;
    const run: SyncRun = {
      ...context,
      state: structuredClone(this.state),
      items: {
        list: (collection) => this.#list(collection),
        find: async (collection, items) =>
          new Map(
            items.flatMap((item) => {
              const found = this.items.get(collection)?.get(item);
              return found === undefined ? [] : [[item, found] as const];
            }),
          ),
        collections: async () => [...this.items.keys()],
      },
      readStored: async (stream, keys) =>
        new Map(
          keys.flatMap((key) => {
            const data = this.records.get(`${stream}\n${key}`);
            return data === undefined ? [] : [[key, structuredClone(data)] as const];
          }),
        ),
    };
    for await (const item of source.sync(run)) {
      pending.push(item);
      if (item.kind === 'progress') this.progress.push(item);
      if (item.kind !== 'checkpoint') continue;
      this.#commit(pending, item.state);
      pending = [];
      checkpoints += 1;
      await this.onCheckpoint(checkpoints);
      if (checkpoints >= stopAfter) return;
    }
  }

  get messages(): Data[] {
    return [...this.records].flatMap(([key, data]) => (key.startsWith('messages\n') ? [data] : []));
  }

  get threads(): Data[] {
    return [...this.records].flatMap(([key, data]) => (key.startsWith('threads\n') ? [data] : []));
  }

  find(subject: string): Data[] {
    return this.messages.filter((one) => one.subject === subject);
  }

  async *#list(collection: string) {
    const items = [...(this.items.get(collection) ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [item, { version }] of items) yield { item, version };
  }

  #commit(items: readonly SyncItem[], state: unknown): void {
    const lost: SyncKey[] = [];
    for (const item of items) {
      if (item.kind === 'self') this.self.add(item.value);
      if (item.kind === 'problem') this.problems.push(`${item.place} ${item.reason}`);
      if (item.kind === 'reset') {
        for (const { records } of this.items.get(item.collection)?.values() ?? []) lost.push(...records);
        this.items.delete(item.collection);
      }
      if (item.kind !== 'put' && item.kind !== 'remove') continue;
      const collection = this.items.get(item.collection) ?? new Map<string, Item>();
      this.items.set(item.collection, collection);
      lost.push(...(collection.get(item.item)?.records ?? []));
      if (item.kind === 'remove') collection.delete(item.item);
      else collection.set(item.item, this.#put(item));
    }
    this.#forget(lost);
    this.state = JSON.parse(JSON.stringify(state));
    this.checkpoints += 1;
  }

  #put({ version, records, kept = [] }: Extract<SyncItem, { kind: 'put' }>): Item {
    this.puts += 1;
    const keys = records.map(({ stream, data }) => {
      const clean = JSON.parse(JSON.stringify(data)) as Data;
      this.records.set(`${stream}\n${String(clean.id)}`, clean);
      return { stream, key: String(clean.id) };
    });
    return { version: version ?? null, records: [...keys, ...kept] };
  }

  #forget(keys: readonly SyncKey[]): void {
    const name = ({ stream, key }: SyncKey) => `${stream}\n${key}`;
    const gone = new Set(keys.map(name));
    for (const items of this.items.values())
      for (const { records } of items.values()) for (const key of records) gone.delete(name(key));
    for (const key of gone) this.records.delete(key);
  }
}

interface MailParts {
  readonly id?: string;
  readonly subject: string;
  readonly from?: string;
  readonly to?: string;
  readonly date?: string;
  readonly text?: string;
  readonly headers?: readonly string[];
}

/** A plain mail with line feeds. */
export function makeText({ id, subject, from, to, date, text, headers = [] }: MailParts): string {
  return [
    `From: ${from ?? 'Ben <ben@example.net>'}`,
    `To: ${to ?? `Anna <${USER}>`}`,
    `Subject: ${subject}`,
    `Date: ${date ?? 'Mon, 2 Mar 2026 10:00:00 +0100'}`,
    ...(id === undefined ? [] : [`Message-ID: <${id}>`]),
    ...headers,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text ?? `Text of ${subject}.`,
    '',
  ].join('\n');
}
