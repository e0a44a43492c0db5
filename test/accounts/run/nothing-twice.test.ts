import { describe, expect, it } from 'vitest';
import { runSync } from '../../../src/accounts/run/run-sync.ts';
import type { SyncOptions } from '../../../src/accounts/run/sync-options.ts';
import { loadCatalog } from '../../../src/schema-index/catalog.ts';
import type { SqliteStore } from '../../../src/store/sqlite/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { ACCOUNT_ID, accountRow } from '../../support/accounts/account-row.ts';
import { FakeMailbox, type Letter } from '../../support/accounts/fake-mailbox.ts';
import { killAt } from '../../support/accounts/kill-store.ts';
import { createDraw, type Draw } from '../../support/draw.ts';
import { countCases } from '../../support/stores/count-cases.ts';
import { openTestStore, relaxSync } from '../../support/stores/engines.ts';
import { makeFolder } from '../../support/temp-folder.ts';

const FOLDERS = ['inbox', 'archive', 'sent'];

function makeLetter(draw: Draw, n: number): Letter {
  return {
    id: `letter-${n}`,
    thread: `thread-${draw.upTo(5)}`,
    sent_at: `2026-03-0${1 + draw.upTo(8)}T12:00:00Z`,
    subject: `subject ${n}`,
    seen: false,
  };
}

/** Changes the mailbox as a person does: new letters, copies, moves, flags, deletions. */
function play(mailbox: FakeMailbox, draw: Draw, numbers: { last: number }): void {
  for (let step = draw.upTo(12); step >= 0; step--) {
    const folder = draw.pick(FOLDERS);
    const entries = [...(mailbox.folders.get(folder) ?? new Map<string, Letter>())];
    if (entries.length === 0 || draw.chance(35)) {
      mailbox.put(folder, makeLetter(draw, ++numbers.last));
      continue;
    }
    const [item, letter] = draw.pick(entries);
    if (draw.chance(25)) mailbox.remove(folder, item);
    else if (draw.chance(30)) mailbox.put(draw.pick(FOLDERS), letter);
    else if (draw.chance(40)) {
      mailbox.put(draw.pick(FOLDERS), letter);
      mailbox.remove(folder, item);
    } else if (draw.chance(20)) mailbox.renumber(folder, draw);
    else {
      const changed = { ...letter, seen: !letter.seen };
      for (const [name, letters] of mailbox.folders)
        for (const [at, one] of letters) if (one.id === letter.id) mailbox.put(name, changed, at);
    }
  }
}

async function readAll(store: SqliteStore, name: string): Promise<Map<string, Record<string, unknown>>> {
  const { streams } = await loadCatalog(store.write);
  const found = new Map<string, Record<string, unknown>>();
  const own = streams.filter((stream) => stream.name === name);
  expect(own.length).toBeLessThanOrEqual(1);
  for (const { streamId } of own) {
    const keys = Array.from({ length: 400 }, (_, n) => `${name.slice(0, -1)}-${n}`);
    const { records } = await store.read.stored.find(streamId, keys);
    for (const [key, { data }] of records) found.set(key, JSON.parse(data) as Record<string, unknown>);
    const spans = await store.read.stored.spans();
    expect(spans.get(streamId)?.records ?? 0).toBe(records.size);
  }
  return found;
}

async function checkStore(store: SqliteStore, mailbox: FakeMailbox): Promise<void> {
  const expected = new Map(mailbox.letters().map((letter) => [letter.id, letter]));
  const letters = await readAll(store, 'letters');
  expect(Object.fromEntries(letters)).toEqual(Object.fromEntries(expected));
  const threads = await readAll(store, 'threads');
  const counts = new Map<string, number>();
  for (const { thread } of expected.values()) counts.set(thread, (counts.get(thread) ?? 0) + 1);
  expect(Object.fromEntries([...threads].map(([key, { letters: n }]) => [key, n]))).toEqual(
    Object.fromEntries(counts),
  );
}

async function playCase(seed: number): Promise<void> {
  const draw = createDraw(seed);
  const store = await openTestStore(makeFolder());
  relaxSync(store);
  await store.write.accounts.add(accountRow());
  const mailbox = new FakeMailbox();
  const numbers = { last: 0 };
  let time = Date.parse('2026-11-18T12:00:00Z');
  const options = (failAfter?: number): SyncOptions => ({
    loadSource: async () => mailbox.createSource(draw, failAfter),
    createNetwork: () => {
      throw new Error('never used');
    },
    now() {
      time += 10;
      return new Date(time);
    },
    random: () => 0.5,
    signal: new AbortController().signal,
    onError: (error) => {
      throw error;
    },
    budget: draw.chance(20)
      ? { records: 4, characters: 1e6, ms: 1e6 }
      : { records: 1e6, characters: 1e9, ms: 1e6 },
  });
  const sync = async (into: Store, failAfter?: number) => {
    // Another process takes over what a dead one held.
    time += 120_000;
    if (draw.chance(5)) time -= 500_000_000;
    if (draw.chance(5)) time += 600_000_000;
    await store.write.accounts.update(ACCOUNT_ID, { running_until: null });
    return runSync(into, ACCOUNT_ID, { ...options(failAfter), createNetwork: () => ({}) as never });
  };
  for (let round = 0; round < 6; round++) {
    play(mailbox, draw, numbers);
    for (let kill = draw.upTo(3); kill > 0; kill--)
      await sync(killAt(store, 1 + draw.upTo(60)), draw.chance(30) ? draw.upTo(5) : undefined).catch(
        () => {},
      );
    if (draw.chance(60)) {
      let outcome = await sync(store);
      for (let tries = 0; outcome.state === 'partial' && tries < 200; tries++) outcome = await sync(store);
      expect(outcome).toMatchObject({ state: 'synced' });
      await checkStore(store, mailbox);
    }
  }
  store.close();
}

describe('a sync that is killed at any moment', () => {
  const cases = countCases(60);
  for (let seed = 1; seed <= cases; seed++)
    it(`loses nothing and stores nothing twice, case ${seed}`, () => playCase(seed));
});
