import type { Browser, Page } from './browser.ts';
import { postModern } from './mcp-post.ts';
import type { OAuthClient, Tokens } from './oauth-client.ts';
import { queryAudit } from './stores/tables.ts';
import type { World } from './world.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** What /mcp answers to a token. */
export async function statusOf(world: World, token: string): Promise<number> {
  return (await postModern(world, token, 'tools/list')).status;
}

/** A form as an OAuth client posts one. */
export function postForm(
  world: World,
  path: string,
  form: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<Response> {
  return world.request(path, {
    method: 'POST',
    headers: { ...FORM, ...headers },
    body: new URLSearchParams(form).toString(),
  });
}

export async function introspect(world: World, token: string): Promise<Record<string, unknown>> {
  const owner = await world.ownerToken();
  const response = await postForm(
    world,
    '/oauth/introspect',
    { token },
    { authorization: `Bearer ${owner}` },
  );
  return (await response.json()) as Record<string, unknown>;
}

/** Status and OAuth error code of an answer. */
export async function outcome(answer: Response | Promise<Response>): Promise<[number, string | undefined]> {
  const response = await answer;
  const body = (await response.json()) as { error?: string };
  return [response.status, body.error];
}

export async function refreshed(client: OAuthClient, refreshToken: string): Promise<Tokens> {
  const response = await client.refresh(refreshToken);
  if (response.status !== 200) throw new Error(`refresh answered ${await response.text()}`);
  return (await response.json()) as Tokens;
}

/** The kinds of what has happened, in order. */
export async function eventKinds({ store }: World): Promise<string[]> {
  const events = await queryAudit<{ kind: string }>(store, 'select kind from events order by id');
  return events.map(({ kind }) => kind);
}

/** The value that forms of a page must carry. */
export function findCsrf({ text }: Page): string {
  return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** A form as one of our own pages sends it, without going on to where the answer leads. */
export function postPage(browser: Browser, path: string, fields: Record<string, string>): Promise<Page> {
  return browser.send(path, {
    method: 'POST',
    headers: { ...FORM, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fields).toString(),
  });
}
