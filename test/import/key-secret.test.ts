import { hash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { describeDamaged } from '../../src/attachments/read-attachment.ts';
import { listImports } from '../../src/import/import-log.ts';
import { hashKey, makeContentKey } from '../../src/import/make-key.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { runImport } from '../../src/import/run-import.ts';
import { loadImporters } from '../../src/sources/load-importers.ts';
import { makeInputFile } from '../support/input-file.ts';
import { createWorld, NOW, type World } from '../support/world.ts';

const STATEMENT = `Date,Description,Amount,Currency,IBAN
2026-06-01,Salary,4321.99,EUR,DE89370400440532013000
2026-06-02,Pharmacy,-23.40,EUR,DE89370400440532013000
`;
const MAIL = [
  'From: a@example.org',
  'Date: Mon, 1 Jun 2026 10:00:00 +0000',
  'Subject: Your code',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/plain',
  '',
  'Attached.',
  '--x',
  'Content-Type: text/plain; name=code.txt',
  'Content-Disposition: attachment; filename=code.txt',
  '',
  '4711',
  '--x--',
  '',
].join('\r\n');

const worlds: World[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

async function open(): Promise<World> {
  const world = await createWorld();
  worlds.push(world);
  return world;
}

async function add(world: World, name: string, text: string, dryRun = false) {
  const { found } = await recogniseInputs(await loadImporters(), [makeInputFile(name, text)]);
  const run = { options: { timeZone: 'UTC' }, now: () => NOW, dryRun };
  return runImport(world.store, found[0] as (typeof found)[0], run);
}

function keysOf({ store }: World): string[] {
  return store.read.raw.prepare('select key from records order by stream_id, key').pluck().all() as string[];
}

/** How keys of the attached file ended before there was a secret, for all ends of its line. */
function guessEndings(): string[] {
  return ['4711', '4711\n', '4711\r\n'].map((text) =>
    hash('sha256', `${text.length}\n${text}`, 'base64url').slice(0, 10),
  );
}

describe('G-03 the key of an imported record', () => {
  it('cannot be computed from the content of the record', async () => {
    const world = await open();
    await add(world, 'statement.csv', STATEMENT);
    await add(world, 'mail.eml', MAIL);
    const rows = world.store.read.raw
      .prepare('select stream, key, data from records join streams using (stream_id)')
      .all() as { stream: string; key: string; data: string }[];
    expect(rows.map(({ stream }) => stream).sort()).toEqual([
      'accounts',
      'attachments',
      'messages',
      'threads',
      'transactions',
      'transactions',
    ]);
    for (const { stream, key, data } of rows) {
      const { id: _, ...record } = JSON.parse(data) as Record<string, unknown>;
      const names = Object.keys(record);
      // Keys are made of some of the fields.
      for (let some = 1; some < 2 ** Math.min(names.length, 10); some++) {
        const fields = names.filter((_name, at) => (some >> at) & 1);
        expect(makeContentKey(stream, record, fields)).not.toBe(key);
      }
    }
    const [account] = rows.filter(({ stream }) => stream === 'accounts');
    expect(account?.key).not.toBe(hashKey('DE89370400440532013000'));
    const [attachment] = rows.filter(({ stream }) => stream === 'attachments');
    for (const guess of guessEndings()) expect(attachment?.key).not.toContain(guess);
  });

  it('is the same for the same export in one store, and another in another store', async () => {
    const [one, other] = [await open(), await open()];
    for (const world of [one, other]) {
      await add(world, 'statement.csv', STATEMENT);
      await add(world, 'mail.eml', MAIL);
    }
    const keys = keysOf(one);
    expect(keys).toHaveLength(6);
    expect(keysOf(other).filter((key) => keys.includes(key))).toEqual([]);
    await add(one, 'again.csv', STATEMENT);
    await add(one, 'again.eml', MAIL);
    expect(keysOf(one)).toEqual(keys);
    expect((await listImports(one.store.read))[0]?.report.streams.messages).toMatchObject({
      same: 1,
      new: 0,
    });
  });

  it('stays as it was in a store with imports of an earlier version', async () => {
    const [old, fresh] = [await open(), await open()];
    const first = await add(old, 'statement.csv', STATEMENT);
    old.store.write.raw.prepare("delete from settings where name = 'key_secret'").run();
    expect(first.state).toBe('done');
    await add(old, 'mail.eml', MAIL);
    expect(await old.store.read.catalog.keySecret()).toBeUndefined();
    const isGuessed = (key: string) => guessEndings().some((end) => key.endsWith(end));
    expect(keysOf(old).filter(isGuessed)).toHaveLength(1);
    await add(fresh, 'mail.eml', MAIL);
    expect(await fresh.store.read.catalog.keySecret()).toMatch(/^[\w-]{43}$/);
  });

  it('does not show the size of a damaged attached file', () => {
    expect(describeDamaged(4_711).fingerprint).not.toContain('4711');
  });

  it('is not prepared by a dry run', async () => {
    const world = await open();
    await add(world, 'statement.csv', STATEMENT, true);
    expect(await world.store.read.catalog.keySecret()).toBeUndefined();
  });

  it('depends on one secret when two first imports run at once', async () => {
    const world = await open();
    await Promise.all([add(world, 'statement.csv', STATEMENT), add(world, 'mail.eml', MAIL)]);
    const keys = keysOf(world);
    await add(world, 'statement.csv', STATEMENT);
    await add(world, 'mail.eml', MAIL);
    expect(keysOf(world)).toEqual(keys);
  });
});
