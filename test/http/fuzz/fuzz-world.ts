import { readForm } from '../../support/browser.ts';
import { createDiaryWorld } from '../../support/diary-world.ts';
import { createOwnerBrowser, OAuthClient } from '../../support/oauth-client.ts';
import type { World } from '../../support/world.ts';
import type { Doors } from './http-request.ts';

export interface FuzzWorld extends World {
  readonly doors: Doors;
  /** A word of a diary that is not granted: no app may ever read it. */
  readonly secret: string;
}

/** A small server with everything a stranger, an app and the owner's browser could bring along. */
export async function createFuzzWorld(): Promise<FuzzWorld> {
  const world = await createDiaryWorld();
  await world.addSource(scratchSource, { scratch: 'Scratch' });
  const browser = await createOwnerBrowser(world);
  const { clientId } = await OAuthClient.register(world);
  const cookie = [...browser.cookies].map(([key, value]) => `${key.split(' ')[0]}=${value}`).join('; ');
  const apps = (await browser.open('/dashboard/apps')).text;
  const csrf = readCsrf(apps);
  const handles = [];
  for (const [tool, args] of [
    ['query_records', { stream: 'entries', limit: 1 }],
    ['query_records', { stream: 'entries', changes_since: 'beginning' }],
    ['search', { query: 'marker', limit: 1 }],
  ] as const) {
    const { structuredContent } = await world.call(world.mine, tool, args);
    const { next_cursor, next_changes_since } = structuredContent;
    handles.push({
      tool,
      args: {
        ...args,
        ...(next_cursor === undefined ? { changes_since: next_changes_since } : { cursor: next_cursor }),
      },
    });
  }
  const links = [...apps.matchAll(/href="(\/dashboard\/apps\/[^"]+)"/g)].map((match) => match[1] as string);
  return {
    ...world,
    secret: 'marker-theirs',
    doors: {
      tokens: [world.mine],
      owner: await world.ownerToken(),
      cookie,
      csrf,
      clientId,
      handles,
      paths: [
        '/dashboard',
        '/dashboard/apps',
        '/dashboard/activity',
        '/dashboard/activity.csv',
        '/dashboard/data',
        '/dashboard/data/mine',
        '/dashboard/data/mine/entries',
        '/dashboard/connect',
        '/r/mine/entries/one',
        '/login',
        '/',
        ...links,
      ],
    },
  };
}

/** Where fuzzed records go, so that what the others hold stays as it is. */
const scratchSource = {
  protocol_version: '0.1.0',
  connector_key: 'scratch',
  source: { kind: 'connector', id: 'https://sources.example/scratch' },
  declaration_version: '1',
  publisher: { id: 'https://sources.example' },
  display: { name: 'Scratch' },
  streams: [
    {
      name: 'entries',
      semantics: 'mutable_state',
      schema: { type: 'object', properties: { id: { type: 'string' }, extra: {} }, required: ['id'] },
      primary_key: ['id'],
      selection: { fields: true, resources: true },
    },
  ],
};

function readCsrf(html: string): string {
  return /name="csrf" value="([^"]*)"/.exec(html)?.[1] ?? readForm(html).fields.get('csrf') ?? '';
}
