import { describe, expect, it } from 'vitest';
import { sendFiles, waitForJob } from '../support/inputs/upload.ts';
import { useSignedInWorld } from '../support/use-world.ts';

const { world, owner } = await useSignedInWorld();

async function importFile() {
  const sent = await sendFiles(owner, [{ name: 'trips.csv', content: 'date,place\n2026-10-01,Lisbon\n' }]);
  const path = sent.headers.get('location') as string;
  await waitForJob(owner, path, 'ready');
  world.imports.run(path.split('/').at(-1) as string, [{ take: true }]);
  const { exports } = await waitForJob(owner, path, 'done');
  const { import_id, report } = exports[0]?.result ?? {};
  return { path, connection: report?.connection_id as string, import_id };
}

describe('after an import', () => {
  it('the pages offer to add it to a connected app, which then reads it without reconnecting', async () => {
    world.store.write.raw.exec('delete from tokens; delete from grants');
    const { grantId, token } = await world.grant([{ connection_id: 'mine' }]);
    const { path, connection, import_id } = await importFile();
    const href = `/dashboard/apps/${grantId}/access?add=${connection}`;
    for (const page of [path, `/dashboard/imports/${import_id}`, `/dashboard/connections/${connection}`]) {
      const { text } = await owner.open(page);
      expect(text).toContain(`href="${href}"`);
      expect(text).toContain('Give Test app access');
    }
    const schema = async () => JSON.stringify((await world.call(token, 'schema')).structuredContent);
    expect(await schema()).not.toContain(connection);
    await owner.submit(await owner.open(href), { decision: 'approve' });
    expect(await schema()).toContain(connection);
    expect((await owner.open(path)).text).not.toContain('Give Test app access');
    expect((await owner.open(`/dashboard/connections/${connection}`)).text).toContain('Test app');
  });

  it('the pages do not offer apps whose access has ended', async () => {
    world.store.write.raw.exec("update grants set revoked_at = '2026-01-01T00:00:00.000Z'");
    const { path } = await importFile();
    expect((await owner.open(path)).text).not.toContain('Give Test app access');
  });
});
