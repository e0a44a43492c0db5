import { describe, expect, it } from 'vitest';
import { connect, FIVE_TOOLS } from '../support/mcp-clients.ts';
import { useWorld } from '../support/use-world.ts';
import { createSharedNamesWorld } from './shared-names-world.ts';

const world = await useWorld(createSharedNamesWorld());

describe('acceptance: the tool list', () => {
  it.each([2025, 2026] as const)('has exactly the five read tools for a client of %i', async (era) => {
    const { client } = await connect(world, world.token, era);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(FIVE_TOOLS);
    await client.close();
  });

  it('accepts connection_id in every data tool, but not its old name', async () => {
    const { client } = await connect(world, world.token, 2026);
    const { tools } = await client.listTools();
    for (const tool of tools) {
      expect(Object.keys(tool.inputSchema.properties ?? {})).toContain('connection_id');
      expect(JSON.stringify(tool)).not.toContain('connector_instance_id');
      const sent = {
        ...{ stream: 'notes', query: 'ferry', id: 'home/notes/n1' },
        connector_instance_id: 'home',
      };
      const required = tool.inputSchema.required ?? [];
      const args = Object.fromEntries(
        Object.entries(sent).filter(([name]) => required.includes(name) || name === 'connector_instance_id'),
      );
      const { structuredContent } = await world.call(world.token, tool.name, args);
      expect(structuredContent.error.code).toBe('unknown_argument');
    }
    await client.close();
  });

  it('does not mention profiles in the list or the instructions', async () => {
    for (const era of [2025, 2026] as const) {
      const { client, bodies } = await connect(world, world.token, era);
      await client.listTools();
      expect(client.getInstructions()).toBeTruthy();
      expect(bodies.join()).not.toMatch(/profile/i);
      await client.close();
    }
  });

  it('refuses owner tokens at the endpoint', async () => {
    const owner = await world.ownerToken();
    for (const method of ['tools/list', 'tools/call']) {
      const { status, body } = await world.rpc(owner, method, { name: 'schema', arguments: {} });
      expect(status).toBe(403);
      expect(body).toMatchObject({ error: { code: 'owner_token_refused' } });
    }
    await expect(connect(world, owner, 2026)).rejects.toThrow();
    await expect(connect(world, owner, 2025)).rejects.toThrow();
  });
});
