import { createAccessFinder } from '../../src/grants/grant.ts';
import type { SqliteStore } from '../../src/store/sqlite/open-store.ts';
import { countTables } from '../support/fill-store.ts';
import { ORIGIN } from '../support/world.ts';
import { BATCH_SIZE } from './versioned-lines.ts';

/** An access that an app was given. While its end is asked for, both answers are right. */
export interface GivenAccess {
  readonly accessToken: string;
  refreshToken: string;
  state: 'live' | 'ending' | 'ended';
}

/** Everything that was acknowledged. What is in it must never be missing again. */
export class Ledger {
  /** Batch to the last version of it that was acknowledged. */
  readonly batches = new Map<number, number>();
  readonly accesses: GivenAccess[] = [];
  /** How many things of every kind. */
  acknowledged = 0;
  #next = 0;

  takeBatch(): number {
    this.#next += 1;
    return this.#next;
  }

  /** For a process that counts by itself. */
  skipTo(batch: number): void {
    this.#next = Math.max(this.#next, batch);
  }

  acknowledge(batch: number, version: number): void {
    this.batches.set(batch, Math.max(version, this.batches.get(batch) ?? 0));
    this.acknowledged += 1;
  }

  give(accessToken: string, refreshToken: string): void {
    this.accesses.push({ accessToken, refreshToken, state: 'live' });
    this.acknowledged += 1;
  }

  rotate(access: GivenAccess, refreshToken: string): void {
    access.refreshToken = refreshToken;
    this.acknowledged += 1;
  }

  end(access: GivenAccess): void {
    access.state = 'ended';
    this.acknowledged += 1;
  }
}

/** What is wrong with a store that must hold at least what the ledger says, in whole batches, with all parts agreeing. */
export async function findLosses(store: SqliteStore, ledger: Ledger): Promise<string[]> {
  return [...findLostBatches(store, ledger), ...checkParts(store), ...(await findWrongAccess(store, ledger))];
}

function findLostBatches(store: SqliteStore, ledger: Ledger): string[] {
  const found = readBatches(store);
  const lost = [...ledger.batches].flatMap(([batch, version]) => {
    const stored = found.get(batch)?.version;
    return stored !== undefined && stored >= version
      ? []
      : [`batch ${batch} is at ${stored}, not ${version}`];
  });
  const torn = [...found].flatMap(([batch, { records, versions, past, version }]) =>
    records === BATCH_SIZE && versions.size === 1 && past === BATCH_SIZE * version
      ? []
      : [`batch ${batch} has ${records} records of versions ${[...versions]} and ${past} in history`],
  );
  return [...lost, ...torn];
}

function readBatches(store: SqliteStore) {
  const { raw } = store.write;
  const found = new Map<number, { records: number; versions: Set<number>; version: number; past: number }>();
  const rows = raw.prepare(`select key, data ->> '$.title' as title from records`).all() as {
    key: string;
    title: string;
  }[];
  const past = new Map(
    raw.prepare('select key, count(*) as n from history group by key').raw().all() as [string, number][],
  );
  for (const { key, title } of rows) {
    const batch = Number(/^b(\d+)-/.exec(key)?.[1]);
    const version = Number(title.slice('version '.length));
    const one = found.get(batch) ?? { records: 0, versions: new Set<number>(), version, past: 0 };
    one.records += 1;
    one.versions.add(version);
    one.past += past.get(key) ?? 0;
    found.set(batch, one);
  }
  return found;
}

function checkParts(store: SqliteStore): string[] {
  const { records, facets, days, texts, strayTexts, strayFacets, wrongDays } = countTables(store);
  const agree = facets === records && days === records && texts === records;
  const stray = strayTexts + strayFacets + wrongDays;
  const pages = store.write.raw.pragma('quick_check(1)', { simple: true });
  return [
    ...(agree && stray === 0
      ? []
      : [`${records} records, ${facets} facets, ${days} in days, ${texts} texts`]),
    ...(pages === 'ok' ? [] : ['a page is damaged']),
  ];
}

async function findWrongAccess(store: SqliteStore, ledger: Ledger): Promise<string[]> {
  const find = createAccessFinder(store.read, `${ORIGIN}/mcp`);
  const wrong: string[] = [];
  for (const { accessToken, state } of ledger.accesses) {
    if (state === 'ending') continue;
    const { kind } = await find(accessToken, new Date());
    if ((kind === 'client') !== (state === 'live'))
      wrong.push(`an access that is ${state} is found as ${kind}`);
  }
  return wrong;
}
