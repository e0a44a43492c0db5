import { readForm } from '../test/support/browser.ts';
import { createDiaryWorld } from '../test/support/diary-world.ts';
import { createOwnerBrowser, OAuthClient } from '../test/support/oauth-client.ts';
import { ORIGIN } from '../test/support/world.ts';
import { countRooms } from './count-rooms.ts';
import { prepareWalks } from './record-walk.ts';

/** Walks three requests, and all of a consent, through the house and prints which files each enters, by room and from where. */
const world = await createDiaryWorld({ clock: 'real' });
const owner = await createOwnerBrowser(world);
const client = await OAuthClient.register(world);

async function call(): Promise<void> {
  const { isError } = await world.call(world.mine, 'query_records', { stream: 'entries' });
  if (isError) throw new Error('the call was refused');
}

/** Gets to the page on which the owner decides; what is walked is the answer to its form. */
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
const walks: [name: string, work: () => Promise<void>][] = [
  ['query_records over POST /mcp', call],
  ['POST /oauth/consent/{id}, approved', await openConsent()],
  ['GET /dashboard/data/{connection}/{stream}', openPage],
  ['GET /oauth/authorize, its page opened and approved', async () => (await openConsent())()],
];
const record = await prepareWalks();
for (const [name, work] of walks) {
  // Making ready and walking take a while, after which a session would be noted down as seen again.
  await openPage();
  const { files, rooms, changes, lines } = countRooms(await record(work));
  process.stdout.write(`${name}: ${files} files, ${rooms} rooms, ${changes} changes of room\n`);
  process.stdout.write(`${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
}
world.close();
// The session of the debugger would keep the process alive.
process.exit();
