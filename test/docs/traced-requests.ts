import { readForm } from '../support/browser.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { createOwnerBrowser, OAuthClient } from '../support/oauth-client.ts';
import { ORIGIN } from '../support/world.ts';

export interface TracedRequests {
  /** Each is made once. */
  readonly requests: readonly (readonly [name: string, work: () => Promise<void>])[];
  readonly close: () => void;
}

/** Prepares the requests of docs/call-paths.md in a world in which each was made before. */
export async function prepareRequests(): Promise<TracedRequests> {
  const world = await createDiaryWorld();
  // The clock stands still: a session that was last seen a minute ago is written again, which is not part of the paths.
  world.setNow(new Date());
  const owner = await createOwnerBrowser(world);
  const client = await OAuthClient.register(world);

  async function call(): Promise<void> {
    const { isError } = await world.call(world.mine, 'query_records', { stream: 'entries' });
    if (isError) throw new Error('the call was refused');
  }

  /** Gets to the page on which the owner decides; the traced part is the answer to its form. */
  async function openConsent(): Promise<() => Promise<void>> {
    const page = await owner.open(client.startUrl().url);
    const { action, fields } = readForm(page.text);
    fields.append('stream', '0');
    fields.set('decision', 'approve');
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: ORIGIN,
      'sec-fetch-site': 'same-origin',
    };
    return async () => {
      const { status } = await owner.send(action, { method: 'POST', body: fields.toString(), headers });
      if (status !== 303) throw new Error(`not approved: ${status}`);
    };
  }

  async function openPage(): Promise<void> {
    const { status } = await owner.open('/dashboard/data/mine/entries');
    if (status !== 200) throw new Error(`no page: ${status}`);
  }

  // Each once before: a steady server has its modules loaded and its caches filled.
  await call();
  await (await openConsent())();
  await openPage();
  return {
    requests: [
      ['query_records over POST /mcp', call],
      ['POST /oauth/consent/{id}, approved', await openConsent()],
      ['GET /dashboard/data/{connection}/{stream}', openPage],
      ['GET /oauth/authorize, its page opened and approved', async () => (await openConsent())()],
    ],
    close: () => world.close(),
  };
}
