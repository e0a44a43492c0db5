import { describe, expect, it, onTestFinished } from 'vitest';
import type { Importer, InputFile } from '../../src/import/importer.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { runImport } from '../../src/import/run-import.ts';
import { importers } from '../../src/sources/importers.ts';
import { openStore } from '../../src/store/sqlite/open-store.ts';
import { makeInputFile } from '../support/input-file.ts';
import { listFirstExports } from '../support/inputs/second-owners.ts';
import { makeFolder } from '../support/temp-folder.ts';

async function setUp() {
  const store = await openStore(makeFolder());
  onTestFinished(() => store.close());
  let clock = Date.parse('2026-01-01T00:00:00Z');
  const bring = async (
    timeZone: string,
    files: readonly InputFile[],
    some: readonly Importer[] = importers,
  ) => {
    const { found } = await recogniseInputs(some, files);
    const reports = [];
    for (const one of found) {
      clock += 1_000;
      const at = new Date(clock);
      const foretold = await runImport(store, one, { options: { timeZone }, now: () => at, dryRun: true });
      const { report } = await runImport(store, one, { options: { timeZone }, now: () => at });
      expect(foretold.report.streams).toEqual(report.streams);
      reports.push(report);
    }
    return reports;
  };
  const count = () => store.read.raw.prepare('select count(*) from records').pluck().get() as number;
  return { store, bring, count };
}

const chat = makeInputFile(
  'WhatsApp Chat with Bo.txt',
  [
    '13/02/2024, 10:00 - Anna Weber: ok',
    '13/02/2024, 11:00 - Anna Weber: ok',
    '13/02/2024, 16:00 - Anna Weber: ok',
    '13/02/2024, 16:00 - Anna Weber: ok',
    '31/03/2024, 02:30 - Bo: in the hour that Berlin skips',
    '27/10/2024, 02:30 - Bo: in the hour that Berlin has twice',
    '28/10/2024, 23:59 - Bo: Good night',
  ].join('\n'),
);
const sentAt = `select data ->> 'sent_at' from records join streams using (stream_id) where stream = 'messages' order by 1`;

describe('times without a zone', () => {
  it('are updated, not duplicated, by importing again with another zone', async () => {
    const { store, bring, count } = await setUp();
    const [first] = await bring('Europe/Berlin', [chat]);
    expect(first?.notes).toContainEqual(
      expect.stringContaining('Times without a time zone are read as Europe/Berlin'),
    );
    const before = [count(), store.read.raw.prepare(sentAt).pluck().all()] as const;
    // Six hours later: in one zone the second message is where the third was in the other.
    for (const zone of ['America/New_York', 'Asia/Tokyo', 'UTC']) {
      const [again] = await bring(zone, [chat]);
      expect(again?.streams.messages).toEqual({ new: 0, changed: 7, same: 0, skipped: 0 });
      expect(count()).toBe(before[0]);
    }
    await bring('Europe/Berlin', [chat]);
    expect([count(), store.read.raw.prepare(sentAt).pluck().all()]).toEqual(before);
  });

  it('are not duplicated in imports of an earlier version, which stored no zone', async () => {
    const { store, bring, count } = await setUp();
    await bring('Europe/Berlin', [chat]);
    const before = count();
    store.write.raw.exec(`update imports set report = json_remove(report, '$.key_zone')`);
    store.write.raw.exec(`insert into settings values ('time_zone', 'Europe/Berlin') on conflict do nothing`);
    const [again] = await bring('America/New_York', [chat]);
    expect(again?.streams.messages).toEqual({ new: 0, changed: 7, same: 0, skipped: 0 });
    expect(count()).toBe(before);
  });

  it.each(importers.map((importer) => [importer.format, importer] as const))(
    'of %s are the same records in another zone',
    async (format, importer) => {
      for (const { name, files } of listFirstExports(format)) {
        const { bring, count } = await setUp();
        await bring('America/Los_Angeles', files, [importer]);
        const before = count();
        const again = await bring('Asia/Tokyo', files, [importer]);
        const added = again.flatMap(({ streams }) => Object.values(streams).map((counts) => counts.new));
        expect(
          [...new Set(added)].filter((n) => n > 0),
          name,
        ).toEqual([]);
        expect(count(), name).toBe(before);
      }
    },
  );
});
