import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { ANSWERS, readLines } from '../recording/play.ts';
import { createDiaryWorld } from '../support/diary-world.ts';
import { listRoutes } from '../support/servers/servers.ts';
import { useWorld } from '../support/use-world.ts';

interface OpenApi {
  readonly paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  readonly components: { readonly schemas: Record<string, object> };
}

const world = await useWorld(createDiaryWorld());
const response = await world.request('/v1/openapi.json');
const text = await response.text();
const document: OpenApi = JSON.parse(text);

interface Recorded {
  readonly request: { get?: string; post?: string; tool?: string };
  readonly answers: { status: number; body: unknown }[];
}

const recording = readLines(ANSWERS).map((line): Recorded => JSON.parse(line));

/** The answers of `test/recording` below /v1, one for each page. */
function listRecorded() {
  return recording.flatMap(({ request, answers }) => {
    const path = request.get ?? request.post ?? '';
    const method = request.post === undefined ? 'get' : 'post';
    return path.startsWith('/v1/') ? answers.map((answer) => ({ method, path, ...answer })) : [];
  });
}

function findOperation(method: string, path: string) {
  const [plain = ''] = path.slice('/v1'.length).split('?');
  const found = Object.entries(document.paths).find(([template, operations]) => {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return method in operations && pattern.test(plain);
  });
  return found?.[1][method];
}

/** The same schema with no members but those it names, so that an undocumented member is noticed. */
function close(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(close);
  const closed = Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, close(inner)]));
  return 'properties' in schema && !('additionalProperties' in schema)
    ? { ...closed, additionalProperties: false }
    : closed;
}

describe('GET /v1/openapi.json', () => {
  it('needs no token, and is the same for everyone', async () => {
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const headers = { authorization: `Bearer ${world.mine}` };
    expect(await (await world.request('/v1/openapi.json', { headers })).text()).toBe(text);
    const empty = await useWorld(createDiaryWorld());
    expect(await (await empty.request('/v1/openapi.json')).text()).toBe(text);
    for (const name of ['entries', 'mine', 'diary']) expect(text).not.toContain(`"${name}"`);
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(text));
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('describes every route below /v1, and no other', async () => {
    const served = (await listRoutes(world))
      .filter(({ path, method }) => path.startsWith('/v1/') && method !== 'ALL')
      .map(({ path, method }) => `${method} ${path.slice('/v1'.length).replaceAll(/:(\w+)/g, '{$1}')}`);
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(served.sort());
  });

  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'document', components: close(document.components) as object });

  it('describes the recorded answers', () => {
    const recorded = listRecorded();
    expect(recorded.length).toBeGreaterThan(50);
    for (const { method, path, status, body } of recorded) {
      const operation = findOperation(method, path);
      if (operation === undefined) {
        expect([path, status]).toEqual([expect.any(String), 404]);
        continue;
      }
      const { content } = (operation.responses[status] ?? operation.responses.default) as {
        content: Record<string, { schema: { $ref: string } }>;
      };
      const { $ref } = content['application/json']?.schema ?? { $ref: '' };
      const validate = ajv.getSchema(`document${$ref}`);
      expect(validate?.(body), `${path}: ${ajv.errorsText(validate?.errors)}`).toBe(true);
    }
  });
  it('describes the recorded answers of the tools behind it', () => {
    const results = recording.flatMap(({ request: { tool }, answers }) =>
      answers.flatMap(({ body }) => {
        const { result } = body as { result?: { isError?: true; structuredContent: unknown } };
        return tool === undefined || result === undefined ? [] : [{ tool, ...result }];
      }),
    );
    expect(results.length).toBeGreaterThan(500);
    for (const { tool, isError, structuredContent } of results) {
      const validate = ajv.getSchema(`document#/components/schemas/${isError ? 'refusal' : tool}`);
      expect(validate?.(structuredContent), `${tool}: ${ajv.errorsText(validate?.errors)}`).toBe(true);
    }
  });
});
