import { describe, expect, it } from 'vitest';
import { readAnswer, readRefusal } from '../support/answers.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorldOfFiftyAccounts, createWorldOfFiftyConnectors } from '../support/worlds/broad-worlds.ts';
import { createSharedNamesWorld } from './shared-names-world.ts';

const world = await useWorld(createSharedNamesWorld());
const call = (args: object) => world.call(world.token, 'schema', args);

describe('acceptance: schema', () => {
  it('refuses full detail without a stream', async () => {
    expect(readRefusal(await call({ detail: 'full' }))).toMatchObject({ code: 'invalid_argument' });
    expect(readRefusal(await call({ detail: 'full', connection_id: 'home' })).code).toBe('invalid_argument');
  });

  it('gives full detail only for one source, and explains how to name it', async () => {
    const refusal = readRefusal(await call({ stream: 'notes', detail: 'full' }));
    expect(refusal.code).toBe('ambiguous_connection');
    const [first] = refusal.available_connections;
    const { data } = readAnswer(
      await call({ stream: 'notes', detail: 'full', connection_id: first.connection_id }),
    );
    expect(data.json_schema.properties.created_at).toEqual({ type: 'string', format: 'date-time' });
    expect(
      readAnswer(await call({ stream: 'codes', detail: 'full', connection_id: 'home' })).data,
    ).toHaveProperty('json_schema');
  });

  it.each([
    ['fifty accounts of one connector', createWorldOfFiftyAccounts],
    ['fifty connectors with names of their own', createWorldOfFiftyConnectors],
  ])('shows every stream name although there are a thousand, over %s', async (_, create) => {
    const broad = await create();
    const result = await broad.call(broad.token, 'schema');
    const { data } = readAnswer(result);
    expect(data.truncated).toBeUndefined();
    const words = new Set(result.content[0]?.text.match(/[a-z0-9_]+/g));
    expect(broad.names.filter((name) => !words.has(name))).toEqual([]);
    broad.close();
  });

  it('lists fields and metrics for every source that has the stream', async () => {
    const result = await call({ stream: 'notes' });
    const { data } = readAnswer(result);
    const sources = data.sources.map((source: { connector_key: string; connections: object[] }) => [
      source.connector_key,
      source.connections.length,
    ]);
    expect(sources).toEqual(
      expect.arrayContaining([
        ['notes', 2],
        ['chat', 1],
      ]),
    );
    const said = JSON.parse(result.content[0]?.text as string);
    for (const source of said.data.sources) {
      const time = source.fields.find((field: { name: string }) => field.name === source.time_field);
      expect({ ...usesOf(said.data.types, time.type), ...time }).toMatchObject({
        type: 'date-time',
        filter: 'equals or range',
        aggregate: ['count_distinct', 'min', 'max'],
      });
    }
    const stars = said.data.sources[0].fields.concat(said.data.sources[1].fields);
    const field = stars.find((one: { name: string }) => one.name === 'stars');
    expect({ ...usesOf(said.data.types, field.type), ...field }).toMatchObject({
      type: 'integer',
      sort: true,
      group: true,
      aggregate: ['count_distinct', 'sum', 'avg', 'min', 'max'],
    });
  });

  it('keeps field detail out of the index of everything', async () => {
    const { data } = readAnswer(await call({}));
    expect(JSON.stringify(data)).not.toMatch(/"fields"|"filter"|"json_schema"|created_at/);
  });

  it('narrows a common name to one account', async () => {
    const { data } = readAnswer(await call({ stream: 'notes', connection_id: 'work' }));
    expect(data.sources).toHaveLength(1);
    expect(data.sources[0].connections).toEqual([expect.objectContaining({ connection_id: 'work' })]);
    expect(readRefusal(await call({ stream: 'notes', connection_id: 'nowhere' })).code).toBe(
      'unknown_connection',
    );
  });

  it('lists each stream of each account once', async () => {
    for (const args of [
      {},
      { stream: 'notes' },
      { stream: 'notes', connection_id: 'work', detail: 'full' },
    ]) {
      const { data } = readAnswer(await call(args));
      expect(data).not.toHaveProperty('streams');
      const listed = findStreamLists(data);
      expect(listed.length).toBeGreaterThan(0);
      expect(listed).toEqual([...new Set(listed)]);
    }
  });

  it('keeps the declared JSON Schema of each field in full detail', async () => {
    const { data } = readAnswer(await call({ stream: 'notes', connection_id: 'team', detail: 'full' }));
    expect(data.json_schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string' },
        message: { type: 'string' },
        channel: { type: 'string' },
        length: { type: 'integer' },
        sent_at: { type: 'string', format: 'date-time' },
      },
      required: ['id'],
    });
  });

  it('puts its document directly under data', async () => {
    for (const args of [{}, { stream: 'notes' }]) {
      const body = readAnswer(await call(args));
      expect(Object.keys(body)).toEqual(['data', 'meta']);
      expect(body.data).not.toHaveProperty('data');
    }
  });

  it('uses plain keys, so that calls can be written from it alone', async () => {
    const { data } = readAnswer(await call({ stream: 'notes', connection_id: 'home' }));
    expect(data.legend).toMatch(/\w/);
    const [{ stream, fields, connections }] = data.sources;
    const { connection_id } = connections[0];
    type FieldLine = {
      name: string;
      type: string;
      filter?: string | false;
      sort?: boolean;
      group?: boolean;
      aggregate?: string[];
      values?: unknown[];
      example?: unknown;
    };
    for (const line of fields as FieldLine[]) {
      const field: FieldLine = { ...usesOf(data.types, line.type), ...line };
      const value =
        field.values?.[0] ??
        field.example ??
        (/string|date/.test(field.type) ? '2026-01-01' : field.type === 'boolean' ? true : 1);
      const calls: [string, object][] = [['query_records', { fields: [field.name] }]];
      const canFilter = typeof field.filter === 'string' && !field.filter.startsWith('none');
      if (canFilter) calls.push(['query_records', { filter: { [field.name]: value } }]);
      if (field.filter === 'equals or range')
        calls.push(['query_records', { filter: { [field.name]: { gte: value } } }]);
      if (field.sort) calls.push(['query_records', { sort: `-${field.name}` }]);
      if (field.group) calls.push(['aggregate', { group_by: [field.name] }]);
      for (const metric of field.aggregate ?? []) calls.push(['aggregate', { metric, field: field.name }]);
      for (const [tool, args] of calls)
        readAnswer(await world.call(world.token, tool, { stream, connection_id, ...args }));
      if (!canFilter)
        readRefusal(
          await world.call(world.token, 'query_records', {
            stream,
            connection_id,
            filter: { [field.name]: 'x' },
          }),
        );
    }
  });
});

/** What fields of a type can do; types that can do the same are told together. */
function usesOf(types: Record<string, object>, type: string): object {
  return Object.entries(types).find(([names]) => names.split(', ').includes(type))?.[1] ?? {};
}

/** Every `connection stream` pair that an answer of schema lists, as often as it does. */
function findStreamLists(data: {
  connectors?: {
    connections: { connection_id: string; streams: { name: string }[]; empty_streams?: string[] }[];
  }[];
  sources?: { stream: string; connections: { connection_id: string }[] }[];
}): string[] {
  return [
    ...(data.connectors ?? []).flatMap((connector) =>
      connector.connections.flatMap((one) =>
        [...one.streams.map(({ name }) => name), ...(one.empty_streams ?? [])].map(
          (name) => `${one.connection_id} ${name}`,
        ),
      ),
    ),
    ...(data.sources ?? []).flatMap((source) =>
      source.connections.map((one) => `${one.connection_id} ${source.stream}`),
    ),
  ];
}
