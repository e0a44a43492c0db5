import { describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { useSignedInWorld } from '../support/use-world.ts';

const { world, owner } = await useSignedInWorld(createDiaryWorld());
await world.grant([{ connection_id: 'mine' }]);

const find = async (q: string) => {
  const query = new URLSearchParams({ q });
  return JSON.parse((await owner.open(`/dashboard/find.json?${query}`)).text).results as {
    kind: string;
    name: string;
    href: string;
  }[];
};

describe('quick find', () => {
  it.each([
    ['setings', '/dashboard/settings'],
    ['connect app', '/dashboard/connect'],
    ['test ap', '/dashboard/apps/'],
    ['mine', '/dashboard/connections/mine'],
    ['entr', '/dashboard/data/mine/entries'],
    ['whats', '/dashboard/data/formats#whatsapp'],
  ])('finds by %s what has the page %s', async (query, href) => {
    const results = await find(query);
    expect(results.length).toBeLessThanOrEqual(12);
    expect(results.map((one) => one.href).filter((one) => one.startsWith(href))).not.toEqual([]);
    for (const one of results) expect((await owner.open(one.href.replace(/#.*/, ''))).status).toBe(200);
  });

  it.each(['', ' ', 'qzxjvwk', '__proto__', '"><script>', 'x'.repeat(70)])(
    'finds nothing by %j',
    async (query) => {
      expect(await find(query)).toEqual([]);
      const page = await owner.open(`/dashboard/find?${new URLSearchParams({ q: query })}`);
      expect(page.status).toBe(200);
      expect(page.text).not.toContain('<script>');
    },
  );

  it('requires the owner', async () => {
    expect((await world.request('/dashboard/find.json?q=mine')).status).toBe(401);
  });
});
