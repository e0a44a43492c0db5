import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

describe('a missing data folder', () => {
  it.each([
    ['doctor'],
    ['verify'],
    ['connection list'],
    ['connection rename a b'],
    ['connection remove a'],
    ['grant list'],
    ['grant revoke grant_1'],
    ['grant create --client A --allow a'],
    ['import list'],
    ['import undo 1'],
    ['owner revoke'],
    ['ingest a b'],
    ['backup TO'],
  ])('is not made by %s, which says so', async (line) => {
    const place = makeFolder();
    const data = join(place, 'typo');
    const words = line.replace('TO', join(place, 'to')).split(' ');
    const { code, out, err } = await runCli([...words, '--data', data]);
    expect(code).toBe(3);
    expect(out + err).toMatch(/No pdpp data in this folder|[Nn]o complete store in this folder/);
    expect(existsSync(data)).toBe(false);
  });

  it('is not created by a dry run, which reports what it would add', async () => {
    const place = makeFolder();
    const [data, note] = [join(place, 'new'), join(place, 'n26.csv')];
    writeFileSync(note, 'name,born\nAnna,1990-01-02\nBert,1991-02-03\n');
    const { code, out } = await runCli(['import', note, '--dry-run', '--data', data]);
    expect([code, out]).toEqual([0, expect.stringContaining('2 new')]);
    expect(existsSync(data)).toBe(false);
  });
});
