import { describe, expect, it, onTestFinished } from 'vitest';
import { errorCodes } from '../../src/errors.ts';
import { CallMetrics } from '../../src/metrics/call-metrics.ts';
import { formatMetrics } from '../../src/metrics/format-metrics.ts';
import { listProcessMetrics } from '../../src/metrics/process-metrics.ts';
import { tools } from '../../src/tools/index.ts';
import { diarySource, entry } from '../support/diary-source.ts';
import { HTTPS_ORIGIN, startAgain, startListening } from '../support/servers/servers.ts';
import { createWorld, type World } from '../support/world.ts';

async function openWorld(): Promise<World> {
  const world = await createWorld();
  onTestFinished(() => world.close());
  await world.addSource(diarySource, { secret_diary: 'Secret diary' });
  await world.ingest('secret_diary', 'entries', [entry('one', { title: 'Confidential', body: 'words' })]);
  return world;
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

/** The values by name and labels. Throws at a line that is not in the format of Prometheus. */
function parseMetrics(text: string): Map<string, number> {
  expect(text.endsWith('\n')).toBe(true);
  const values = new Map<string, number>();
  let family = '';
  for (const line of text.trimEnd().split('\n')) {
    const [, kind, name] = /^# (HELP|TYPE) ([a-z_]+) \S/.exec(line) ?? [];
    if (kind === 'HELP') family = name as string;
    if (kind !== undefined) continue;
    const found = /^([a-z_]+)(\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})? (\S+)$/.exec(line);
    if (found === null || !found[1]?.startsWith(family) || Number.isNaN(Number(found[3])))
      throw new Error(`not a metric: ${line}`);
    const key = `${found[1]}${found[2] ?? ''}`;
    expect(values.has(key), key).toBe(false);
    values.set(key, Number(found[3]));
  }
  return values;
}

describe('GET /metrics', () => {
  it('is for the owner: not without a token, and not for an app', async () => {
    const world = await openWorld();
    const { token } = await world.grant([{ connection_id: 'secret_diary' }]);
    expect((await world.request('/metrics')).status).toBe(401);
    expect((await world.request('/metrics', bearer('nonsense'))).status).toBe(401);
    const refused = await world.request('/metrics', bearer(token));
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
      403,
      'owner_token_required',
    ]);
    const answer = await world.request('/metrics', bearer(await world.ownerToken()));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('counts calls by tool and outcome, their duration, and errors by code', async () => {
    const world = await openWorld();
    const { token } = await world.grant([{ connection_id: 'secret_diary' }]);
    for (const args of [{ stream: 'entries' }, { stream: 'entries' }, { stream: 'nothing' }])
      await world.call(token, 'query_records', args);
    await world.request('/mcp', { method: 'POST' });
    const answer = await world.request('/metrics', bearer(await world.ownerToken()));
    const values = parseMetrics(await answer.text());
    expect(values.get('pdpp_calls_total{tool="query_records",outcome="ok"}')).toBe(2);
    expect(values.get('pdpp_calls_total{tool="query_records",outcome="unknown_stream"}')).toBe(1);
    expect(values.get('pdpp_calls_total{tool="search",outcome="ok"}')).toBe(0);
    expect(values.get('pdpp_call_duration_seconds_count{tool="query_records"}')).toBe(3);
    expect(values.get('pdpp_call_duration_seconds_bucket{tool="query_records",le="+Inf"}')).toBe(3);
    expect(values.get('pdpp_call_duration_seconds_sum{tool="query_records"}')).toBeGreaterThan(0);
    expect(values.get('pdpp_errors_total{code="unauthorized"}')).toBe(1);
  });

  it('has only labels from fixed lists, and nothing about data, apps or people', async () => {
    const world = await openWorld();
    const { token } = await world.grant([{ connection_id: 'secret_diary' }]);
    await world.call(token, 'search', { query: 'confidential' });
    await world.call(token, 'fetch', { id: 'secret_diary/entries/one' });
    await world.rpc(token, 'tools/call', { name: 'no_such_tool', arguments: {} });
    await world.request('/v1/streams/secret_diary', bearer(token));
    const text = await (await world.request('/metrics', bearer(await world.ownerToken()))).text();
    expect(text).not.toMatch(/secret_diary|entries|onfidential|Test app|no_such_tool|grant_|req_/);
    const labels = [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value] as const);
    const known = {
      tool: [...tools.map(({ name }) => name), 'other'],
      outcome: ['ok', ...Object.keys(errorCodes)],
      code: Object.keys(errorCodes),
    };
    for (const [name, value] of labels)
      if (name !== 'le') expect(known[name as keyof typeof known]).toContain(value);
  });

  it('needs no token on this computer, unless the request may have passed a proxy', async () => {
    const world = await openWorld();
    const local = await startListening(world);
    const status = async (origin: string, headers: Record<string, string> = {}) =>
      (await fetch(`${origin}/metrics`, { headers })).status;
    expect(await status(local.origin)).toBe(200);
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect(await status(local.origin, { [name]: '1.2.3.4' })).toBe(401);
    await local.close();
  });

  it('needs a token on a server with a public address, wherever the request seems to come from', async () => {
    const world = await openWorld();
    const server = await startListening(world, { publicUrl: HTTPS_ORIGIN });
    const { text } = await server.raw(
      `GET /metrics HTTP/1.1\r\nHost: ${server.host}\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    await server.close();
  });

  it('shows the process to the main owner only', async () => {
    const world = await openWorld();
    const owner = bearer(await world.ownerToken());
    const alone = startAgain(world);
    expect(await (await alone.request('/metrics', owner)).text()).not.toMatch(
      /process_|pdpp_calls_(running|waiting)/,
    );
    const main = startAgain(world, { measureProcess: async () => listProcessMetrics() });
    const values = parseMetrics(await (await main.request('/metrics', owner)).text());
    expect(values.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(values.get('pdpp_calls_running')).toBe(0);
    expect(values.get('pdpp_calls_waiting')).toBe(0);
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });
});

describe('the histogram', () => {
  it('has growing buckets that end with all calls', () => {
    const metrics = new CallMetrics(['fetch']);
    for (const ms of [0.5, 1, 1.1, 30, 20_000]) metrics.noteCall('fetch', 'ok', ms);
    const values = parseMetrics(formatMetrics(metrics.list()));
    const buckets = [...values].filter(([key]) => key.includes('_bucket{tool="fetch"')).map(([, n]) => n);
    expect(buckets).toEqual([2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5]);
    expect(values.get('pdpp_call_duration_seconds_sum{tool="fetch"}')).toBeCloseTo(20.0326);
  });

  it('escapes what the format does not allow in a label', () => {
    const values = [{ labels: { a: 'x"y\\z\n' }, value: Number.POSITIVE_INFINITY }];
    expect(formatMetrics([{ name: 'm', type: 'gauge', help: 'h', values }])).toBe(
      '# HELP m h\n# TYPE m gauge\nm{a="x\\"y\\\\z\\n"} +Inf\n',
    );
  });
});
