import { describe, expect, it } from 'vitest';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createOwnerBrowser, OAuthClient } from '../support/oauth-client.ts';
import { queryAudit } from '../support/stores/tables.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createDiaryWorld({ clock: 'real' }));

describe('an unknown client that sends endless requests', () => {
  it('R-08 is rate limited, leaves a bounded log, and does not block approvals', async () => {
    const browser = await createOwnerBrowser(world);
    const client = await OAuthClient.register(world);
    let refused: Response | undefined;
    for (let i = 0; i < 310 && refused === undefined; i += 1) {
      const response = await world.request(client.startUrl().url);
      if (response.status === 429) refused = response;
    }
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const events = await queryAudit(world.store, `select id from events where kind = 'asked'`);
    expect(events.length).toBeLessThanOrEqual(20 * 2);
    expect((await browser.open(client.startUrl().url)).status).toBe(200);
  });
});
