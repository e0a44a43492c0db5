import { closeSync, copyFileSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { DEMO_DAY, DEMO_END } from '../../bench/demo-end.ts';
import { fillGenerated } from '../../bench/generator/fill-generated.ts';
import { FORMER_DEMO_CONNECTION_IDS } from '../../src/demo/demo-connections.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { runCli } from '../support/run-cli.ts';
import { hashFolder, makeFolder } from '../support/temp-folder.ts';

/** Everything that the demo stored, in one text. */
function dump(folder: string): string {
  const database = new Database(join(folder, 'store.sqlite'), { readonly: true });
  const rows = database
    .prepare('select stream_id, key, t, emitted_at, data from records order by stream_id, key')
    .all();
  const connections = database
    .prepare('select connection_id, connector_key from connections order by 1')
    .all();
  database.close();
  return JSON.stringify([connections, rows]);
}

function copyOf(from: string): string {
  const to = makeFolder();
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
  return to;
}

describe('pdpp demo and pdpp doctor', () => {
  it('fill a store the same way each time, silently in a pipe, and find no problem', async () => {
    const [first, second] = [makeFolder(), makeFolder()];
    const demo = (folder: string) => runCli(['demo', '--until', DEMO_DAY, '--data', folder]);
    for (const { code, out, err } of await Promise.all([demo(first), demo(second)])) {
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/^Added [\d,]+ demo records in 10 connections\.\n/);
      expect(out).not.toMatch(/\r|█/);
    }
    expect(dump(first) === dump(second)).toBe(true);

    const again = await runCli(['demo', '--data', first, '--json']);
    // The day that was asked for, which a second run finds again.
    const until = `${DEMO_DAY}T22:00:00.000Z`;
    expect(JSON.parse(again.out)).toMatchObject({ records: expect.any(Number), until });
    expect(dump(first) === dump(second)).toBe(true);

    const other = await runCli(['demo', '--until', '2026-06-30', '--data', first]);
    expect([other.code === 0, other.err]).toEqual([
      false,
      expect.stringMatching(/pdpp demo --data \S+ --remove/),
    ]);
    expect(dump(first) === dump(second)).toBe(true);

    const doctor = await runCli(['doctor', '--data', first, '--json']);
    expect([doctor.code, doctor.err]).toEqual([0, '']);
    const findings = JSON.parse(doctor.out) as { check: string; fine: boolean }[];
    expect(findings.length).toBeGreaterThanOrEqual(5);
    expect(findings.filter((finding) => !finding.fine)).toEqual([]);
  });

  it('keep the demo of an earlier version as it is, and replace it once it is removed', async () => {
    const folder = makeFolder();
    const store = await openStore(folder);
    await fillGenerated(store.write, { records: 200, seed: 1, until: DEMO_END }, DEMO_END);
    store.close();
    const before = dump(folder);
    const refused = await runCli(['demo', '--data', folder]);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toMatch(/demo data of an earlier version[\s\S]*pdpp demo --data \S+ --remove/);
    expect(dump(folder) === before).toBe(true);

    const removed = await runCli(['demo', '--remove', '--data', folder, '--json']);
    expect(JSON.parse(removed.out)).toMatchObject({ connections: FORMER_DEMO_CONNECTION_IDS });
    expect((await runCli(['demo', '--until', DEMO_DAY, '--data', folder])).code).toBe(0);
    expect((await runCli(['verify', '--data', folder])).code).toBe(0);
    const { connections } = JSON.parse((await runCli(['demo', '--remove', '--data', folder, '--json'])).out);
    expect(connections).toHaveLength(10);
  });

  it('end today unless a day is given', async () => {
    const before = Date.now();
    const { out } = await runCli(['demo', '--json', '--data', join(makeFolder(), 'data')]);
    const end = Date.parse((JSON.parse(out) as { until: string }).until);
    expect([end >= before, end <= Date.now()]).toEqual([true, true]);
  });

  it('leave a store that pdpp verify accepts, and verify names later changes', async () => {
    const folder = makeFolder();
    expect((await runCli(['demo', '--data', folder])).code).toBe(0);
    const before = hashFolder(folder);
    const sound = await runCli(['verify', '--data', folder]);
    expect([sound.code, sound.err]).toEqual([0, '']);
    expect(sound.out).toMatch(/^ok +facets: agree with [\d,]+ records$/m);
    expect(hashFolder(folder)).toEqual(before);

    const database = new Database(join(folder, 'store.sqlite'));
    database.exec('delete from facets where key = (select key from facets limit 1)');
    database.close();
    const broken = await runCli(['verify', '--data', folder, '--json']);
    expect(broken.code).toBe(3);
    const findings = JSON.parse(broken.out) as { check: string; fine: boolean; problems: unknown[] }[];
    expect(findings.filter(({ fine }) => !fine)).toMatchObject([
      {
        check: 'facets',
        problems: [{ what: 'records that no filter finds', examples: [expect.any(String)] }],
      },
    ]);
    const nowhere = await runCli(['verify', '--data', join(folder, 'none')]);
    expect([nowhere.code, nowhere.out]).toEqual([3, '']);
  });

  it('describe the damage of a store and leave it unchanged', async () => {
    const folder = makeFolder();
    expect((await runCli(['demo', '--data', folder])).code).toBe(0);
    const missing = copyOf(folder);
    const pages = copyOf(folder);

    const database = new Database(join(missing, 'store.sqlite'));
    database.exec('delete from facets where key in (select key from facets limit 1)');
    database.exec('delete from days where day in (select day from days limit 1)');
    database.close();
    const handle = openSync(join(pages, 'store.sqlite'), 'r+');
    writeSync(handle, Buffer.alloc(8192, 0x5a), 0, 8192, 4096 * 20);
    closeSync(handle);

    const before = hashFolder(pages);
    const [disagrees, damaged] = await Promise.all([
      runCli(['doctor', '--data', missing]),
      runCli(['doctor', '--data', pages]),
    ]);
    expect(disagrees.code).toBe(3);
    expect(disagrees.out).toMatch(/^BAD +facets: [\d,]+ for [\d,]+ records/m);
    expect(disagrees.out).toMatch(/^BAD +day counts: [\d,]+ for [\d,]+ records/m);
    expect(disagrees.out).toMatch(/^ok +store.sqlite: every page is sound$/m);
    expect(damaged.code).toBe(3);
    expect(`${damaged.out}${damaged.err}`).toMatch(/damaged/);
    expect(`${damaged.out}${damaged.err}`).not.toMatch(/SQLITE|at .+:\d+:\d+/);
    expect(hashFolder(pages)).toEqual(before);
  });
});
