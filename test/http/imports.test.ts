import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { NewImportPage } from '../../dashboard/pages/new-import.tsx';
import { getEventLog } from '../../src/audit/events.ts';
import type { RemovalView } from '../../src/import/service/removals.ts';
import { addConnection } from '../../src/schema-index/edit-catalog.ts';
import { makeMailbox } from '../attachments/make-mail.ts';
import { makeZip } from '../support/inputs/make-packs.ts';
import { post, sendFiles, waitForJob } from '../support/inputs/upload.ts';
import { signIn } from '../support/oauth-client.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { createWorld } from '../support/world.ts';

const { world, owner } = await useSignedInWorld(createWorld({ clock: 'real' }));

const calendar = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VEVENT\r\nUID:one@example.org\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260102T100000Z\r\nSUMMARY:Lighthouse walk\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const table = (rows: readonly string[]) => `id,title,price\n${rows.join('\n')}\n`;
const uploads = () => {
  const folder = join(world.store.directory, 'uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
};
const countRecords = () => world.store.read.raw.prepare('select count(*) from records').pluck().get();

/** Asks for something to be taken out, and waits until it is. */
const takeOut = async (path: string) => untilOut((await post(owner, path)).headers.get('location') as string);
const untilOut = (path: string) =>
  vi.waitFor(
    async () => {
      const view = JSON.parse((await owner.open(`${path}.json`)).text) as RemovalView;
      expect(view.state).toBe('done');
      return view;
    },
    { timeout: 20_000 },
  );

describe('the upload', () => {
  it('is accepted only from the owner in our own form', async () => {
    const files = [{ name: 'a.ics', content: calendar }];
    const stranger = await world.request('/dashboard/imports', { method: 'POST', body: new FormData() });
    expect(stranger.status).toBe(401);
    expect((await sendFiles(owner, files, { csrf: 'wrong' })).status).toBe(403);
    const sender = { origin: 'https://evil.example' };
    expect((await sendFiles(owner, files, { sender })).status).toBe(403);
    expect((await sendFiles(owner, [])).status).toBe(400);
    expect(uploads()).toEqual([]);
  });

  it('keeps nothing of an aborted form', async () => {
    const page = await sendFiles(owner, [{ name: 'a.ics', content: calendar }], {
      type: 'multipart/form-data; boundary=another',
    });
    expect(page.status).toBe(400);
    expect(uploads()).toEqual([]);
  });

  it('treats the file name as a label only', async () => {
    const sent = await sendFiles(owner, [
      { name: '../../../escape.ics', content: calendar },
      { name: 'C:\\up\\..\\<b>x</b>\u202e.csv', content: table(['1,Ferry,2']) },
    ]);
    expect(sent.status).toBe(303);
    const path = sent.headers.get('location') as string;
    const view = await waitForJob(owner, path, 'ready');
    expect(view.files.map((file) => file.path)).toEqual(['escape.ics', 'up/<b>x</b>.csv']);
    expect(uploads()).toEqual([view.id]);
    expect(readdirSync(join(world.store.directory, 'uploads', view.id))).toEqual(['0', '1']);
    expect(existsSync(join(world.store.directory, '..', 'escape.ics'))).toBe(false);
    expect((await owner.open(path)).text).not.toMatch(/<b>x<\/b>|\u202e/);
    expect((await post(owner, `${path}/discard`)).status).toBe(303);
    expect((await owner.open(path)).status).toBe(404);
    expect([uploads(), countRecords()]).toEqual([[], 0]);
  });

  it('reports a broken zip as unreadable', async () => {
    const zip = makeZip([{ path: 'x.ics', content: calendar }]).subarray(0, 60);
    const sent = await sendFiles(owner, [{ name: 'broken.zip', content: zip }]);
    const path = sent.headers.get('location') as string;
    const view = await waitForJob(owner, path, 'nothing', 'failed');
    expect(JSON.stringify(view)).toMatch(/broken/);
    expect((await owner.open(path)).text).toContain('No readable data found');
    expect(uploads()).toEqual([]);
  });
});

describe('an import on the page', () => {
  it('shows a dry run, imports, shows the result, and undoes it', async () => {
    const zip = makeZip([
      { path: 'cal.ics', content: calendar },
      { path: 'junk.bin', content: Buffer.from([0, 1, 2, 3]) },
    ]);
    const sent = await sendFiles(owner, [{ name: 'mixed.zip', content: zip }]);
    const path = sent.headers.get('location') as string;
    const ready = await waitForJob(owner, path, 'ready');
    expect(ready.exports[0]?.foretold).toMatchObject({
      connection: 'new',
      streams: { events: { new: 1, changed: 0, same: 0, skipped: 0 } },
    });
    expect(ready.not_recognised).toEqual(['mixed/junk.bin']);
    expect(countRecords()).toBe(0);
    const page = await owner.open(path);
    expect(page.text).toContain('Nothing has been imported yet.');
    expect(page.text).toContain('name="name_0"');
    expect((await post(owner, `${path}/run`)).status).toBe(400);
    await post(owner, `${path}/run`, { take_0: 'yes', name_0: 'My walks' });
    const done = await waitForJob(owner, path, 'done');
    const { import_id, report } = done.exports[0]?.result ?? {};
    expect(report).toMatchObject({ connection_name: 'My walks', streams: { events: { new: 1 } } });
    expect([countRecords(), uploads()]).toEqual([1, []]);

    const shown = await owner.open(`/dashboard/imports/${import_id}`);
    expect(shown.text).toContain('My walks');
    expect(shown.text).toContain('/dashboard/connect');
    const twin = JSON.parse((await owner.open(`/dashboard/imports/${import_id}.json`)).text);
    expect(twin).toMatchObject({ import_id, state: 'done' });
    const data = JSON.parse((await owner.open('/dashboard/data.json')).text);
    expect(data.imports.history).toMatchObject([{ import_id, state: 'done', counts: { new: 1 } }]);

    const undone = await takeOut(`/dashboard/imports/${import_id}/undo`);
    expect(undone).toMatchObject({
      kind: 'undo',
      title: expect.stringContaining('My walks'),
      total: 1,
      outcome: { records: 1, restored: 0, kept: 0, connection_removed: true },
    });
    expect((await owner.open(`/dashboard/removals/${undone.id}`)).text).toContain('Import undone');
    expect(countRecords()).toBe(0);
    expect((await owner.open(`/dashboard/imports/${import_id}`)).status).toBe(404);
    await getEventLog(world.store.audit).flush(new Date(), 'all');
    const kinds = world.store.audit.raw.prepare('select kind from events').pluck().all();
    expect(kinds).toEqual(expect.arrayContaining(['imported', 'import_undone', 'connection_removed']));
  });

  it('keeps the attached files only if the owner ticks it', async () => {
    const content = makeMailbox([{ name: 'note.txt', bytes: Buffer.from('Meet at the lighthouse') }]);
    const bring = async (fields: Record<string, string>) => {
      const sent = await sendFiles(owner, [{ name: 'mail.mbox', content }]);
      const path = sent.headers.get('location') as string;
      await waitForJob(owner, path, 'ready');
      const { text } = await owner.open(path);
      expect(text).toMatch(/<input type="checkbox" name="keep_files" value="yes"\/>/);
      await post(owner, `${path}/run`, { take_0: 'yes', ...fields });
      const { exports } = await waitForJob(owner, path, 'done');
      return exports[0]?.result?.report.connection_id as string;
    };
    const folder = join(world.store.directory, 'files');
    const id = await bring({});
    expect(existsSync(folder)).toBe(false);
    expect(await bring({ keep_files: 'yes' })).toBe(id);
    expect(readFileSync(join(folder, id, 'index.ndjson'), 'utf8')).toContain('"note.txt"');
    await takeOut(`/dashboard/connections/${id}/remove`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('repeats the dry run with the chosen time zone and date order', async () => {
    const rows = ['date,note', '03/04/2026,one', '05/06/2026,two'].join('\n');
    const sent = await sendFiles(owner, [{ name: 'dates.csv', content: rows }]);
    const path = sent.headers.get('location') as string;
    const ready = await waitForJob(owner, path, 'ready');
    const frame = { csrf: 'c', alarms: [] };
    const view = { ...ready, state: 'looking' } as const;
    const text = String(NewImportPage({ view, frame, formats: [], canKeepFiles: true }));
    // Only a browser without script reloads.
    expect(text).toMatch(/<noscript><meta http-equiv="refresh"[^>]*><\/noscript>/);
    expect(text.slice(0, text.indexOf('</head>'))).not.toContain('refresh');
    expect((await post(owner, `${path}/look`, { time_zone: 'Nowhere/At all' })).status).toBe(400);
    await post(owner, `${path}/look`, { time_zone: 'Europe/Berlin', order: 'month' });
    const { choices } = await waitForJob(owner, path, 'ready');
    expect(choices).toMatchObject({ time_zone: 'Europe/Berlin', day_first: false });
    await post(owner, `${path}/discard`);
  });

  it('repeats the dry run as another format and into an existing connection', async () => {
    const content = table(['1,Ferry,2']);
    const begin = async () => {
      const sent = await sendFiles(owner, [{ name: 'trips.csv', content }]);
      const path = sent.headers.get('location') as string;
      return { path, view: await waitForJob(owner, path, 'ready') };
    };
    const first = await begin();
    expect(first.view.exports[0]?.candidates).toEqual([]);
    await post(owner, `${first.path}/run`, { take_0: 'yes', name_0: 'First trips' });
    const { exports } = await waitForJob(owner, first.path, 'done');
    const report = exports[0]?.result?.report;
    // A second connection of the kind, which the file would not find by itself.
    const second = { connection_id: 'second-trips', display_name: 'Second trips' };
    await addConnection(
      world.store.write,
      { ...second, connector_key: report?.connector_key ?? '' },
      new Date(),
    );
    const { path, view } = await begin();
    expect(view.exports[0]?.foretold).toMatchObject({ connection_name: 'First trips', connection: 'same' });
    expect(view.exports[0]?.candidates.map(({ name }) => name)).toEqual(['First trips', 'Second trips']);
    // The button for a new connection is the first, and leaves the other choices as they are.
    const page = (await owner.open(path)).text;
    expect(page).toMatch(
      /Different account\?.*?<button[^>]*value="\*"[^>]*>New connection<.*?Add to Second trips/s,
    );
    await post(owner, `${path}/look`, { into_0: '*' });
    const apart = await waitForJob(owner, path, 'ready');
    expect(apart.choices).toMatchObject({ time_zone: view.choices.time_zone, into: ['*'] });
    expect(apart.exports[0]?.foretold).toMatchObject({ connection: 'new', connection_name: 'trips.csv' });
    expect((await owner.open(path)).text).toMatch(/New connection<\/label>.*?Add to First trips/s);
    const look = async (choices: Record<string, string>) => {
      await post(owner, `${path}/look`, { time_zone: 'UTC', order: '', ...choices });
      return waitForJob(owner, path, 'ready');
    };
    // Neither a format that is not there nor a file with an importer can be named over HTTP.
    for (const format of ['nothing', './my-importer.js'])
      expect((await post(owner, `${path}/look`, { time_zone: 'UTC', format })).status).toBe(400);
    const wrong = await look({ format: 'chatgpt' });
    expect(wrong).toMatchObject({ exports: [], choices: { format: 'chatgpt' } });
    expect((await owner.open(path)).text).toContain('Nothing readable was found as that format.');
    await look({});
    const moved = await look({ into_0: 'second-trips' });
    expect(moved.exports[0]?.foretold).toMatchObject({
      connection_id: 'second-trips',
      connection: 'same',
      streams: { [Object.keys(report?.streams ?? {})[0] as string]: { new: 1, same: 0 } },
    });
    // A connection that was not offered is not taken.
    expect((await look({ into_0: 'elsewhere' })).choices.into).toEqual([null]);
    await look({ into_0: 'second-trips' });
    await post(owner, `${path}/run`, { take_0: 'yes' });
    const done = await waitForJob(owner, path, 'done');
    expect(done.exports[0]?.result?.report.connection_id).toBe('second-trips');
    for (const id of [report?.connection_id, 'second-trips'])
      await takeOut(`/dashboard/connections/${id}/remove`);
    expect(countRecords()).toBe(0);
  });

  it('removes records once, in the background, and reports the result', async () => {
    const sent = await sendFiles(owner, [{ name: 'a.ics', content: calendar }]);
    const path = sent.headers.get('location') as string;
    await waitForJob(owner, path, 'ready');
    await post(owner, `${path}/run`, { take_0: 'yes' });
    const { exports } = await waitForJob(owner, path, 'done');
    const undo = `/dashboard/imports/${exports[0]?.result?.import_id}/undo`;
    let letGo = () => {};
    const held = world.imports.enqueue(() => new Promise<void>((done) => (letGo = done)));
    const asked = await Promise.all([post(owner, undo), post(owner, undo)]);
    const places = asked.map(({ headers }) => headers.get('location') as string);
    expect(places[0]).toBe(places[1]);
    const waiting = await owner.open(places[0] as string);
    expect(waiting.text).toContain('Waiting to start');
    expect(waiting.text).toContain('You can leave this page');
    const { imports } = JSON.parse((await owner.open('/dashboard/data.json')).text);
    expect(imports.removals).toMatchObject([{ kind: 'undo', state: 'waiting', records: 0 }]);
    expect((await owner.open('/dashboard/data')).text).toContain(places[0] as string);
    expect(countRecords()).toBe(1);
    letGo();
    await held;
    expect(await untilOut(places[0] as string)).toMatchObject({ state: 'done', records: 1 });
    const forgotten = await owner.open('/dashboard/removals/none');
    expect([forgotten.status, forgotten.text]).toEqual([
      404,
      expect.stringContaining('Records that were removed stay removed'),
    ]);
    expect((await post(owner, undo)).status).toBe(404);
  });

  it('accepts two uploads at once', async () => {
    const other = await signIn(world);
    const one = table(['1,Ferry,2', '2,Train,3']);
    const two = calendar;
    const sent = await Promise.all([
      sendFiles(owner, [{ name: 'trips.csv', content: one }]),
      sendFiles(other, [{ name: 'b.ics', content: two }]),
    ]);
    const paths = sent.map(({ headers }) => headers.get('location') as string);
    await Promise.all(paths.map((path) => waitForJob(owner, path, 'ready')));
    await Promise.all(paths.map((path) => post(owner, `${path}/run`, { take_0: 'yes' })));
    const done = await Promise.all(paths.map((path) => waitForJob(owner, path, 'done')));
    expect(countRecords()).toBe(3);
    expect((await post(owner, `${paths[0]}/run`, { take_0: 'yes' })).status).toBe(409);
    for (const { exports } of done) await takeOut(`/dashboard/imports/${exports[0]?.result?.import_id}/undo`);
    expect(countRecords()).toBe(0);
  });

  it('shows an import that died as interrupted, which can be undone', async () => {
    const sent = await sendFiles(owner, [{ name: 'a.ics', content: calendar }]);
    const path = sent.headers.get('location') as string;
    await waitForJob(owner, path, 'ready');
    await post(owner, `${path}/run`, { take_0: 'yes' });
    const { exports } = await waitForJob(owner, path, 'done');
    const id = exports[0]?.result?.import_id;
    world.store.write.raw.prepare(`update imports set state = 'running', ended_at = null`).run();
    expect((await owner.open(`/dashboard/imports/${id}`)).text).toContain('The import was interrupted');
    await takeOut(`/dashboard/imports/${id}/undo`);
    expect(countRecords()).toBe(0);
  });
});

describe('a connection', () => {
  it('is renamed and removed', async () => {
    const sent = await sendFiles(owner, [{ name: 'a.ics', content: calendar }]);
    const path = sent.headers.get('location') as string;
    await waitForJob(owner, path, 'ready');
    await post(owner, `${path}/run`, { take_0: 'yes' });
    const { exports } = await waitForJob(owner, path, 'done');
    const here = `/dashboard/connections/${exports[0]?.result?.report.connection_id}`;
    await post(owner, `${here}/rename`, { name: 'Renamed <i>' });
    const page = await owner.open(here);
    expect(page.text).toContain('Renamed &lt;i&gt;');
    expect(page.text).toContain('Delete 1 record permanently');
    expect((await post(owner, `${here}/rename`, { name: '' })).status).toBe(400);
    expect((await owner.send(`${here}/remove`, { method: 'POST' })).status).toBe(403);
    expect(page.text).toContain('No app can read this connection.');
    const connection_id = here.split('/').at(-1) as string;
    await world.grant([{ connection_id }]);
    expect((await owner.open(here)).text).toMatch(/This app loses access:.*Test app/s);
    expect(await takeOut(`${here}/remove`)).toMatchObject({
      kind: 'connection',
      title: 'Renamed <i>',
      total: 1,
      outcome: { records: 1, connection_removed: true },
    });
    expect(countRecords()).toBe(0);
    expect((await owner.open(here)).status).toBe(404);
  });
});

describe('the guides', () => {
  it('explain how to download every format', async () => {
    const { formats } = JSON.parse((await owner.open('/dashboard/data/formats.json')).text);
    const { text } = await owner.open('/dashboard/data/formats');
    expect(formats.length).toBeGreaterThan(30);
    for (const { format, steps } of formats) {
      expect(steps.length).toBeGreaterThan(0);
      expect(text).toContain(`id="${format}"`);
    }
  });
});
