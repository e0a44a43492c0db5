import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type ChainEnd, createEndFinder } from '../store/sqlite/append.ts';
import { type ChainName, sealNote } from '../store/sqlite/chain.ts';
import type { SqliteStore } from '../store/sqlite/open-store.ts';
import { addGap } from './gaps.ts';

/**
 * How far the chains had come, kept in the other database file: rows that are cut off at the end leave a chain
 * that is whole, only shorter.
 */
export interface Head {
  readonly audit: HeadEnd;
  readonly events: HeadEnd;
  readonly at: string;
}

interface HeadEnd {
  readonly id: number;
  /** In hexadecimal. */
  readonly mac: string;
}

type SqliteAudit = SqliteStore['audit'];

const NAME = 'audit_head';
/** Later than any time. */
const NEVER = '~';
const chains = ['audit', 'events'] as const satisfies readonly ChainName[];

export function readHead(
  database: Database.Database,
  key: Uint8Array,
): { kind: 'none' } | { kind: 'unsealed'; at: string } | { kind: 'known'; head: Head } {
  const text = database.prepare('select value from settings where name = ?').pluck().get(NAME);
  if (text === undefined) return { kind: 'none' };
  try {
    const [head, seal] = JSON.parse(String(text)) as [Head, string];
    return seal === sealHead(key, head) ? { kind: 'known', head } : { kind: 'unsealed', at: head.at };
  } catch {
    return { kind: 'unsealed', at: NEVER };
  }
}

/**
 * Notes where the chains end, if that is known to be on disk and nobody else is writing to the store: it can
 * wait, and must not keep an answer or an import waiting.
 */
export function writeHead({ directory, write, audit }: SqliteStore, now: Date): boolean {
  const head = { audit: endOf(audit, 'audit'), events: endOf(audit, 'events'), at: now.toISOString() };
  const before = readHead(write.raw, audit.chainKey);
  if (before.kind === 'known' && chains.every((chain) => before.head[chain].mac === head[chain].mac))
    return true;
  // A head that is ahead of what survives a power cut would later look like rows that were cut off.
  const [written] = audit.raw.pragma('wal_checkpoint(passive)') as { log: number; checkpointed: number }[];
  if (written === undefined || written.log !== written.checkpointed) return false;
  // A connection of its own: the store's may be in the middle of a transaction, and this one does not wait.
  const store = new Database(join(directory, 'store.sqlite'), { fileMustExist: true, timeout: 0 });
  try {
    store
      .prepare('insert into settings values (?, ?) on conflict (name) do update set value = excluded.value')
      .run(NAME, JSON.stringify([head, sealHead(audit.chainKey, head)]));
    return true;
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
    return false;
  } finally {
    store.close();
  }
}

/**
 * Looks whether the chains still reach as far as they once did, and says in words what is missing. It is written
 * down as lost, so that new rows go on after it and the hole is told for ever, not only until the next head.
 */
export function findCut({ write, audit }: SqliteStore, now: Date): string | undefined {
  const found = readHead(write.raw, audit.chainKey);
  if (found.kind === 'none') return undefined;
  if (found.kind === 'unsealed')
    return found.at > readKeySince(audit) ? 'the note of where it ended was changed' : undefined;
  const note = audit.raw.transaction(() => chains.map((chain) => noteLost(audit, chain, found.head, now)));
  const [reads = 0, events = 0] = note.immediate();
  if (reads + events > 0) return `${reads} reads and ${events} events`;
  const isWhole = chains.every((chain) => passesThrough(audit.raw, chain, found.head));
  return isWhole ? undefined : 'the last ones were replaced';
}

/** Joins a chain that was cut to where it had ended, and returns how many rows are missing. */
function noteLost({ raw, chainKey }: SqliteAudit, chain: ChainName, head: Head, now: Date): number {
  const end = createEndFinder(raw, chain)();
  const was = head[chain];
  if (end.id >= was.id) return 0;
  addGap(raw, chainKey, {
    chain,
    after_id: end.id,
    through_id: was.id,
    entries: 0,
    cause: 'lost',
    at: now.toISOString(),
    mac_before: end.mac,
    mac_after: Buffer.from(was.mac, 'hex'),
  });
  return was.id - end.id;
}

function readKeySince({ raw }: SqliteAudit): string {
  return String(raw.prepare('select at from chain_keys order by key_id desc limit 1').pluck().get());
}

/** Whether a chain that reaches further than the head passes through it. */
export function passesThrough(raw: Database.Database, chain: ChainName, head: Head): boolean {
  const mac = raw.prepare(`select mac from ${chain} where id = ?`).pluck().get(head[chain].id);
  return mac === undefined || (mac !== null && toHex(mac as Uint8Array) === head[chain].mac);
}

function endOf(audit: SqliteAudit, chain: ChainName): HeadEnd {
  const { id, mac }: ChainEnd = createEndFinder(audit.raw, chain)();
  return { id, mac: toHex(mac) };
}

function sealHead(key: Uint8Array, { audit, events, at }: Head): string {
  return sealNote(key, 'head', [audit.id, audit.mac, events.id, events.mac, at]).toString('hex');
}

function toHex(mac: Uint8Array): string {
  return Buffer.from(mac).toString('hex');
}
