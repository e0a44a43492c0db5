import { createOwnerBrowser, OAuthClient } from '../../support/oauth-client.ts';
import type { World } from '../../support/world.ts';

export type Call = readonly [tool: string, args: Record<string, unknown>];

/** What needs no token, and what tells a client how to connect. */
const PUBLIC_PATHS = [
  '/',
  '/llms.txt',
  '/robots.txt',
  '/healthz',
  '/readyz',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/agent-skills/index.json',
  '/accounts',
];

const METHODS = ['tools/list', 'resources/list', 'resources/templates/list', 'accounts/list'];
const LISTED = ['schema', 'streams', 'streams/accounts', 'streams/notes', 'accounts', 'openapi.json'];
/** What an app may not open. */
const CLOSED_PATHS = ['/metrics', '/dashboard/data.json', '/dashboard/accounts', '/mcp'];

/** Returns all that an app receives, as text, without what is random in each answer. */
export async function readAsApp(world: World, token: string, calls: readonly Call[]): Promise<string[]> {
  const read: string[] = [];
  const note = (request: string, text: string) => read.push(`${request} ${removeRandom(text)}`);
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await world.request(path, { headers });
    note(path, `${answer.status} ${JSON.stringify([...answer.headers].sort())} ${await answer.text()}`);
  };
  for (const [tool, args] of calls)
    note(`${tool} ${JSON.stringify(args)}`, JSON.stringify(await world.call(token, tool, args)));
  for (const method of METHODS) note(method, JSON.stringify(await world.rpc(token, method)));
  const authorization = `Bearer ${token}`;
  for (const path of LISTED) await get(`/v1/${path}`, { authorization });
  for (const path of CLOSED_PATHS) await get(path, { authorization });
  for (const path of PUBLIC_PATHS) await get(path);
  await get('/v1/schema', { authorization: 'Bearer wrong' });
  return read;
}

/** Returns the pages on which the owner decides about an app, and sees the data as the app. */
export async function readPagesOfApp(world: World, grantId: string): Promise<string[]> {
  const owner = await createOwnerBrowser(world);
  const client = await OAuthClient.register(world);
  const paths = ['/dashboard/data', '/dashboard/data/home/notes', '/r/home/notes/n1'].flatMap((path) => [
    path,
    `${path}.json`,
  ]);
  const addresses = [client.startUrl().url, ...paths.map((path) => `${path}?as=${grantId}`)];
  const pages: string[] = [];
  for (const address of addresses) {
    const { status, text } = await owner.open(address);
    const own = text.replaceAll(grantId, '-').replaceAll(client.clientId, '-');
    pages.push(`${address.split('?')[0]} ${status} ${removeRandom(own)}`);
  }
  return pages;
}

/** Removes what is random in each answer; of cursors the length stays. */
export function removeRandom(text: string): string {
  return text
    .replace(/(now\\*":\\*")[^"\\]*/g, '$1-')
    .replace(/\breq_[\w-]+/g, 'req_-')
    .replace(
      /(next_cursor|next_changes_since)(\\*"):(\\*")([\w.-]*)/g,
      (_, name, end, quote, cursor: string) => `${name}${end}:${quote}${cursor.length}`,
    )
    .replace(/(name="(?:csrf|digest)" value=")[^"]*/g, '$1-')
    .replace(/\/oauth\/consent\/[\w-]+/g, '/oauth/consent/-');
}
