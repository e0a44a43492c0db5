import { it, vi } from 'vitest';
import { createLastingServer } from '../support/lasting-server.ts';
import { createOwnerBrowser, OAuthClient } from '../support/oauth-client.ts';
import { liveThroughWeek } from '../support/shared-token-week.ts';
it('measures', async () => {
  for (const seconds of [86_400, 3_600]) for (let seed = 1; seed <= 6; seed += 1) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-16T08:00:00Z') });
    const server = createLastingServer({ accessTokenSeconds: seconds });
    const browser = await createOwnerBrowser(server);
    const client = await OAuthClient.register(server);
    const first = await client.connect(browser, { stream: ['0', '1'], expires: 'never' });
    const { kept, seen, ...r } = await liveThroughWeek(server, client, first, { processes: seconds === 3600 ? 4 : 6, seed });
    console.log(seconds, seed, JSON.stringify(r), seen.length, 'day', (Date.now() - Date.parse('2026-11-16T08:00:00Z')) / 86_400_000);
    server.close(); vi.useRealTimers();
  }
}, 600_000);
