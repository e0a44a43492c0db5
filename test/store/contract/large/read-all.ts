import { createPageApp } from '../../../support/servers/pages.ts';
import type { World } from '../../../support/world.ts';

/** What the process that filled the store hands to the one that reads it. */
export interface Handles {
  readonly token: string;
  readonly count: number;
  /** From before every second record was edited. */
  readonly cursor: string;
  readonly changesSince: string;
}

/** One read through the front door. It throws if it is not answered. */
export interface Read {
  readonly name: string;
  run(): Promise<void>;
}

/** Every way to read records, over records of every shape. */
export function listReads(world: World, { token, cursor, changesSince }: Handles): Read[] {
  const mine = { stream: 'items', connection_id: 'mine' };
  const call = (tool: string, args: object, most = 100): Read => ({
    name: `${tool} ${JSON.stringify(args).slice(0, 90)}`,
    async run() {
      let next: Record<string, unknown> = { ...args };
      for (let pages = 0; pages < most; pages++) {
        const { isError, structuredContent } = await world.call(token, tool, next);
        if (isError === true) throw new Error(JSON.stringify(structuredContent));
        if (Buffer.byteLength(JSON.stringify(structuredContent)) > 20_000) throw new Error('too long');
        if (structuredContent.next_cursor === undefined) return;
        next = { ...next, cursor: structuredContent.next_cursor };
      }
    },
  });
  const pages = createPageApp(world);
  const get = (name: string, path: string, request: (path: string) => Promise<Response>): Read => ({
    name,
    async run() {
      const response = await request(path);
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
      for await (const _ of response.body ?? []);
    },
  });
  const page = (path: string) => get(path, path, async (to) => pages.request(to));
  const rest = (path: string) =>
    get(path, path, (to) => world.request(to, { headers: { authorization: `Bearer ${token}` } }));
  const ids = Array.from({ length: 9 }, (_, at) => `mine/items/item-000${at}`);
  return [
    call('query_records', { ...mine, limit: 100 }),
    call('query_records', { ...mine, limit: 100, sort: 'title', count: 'exact' }),
    call('query_records', { ...mine, limit: 100, sort: '-id', fields: ['id', 'tree'] }),
    call('query_records', { ...mine, limit: 2, cursor }),
    call('query_records', { ...mine, limit: 100, expand: ['next'] }, 3),
    call('query_records', { stream: 'items', connection_id: '*', limit: 100 }, 3),
    call('query_records', { ...mine, filter: { tags: 'tag1003' }, limit: 100 }),
    call('query_records', { ...mine, filter: { tags: { exists: false } }, limit: 100 }, 3),
    call('query_records', { ...mine, limit: 100, changes_since: 'beginning' }),
    call('query_records', { ...mine, limit: 100, changes_since: changesSince }),
    ...ids.flatMap((id) => [
      call('fetch', { id }),
      call('fetch', { id, offset: -2_000 }),
      call('fetch', { id, query: 'granite window' }),
      call('fetch', { id, expand: ['next'] }),
    ]),
    ...['body', 'tree', 'tags'].map((field, at) =>
      call('fetch', { id: ids[at * 2], field, offset: 500_000 }),
    ),
    call('fetch', { id: ids[8], fields: ['tree', 'body'] }),
    ...['harbour', 'the', 'granite letter', 'item 4', 'w35', 'harbuor', 'tag1003'].map((query) =>
      call('search', { query, limit: 20 }, 3),
    ),
    call('aggregate', { ...mine, group_by: ['title'] }),
    call('aggregate', { ...mine, filter: { tags: 'tag1003' } }),
    call('schema', {}),
    call('schema', { stream: 'items', connection_id: 'mine' }),
    ...ids.map((id) => ({
      name: `resources/read ${id}`,
      async run() {
        const uri = `${(await listResource(world, token)).split('/').slice(0, 3).join('/')}/r/${id}`;
        const { status, body } = await world.rpc(token, 'resources/read', { uri });
        if (status !== 200 || !('result' in (body as object))) throw new Error(JSON.stringify(body));
      },
    })),
    rest('/v1/streams/items/records?connection_id=mine&limit=100'),
    rest('/v1/streams/items/records/item-0002?connection_id=mine'),
    rest('/v1/search?query=harbour'),
    page('/dashboard/data/mine/items'),
    page('/dashboard/data/mine/items.csv'),
    ...ids.flatMap((id) => [page(`/r/${id}`), page(`/r/${id}.md`), page(`/r/${id}.json`)]),
  ];
}

async function listResource(world: World, token: string): Promise<string> {
  const { body } = await world.rpc(token, 'resources/list');
  const { resources } = (body as { result: { resources: { uri: string }[] } }).result;
  return resources[0]?.uri ?? '';
}
