import { describe, expect, it, onTestFinished } from 'vitest';
import type { Importer, InputFile } from '../../src/import/importer.ts';
import { cleanData, createKeyMaker } from '../../src/import/make-key.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { runImport } from '../../src/import/run-import.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { importers } from '../../src/sources/importers.ts';
import { openScratch } from '../../src/store/sqlite/scratch.ts';
import { listFirstExports, listOtherExports, type OneExport } from '../support/inputs/second-owners.ts';
import { createWorld, NOW, type World } from '../support/world.ts';

/**
 * Access is granted per connection. An account that is imported later must not become readable for an app that was
 * given another account, for any format.
 */

const options = { timeZone: 'Europe/Berlin' };
/** Every import is compared with all connections before it. */
const MAX_STRANGERS = 3;
let clock = NOW.getTime();

async function bring(world: World, importer: Importer, files: readonly InputFile[]) {
  const { found } = await recogniseInputs([importer], files);
  const reports = [];
  for (const one of found) {
    clock += 1_000;
    const at = new Date(clock);
    reports.push((await runImport(world.store, one, { options, now: () => at })).report);
  }
  return reports;
}

/** All that an app can read of these streams. */
async function readAll(world: World, token: string, streams: readonly string[]): Promise<string> {
  const paths = [...new Set(streams)].map((name) => `/v1/streams/${name}/records?limit=100`);
  const answers = await Promise.all(
    ['/v1/schema', ...paths].map(async (path) => {
      const answer = await world.request(path, { headers: { authorization: `Bearer ${token}` } });
      return (await answer.text()).replace(/"request_id":"[^"]*"/g, '');
    }),
  );
  return answers.join('\n');
}

/** What tells whose an export is: the keys of its records, its account and its owner. */
async function listEvidence(importer: Importer, { files }: OneExport): Promise<Set<string>> {
  const evidence = new Set<string>();
  for (const recognised of await importer.recognise(files)) {
    const { streams } = await importer.declare(recognised, options);
    const scratch = openScratch();
    const makeKey = createKeyMaker(scratch, importer.identity);
    if (recognised.account !== undefined) evidence.add(recognised.account.toLowerCase());
    for await (const item of importer.read(recognised, options)) {
      if (item.kind === 'self') evidence.add(item.value.toLowerCase());
      const stream = item.kind === 'record' ? streams.find(({ name }) => name === item.stream) : undefined;
      // Two owners may each have a chat with Bo.
      if (item.kind !== 'record' || stream === undefined || stream.name === 'chats') continue;
      const data = cleanData(item.data);
      makeKey(stream, data, item.file.path);
      const time = String(data[stream.consent_time_field ?? '']).slice(0, 10);
      evidence.add(`${stream.name} ${stream.primary_key.map((name) => data[name])} ${time}`);
    }
    scratch.close();
  }
  return evidence;
}

describe('an app that may read one account never sees another that is imported later', () => {
  it.each(importers.map((importer) => [importer.format, importer] as const))(
    '%s',
    async (format, importer) => {
      const others = await listOtherExports(format);
      let compared = 0;
      for (const first of listFirstExports(format)) {
        const known = await listEvidence(importer, first);
        const strangers = [];
        for (const other of others) {
          const keys = await listEvidence(importer, other);
          if (keys.size > 0 && ![...keys].some((key) => known.has(key))) strangers.push(other);
          if (strangers.length === MAX_STRANGERS) break;
        }
        if (known.size === 0 || strangers.length === 0) continue;
        const world = await createWorld(options);
        onTestFinished(() => world.close());
        const mine = await bring(world, importer, first.files);
        const ids = [...new Set(mine.map(({ connection_id }) => connection_id))];
        const { token } = await world.grant(ids.map((connection_id) => ({ connection_id })));
        const streams = (await loadCatalog(world.store.read)).streams.map(({ name }) => name);
        const before = await readAll(world, token, streams);
        for (const stranger of strangers) {
          const reports = await bring(world, importer, stranger.files);
          expect(
            reports.map(({ connection_id }) => ids.includes(connection_id)),
            stranger.name,
          ).not.toContain(true);
          compared += reports.length;
        }
        expect(await readAll(world, token, streams)).toBe(before);
        // Its own account comes back into its own connection.
        const again = await bring(world, importer, first.files);
        expect(again.map(({ connection_id }) => connection_id)).toEqual(mine.map((one) => one.connection_id));
        expect(
          again.flatMap(({ streams }) => Object.values(streams).map((counts) => counts.new)),
        ).not.toContain(1);
      }
      expect(compared).toBeGreaterThan(0);
    },
  );
});
