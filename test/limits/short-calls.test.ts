import { describe, expect, it } from 'vitest';
import { createFairQueue } from '../../src/limits/queue.ts';
import { type Caller, createAdmission, NO_CALL_RULE } from '../../src/reads/admission.ts';
import { tools } from '../../src/tools/index.ts';
import { createReadPool } from '../../src/workers/read-pool.ts';
import { makeFolder } from '../support/temp-folder.ts';

const callers = ['a', 'b'].map((tokenHash) => ({ kind: 'owner', tokenHash }) as Caller);

describe('a short call', () => {
  it('starts while long calls run and wait', async () => {
    const admission = createAdmission({
      rule: NO_CALL_RULE,
      queue: createFairQueue(10),
      shortQueue: createFairQueue(10),
      now: Date.now,
      onRefused: async () => {},
    });
    const [first, second] = callers as [Caller, Caller];
    const endLong = await admission.enter(first, 'mcp', { isShort: false });
    const waiting = admission.enter(second, 'mcp', { isShort: false });
    expect(admission.measure()).toEqual({ running: 1, waiting: 1 });
    const endShort = await admission.enter(second, 'mcp', { isShort: true });
    expect(admission.measure()).toEqual({ running: 2, waiting: 1 });
    endShort();
    endLong();
    (await waiting)();
    expect(admission.measure()).toEqual({ running: 0, waiting: 0 });
  });

  it('is one that runs in the main thread: a record, or a page without conditions', () => {
    const pool = createReadPool({
      directory: makeFolder(),
      cursorKey: new Uint8Array(32),
      origin: 'http://127.0.0.1',
      size: 1,
      deadlineMs: 1_000,
    });
    const usesWorker = (name: string, input: object) => {
      const tool = tools.find((one) => one.name === name);
      return tool !== undefined && pool.usesWorker(tool, input);
    };
    expect(usesWorker('fetch', { id: 'a/b/c' })).toBe(false);
    expect(usesWorker('query_records', { stream: 'notes' })).toBe(false);
    expect(usesWorker('query_records', { stream: 'notes', filter: { stars: 5 } })).toBe(true);
    expect(usesWorker('search', { query: 'ferry' })).toBe(true);
  });
});
