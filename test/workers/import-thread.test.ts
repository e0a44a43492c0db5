import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { createServedImports } from '../../src/http/owner/served-imports.ts';
import type { ImportService } from '../../src/import/service/import-service.ts';
import { createUploadRunner } from '../../src/import/service/run-upload.ts';
import type { JobView } from '../../src/import/service/upload-job.ts';
import type { Log } from '../../src/log.ts';
import { loadImporters } from '../../src/sources/load-importers.ts';
import { createImportThread } from '../../src/workers/import-thread.ts';
import { entry } from '../support/diary-source.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createDraw } from '../support/draw.ts';
import { threads } from '../support/processes/record-threads.ts';
import { useWorld } from '../support/use-world.ts';

vi.mock('node:worker_threads', async (load) =>
  (await import('../support/processes/record-threads.ts')).recordThreads(load),
);

const world = await useWorld(createDiaryWorld());
const { store } = world;
const failures: unknown[] = [];
const log: Log = (_, fields) => void failures.push(fields);
const inThread = createServedImports(
  store,
  createImportThread({ directory: store.directory, enterQueue: store.write.enterQueue }),
  log,
);
const here = createServedImports(
  store,
  createUploadRunner({ store, loadImporters, now: () => new Date() }),
  log,
);

const table = (name: string, rows: number) =>
  ['id,title,price', ...Array.from({ length: rows }, (_, i) => `${i},${name} ${i},${i % 97}`)].join('\n');

async function upload(imports: ImportService, name: string, content: string): Promise<string> {
  const files = await imports.begin();
  await files.add(
    `${name}.csv`,
    (async function* () {
      yield Buffer.from(content);
    })(),
  );
  await imports.check(files);
  await waitFor(imports, files.id, 'ready', 'failed', 'nothing');
  return files.id;
}

async function waitFor(imports: ImportService, id: string, ...states: JobView['state'][]): Promise<JobView> {
  for (;;) {
    const view = await imports.get(id);
    if (states.includes(view.state) && view.progress === null) return view;
    await sleep(5);
  }
}

const run = async (imports: ImportService, id: string) => {
  await imports.run(id, [{ take: true }]);
  return waitFor(imports, id, 'done', 'failed', 'stopped');
};
const count = (name: string) =>
  store.read.raw
    .prepare('select count(*) from records join streams using (stream_id) where connection_id = ?')
    .pluck()
    .get(name);

it('shows the same dry run and stores the same records as the main thread', async () => {
  const content = table('Ferry', 1_200);
  const [a, b] = [await upload(here, 'ferries', content), await upload(inThread, 'ferries', content)];
  const comparable = ({ id: _, ...view }: JobView) => view;
  expect(comparable(await inThread.get(b))).toEqual(comparable(await here.get(a)));
  const done = await run(inThread, b);
  expect(done).toMatchObject({ state: 'done', reason: null });
  const { report } = done.exports[0]?.result ?? {};
  expect(Object.values(report?.streams ?? {})[0]).toMatchObject({ new: 1_200 });
  expect(count(report?.connection_id ?? '')).toBe(1_200);
  // The main thread sees at once what was stored.
  const again = await here.get(await upload(here, 'ferries', content));
  expect(Object.values(again.exports[0]?.foretold.streams ?? {})[0]).toMatchObject({ same: 1_200 });
});

it('reports a file that no importer can read', async () => {
  const id = await upload(inThread, 'x', '\u0000\u0001\u0002');
  expect(await inThread.get(id)).toMatchObject({ state: 'nothing' });
});

it('takes turns with the writers of the main thread', async () => {
  const id = await upload(inThread, 'turns', table('Turn', 4_000));
  const importing = run(inThread, id);
  let written = 0;
  while (!['done', 'failed'].includes((await inThread.get(id)).state)) {
    await world.ingest('mine', 'entries', [entry(`turn-${written}`, { title: 'Turn', body: 'x' })]);
    written += 1;
  }
  expect((await importing).state).toBe('done');
  expect(written).toBeGreaterThan(2);
  expect(failures).toEqual([]);
});

it('stops after the current batch', async () => {
  const id = await upload(inThread, 'stopped', table('Stop', 12_000));
  const stopping = run(inThread, id);
  await vi.waitFor(
    async () => expect((await inThread.get(id)).progress?.records ?? 0).toBeGreaterThan(0),
    20_000,
  );
  await inThread.stop(id);
  expect((await stopping).state).toBe('stopped');
});

it('fails when its thread dies; other writers go on, and the same import can be run again', async () => {
  const draw = createDraw(3);
  const content = table('Killed', 3_000);
  for (let round = 0; round < 3; round++) {
    const id = await upload(inThread, 'killed', content);
    const running = run(inThread, id);
    await sleep(draw.upTo(900));
    const [{ state }] = await Promise.all([running, threads.at(-1)?.terminate()]);
    expect(['failed', 'done']).toContain(state);
    await world.ingest('mine', 'entries', [entry(`after-${round}`, { title: 'After', body: 'x' })]);
  }
  const done = await run(inThread, await upload(inThread, 'killed', content));
  expect(done.state).toBe('done');
  expect(count(done.exports[0]?.result?.report.connection_id ?? '')).toBe(3_000);
}, 120_000);
