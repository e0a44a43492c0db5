import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countReal } from '../support/answers.ts';
import { connect } from '../support/mcp-clients.ts';
import { createNotesWorld } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';

const NAMES = ['schema', 'query_records', 'aggregate', 'search', 'fetch'];
const LIST_TOKENS = 1_250;

const world = await useWorld(createNotesWorld({ connections: ['home', 'work'] }));
const narrow = (await world.grant([{ connection_id: 'work', stream: 'codes', fields: ['label'] }])).token;

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: string; required?: string[]; properties: Record<string, object> };
  annotations: object;
}

async function listTools(token: string): Promise<Listed[]> {
  const { body } = await world.rpc(token, 'tools/list');
  return (body as { result: { tools: Listed[] } }).result.tools;
}

describe('tools/list', () => {
  it('names exactly the five tools, in one order', async () => {
    expect((await listTools(world.token)).map((tool) => tool.name)).toEqual(NAMES);
  });

  it.each(NAMES)('C-07 publishes %s in the recorded shape', async (name) => {
    const file = new URL(`surface/${name}.json`, import.meta.url);
    const shape = (await listTools(world.token)).find((tool) => tool.name === name);
    if (process.env.UPDATE_SURFACE !== undefined) {
      writeFileSync(file, `${JSON.stringify(shape, undefined, 2)}\n`);
    }
    expect(shape).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  it('C-07 has the same bytes for every grant and in both protocol versions', async () => {
    const lists = new Set<string>();
    for (const token of [world.token, narrow]) {
      lists.add(JSON.stringify(await listTools(token)));
      for (const era of [2025, 2026] as const) {
        const { client, bodies } = await connect(world, token, era);
        const listed = await client.listTools();
        expect(listed.tools.map((tool) => tool.name)).toEqual(NAMES);
        lists.add(findList(bodies.at(-1) as string));
        await client.close();
      }
    }
    expect([...lists]).toHaveLength(1);
  });

  it('costs at most 1,250 tokens as it is sent', async () => {
    const { body } = await world.rpc(world.token, 'tools/list');
    expect(countReal(JSON.stringify(body))).toBeLessThanOrEqual(LIST_TOKENS);
  });

  it('marks every tool as read-only, with a title and a description', async () => {
    for (const tool of await listTools(world.token)) {
      expect(tool.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(tool.title).toMatch(/^[A-Z]/);
      expect(tool.description.length).toBeGreaterThan(40);
      expect(tool.inputSchema.type).toBe('object');
    }
  });

  it('requires nothing but the stream, the query or the id', async () => {
    const tools = await listTools(world.token);
    expect(Object.fromEntries(tools.map((tool) => [tool.name, tool.inputSchema.required ?? []]))).toEqual({
      schema: [],
      query_records: ['stream'],
      aggregate: ['stream'],
      search: ['query'],
      fetch: ['id'],
    });
  });

  it('offers connection_id everywhere, its old name and words of profiles nowhere', async () => {
    const tools = await listTools(world.token);
    for (const tool of tools) expect(Object.keys(tool.inputSchema.properties)).toContain('connection_id');
    const { client } = await connect(world, world.token, 2026);
    const said = `${JSON.stringify(tools)} ${client.getInstructions()}`;
    expect(client.getInstructions()).toMatch(/schema/);
    expect(said).not.toMatch(/connector_instance_id|profile|tool ?set/i);
    await client.close();
  });

  it('states limits and defaults in words, because clients strip the keywords', async () => {
    const tools = await listTools(world.token);
    const describeLimit = (name: string) =>
      JSON.stringify(tools.find((tool) => tool.name === name)?.inputSchema.properties.limit);
    expect(describeLimit('query_records')).toMatch(/25.*100/);
    expect(describeLimit('aggregate')).toMatch(/20.*200/);
    expect(describeLimit('search')).toMatch(/10.*50/);
  });
});

/** The list of tools in an answer, as text, whether it came as JSON or as an event. */
function findList(body: string): string {
  const json = body.startsWith('{') ? body : (/^data: (.+)$/m.exec(body)?.[1] ?? '');
  return JSON.stringify(JSON.parse(json).result.tools);
}
