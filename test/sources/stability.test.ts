import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openInputs } from '../../src/import/open/open-inputs.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { runImport } from '../../src/import/run-import.ts';
import { importers } from '../../src/sources/importers.ts';
import type { Store } from '../../src/store/store.ts';
import { makeInputFile } from '../support/input-file.ts';
import { createWorld } from '../support/world.ts';

const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url));
const SAMPLES = ['../shared/samples', '../shared/samples-2'];

const listFolders = (root: string) =>
  existsSync(root)
    ? readdirSync(root, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(root, name))
    : [];

/** Everything that a person may give at once: a fixture, or all samples of one kind. */
const exports = [
  ...listFolders(FIXTURES).flatMap((format) => listFolders(format)),
  ...SAMPLES.flatMap(listFolders),
];

let clock = Date.parse('2026-06-01T12:00:00Z');

type Opened = Pick<Awaited<ReturnType<typeof openInputs>>, 'files' | 'problems'>;

async function importAll(store: Store, opened: Opened) {
  clock += 1_000;
  const { found } = await recogniseInputs(importers, opened.files);
  const streams: Record<string, unknown>[] = [];
  for (const one of found) {
    const { report } = await runImport(store, one, {
      options: { timeZone: 'Europe/Berlin' },
      openProblems: opened.problems,
      now: () => new Date(clock),
    });
    streams.push(
      ...Object.entries(report.streams).map(([name, counts]) => ({
        name: `${report.connection_id} ${name}`,
        ...counts,
      })),
    );
  }
  return streams;
}

describe('importing the same files again', { timeout: 120_000 }, () => {
  it.each(exports.map((folder) => [folder.replace(FIXTURES, ''), folder]))(
    'adds and changes nothing: %s',
    async (_, folder) => {
      const world = await createWorld();
      onTestFinished(() => world.close());
      const opened = await openInputs([folder]);
      onTestFinished(() => opened.close());
      const first = await importAll(world.store, opened);
      if (folder.startsWith(FIXTURES)) expect(first.length).toBeGreaterThan(0);
      for (const counts of await importAll(world.store, opened))
        expect(counts).toEqual({ ...counts, new: 0, changed: 0 });
    },
  );

  it('loses no Google activity and no Timeline place with a shared key', async () => {
    const world = await createWorld();
    onTestFinished(() => world.close());
    const time = '2026-01-02T03:04:05.678Z';
    const searched = { header: 'Search', title: 'Searched for bread', time, titleUrl: 'https://x.example/' };
    const watched = {
      header: 'YouTube',
      title: 'Watched Bread',
      time,
      titleUrl: 'https://www.youtube.com/watch?v=abcdefghijk',
    };
    const place = { placeId: 'P', placeLocation: '52.5°, 13.4°' };
    const segment = { startTime: time, endTime: time, visit: { topCandidate: place } };
    const files = [
      makeInputFile(
        'Takeout/My Activity/Search/MyActivity.json',
        JSON.stringify([searched, { ...searched, header: 'Image Search' }, searched, watched]),
      ),
      makeInputFile(
        'Takeout/YouTube/history/watch-history.json',
        JSON.stringify([{ ...watched, subtitles: [{ name: 'Baker' }] }]),
      ),
      makeInputFile(
        'Timeline.json',
        JSON.stringify({
          semanticSegments: [segment],
          userLocationProfile: {
            frequentPlaces: ['HOME', 'WORK', 'HOME'].map((label) => ({ ...place, label })),
          },
        }),
      ),
    ];
    const first = await importAll(world.store, { files, problems: [] });
    expect(first).toEqual([
      { name: 'google_activity activity', new: 2, changed: 0, same: 0, skipped: 0 },
      { name: 'google_activity watch_history', new: 1, changed: 0, same: 0, skipped: 0 },
      { name: 'google_location visits', new: 1, changed: 0, same: 0, skipped: 0 },
      { name: 'google_location places', new: 2, changed: 0, same: 0, skipped: 0 },
    ]);
    for (const counts of await importAll(world.store, { files, problems: [] }))
      expect(counts).toMatchObject({ new: 0, changed: 0 });
  });
});
