import { describe, expect, it } from 'vitest';
import { readAnswer, readRefusal } from '../support/answers.ts';
import { hostileStrings, prototypeKeys } from '../support/inputs/hostile-values.ts';
import { createNotesWorld } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';
import { callBadly } from './bad-calls.ts';

const world = await useWorld(createNotesWorld());
const bad = (tool: string, args: unknown, sent: string[] = []) =>
  callBadly(world, world.token, tool, args, sent);
const codeOf = async (tool: string, args: unknown) => readRefusal(await bad(tool, args)).code;

const good: Record<string, Record<string, unknown>> = {
  schema: {},
  query_records: { stream: 'notes' },
  aggregate: { stream: 'notes' },
  search: { query: 'ferry' },
  fetch: { id: 'home/notes/n1' },
};
const strings: Record<string, string[]> = {
  schema: ['detail'],
  query_records: ['stream', 'sort', 'cursor', 'count', 'changes_since', 'time_zone'],
  aggregate: ['stream', 'metric', 'field', 'interval', 'time_zone', 'sort'],
  search: ['query', 'since', 'until', 'cursor'],
  fetch: ['id', 'connection_id', 'field', 'query'],
};
/** One name, or a list of them. */
const names: Record<string, string[]> = {
  schema: ['stream', 'connection_id'],
  query_records: ['connection_id'],
  aggregate: ['connection_id'],
  search: ['connection_id'],
  fetch: [],
};
const lists: Record<string, string[]> = {
  schema: [],
  query_records: ['fields', 'expand'],
  aggregate: ['group_by'],
  search: ['streams'],
  fetch: ['fields', 'expand'],
};
const numbers: Record<string, string[]> = {
  schema: [],
  query_records: ['limit'],
  aggregate: ['limit'],
  search: ['limit'],
  fetch: ['offset'],
};
const filtered = ['query_records', 'aggregate', 'search'];

/** Arguments under which a name or value is used and not just parsed. */
const beside: Record<string, Record<string, unknown>> = {
  'aggregate field': { metric: 'sum' },
  'aggregate time_zone': { interval: 'day' },
};

describe.each(Object.keys(good))('%s, given the wrong type', (tool) => {
  it.each(strings[tool] as string[])('refuses anything but a string as %s', async (name) => {
    for (const value of [0, 1.5, true, {}, [], ['notes'], { a: 1 }, [[]]]) {
      expect(await codeOf(tool, { ...good[tool], ...beside[`${tool} ${name}`], [name]: value })).toBe(
        'invalid_argument',
      );
    }
  });

  it('refuses anything but a string or a list of them where either is meant', async () => {
    for (const name of names[tool] as string[]) {
      for (const value of [
        0,
        1.5,
        true,
        {},
        [],
        { a: 1 },
        [[]],
        [1],
        ['home', null],
        Array(101).fill('home'),
      ]) {
        expect(await codeOf(tool, { ...good[tool], [name]: value }), name).toBe('invalid_argument');
      }
      const refusal = readRefusal(await bad(tool, { ...good[tool], [name]: 1 }));
      expect(refusal.message).toBe(`${name} must be a string or a list of 1 to 100 strings.`);
    }
  });

  it('refuses anything but a list of strings where a list is meant', async () => {
    for (const name of lists[tool] as string[]) {
      for (const value of [0, true, {}, [1], [null], [['title']], [{}]]) {
        expect(await codeOf(tool, { ...good[tool], [name]: value }), name).toBe('invalid_argument');
      }
      // To expand nothing is a choice; to read no fields, streams or groups is a mistake.
      if (name !== 'expand')
        expect(await codeOf(tool, { ...good[tool], [name]: [] }), `${name}: []`).toBe('invalid_argument');
    }
  });

  it('refuses anything but a whole number in range where a number is meant', async () => {
    for (const name of numbers[tool] as string[]) {
      // An offset may count from the end.
      for (const value of [...(name === 'offset' ? [] : [-1]), 1.5, 1e300, '5', true, {}, [5]]) {
        expect(await codeOf(tool, { ...good[tool], [name]: value }), name).toBe('invalid_argument');
      }
    }
  });

  it('takes null as left out, as some clients fill in every argument', async () => {
    const all = [
      ...(strings[tool] as string[]),
      ...(names[tool] as string[]),
      ...(lists[tool] as string[]),
      ...(numbers[tool] as string[]),
    ];
    const nulls = Object.fromEntries(all.map((name) => [name, null]));
    readAnswer(await bad(tool, { ...nulls, ...good[tool] }));
  });

  it('says which argument is missing', async () => {
    const required = Object.keys(good[tool] as object);
    for (const name of required) {
      const refusal = readRefusal(await bad(tool, {}));
      expect(refusal).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(name) });
    }
  });
});

describe('arguments that a tool does not have', () => {
  it.each([
    ['query_records', 'streem', 'stream'],
    ['query_records', 'feilds', 'fields'],
    ['query_records', 'change_since', 'changes_since'],
    ['schema', 'conection_id', 'connection_id'],
    ['aggregate', 'groupby', 'group_by'],
    ['aggregate', 'timezone', 'time_zone'],
    ['search', 'q', 'query'],
    ['search', 'top_k', 'limit'],
    ['aggregate', 'group_by_time', 'interval'],
    ['query_records', 'order_by', 'sort'],
    ['query_records', 'where', 'filter'],
    ['query_records', 'offset', 'cursor'],
    ['search', 'querry', 'query'],
    ['search', 'stream', 'streams'],
    ['fetch', 'ids', 'id'],
    ['fetch', 'ofset', 'offset'],
  ])('%s(%s) is refused with the nearest name', async (tool, sent, meant) => {
    const refusal = readRefusal(await bad(tool, { ...good[tool], [sent]: 'x' }));
    expect(refusal.code).toBe('unknown_argument');
    expect(refusal.allowed).toContain(meant);
    expect(refusal.hint).toContain(meant);
  });

  it.each(Object.keys(good))('%s lists what it knows when nothing is near', async (tool) => {
    // The protocol library drops an argument called __proto__ on its own, before any tool sees it.
    const names = prototypeKeys.filter((name) => name !== '__proto__');
    for (const name of ['zqzqzqzq', 'profile', 'connector_instance_id', ...names]) {
      const refusal = readRefusal(await bad(tool, { ...good[tool], [name]: 1 }, [name]));
      expect(refusal).toMatchObject({
        code: 'unknown_argument',
        allowed: expect.arrayContaining(['connection_id']),
      });
    }
  });

  it.each(Object.keys(good))('%s ignores what a known client adds on its own', async (tool) => {
    readAnswer(await bad(tool, { ...good[tool], wait_for_previous: true }));
  });
});

describe('a connection_id beside a whole id', () => {
  it('fetch does not read from another connection than the one that is named', async () => {
    for (const connection_id of ['work', ...prototypeKeys]) {
      readRefusal(await bad('fetch', { id: 'home/notes/n1', connection_id }));
    }
    readAnswer(await bad('fetch', { id: 'home/notes/n1', connection_id: 'home' }));
  });
});

describe.each(Object.entries(hostileStrings))('as a name: %s', (_, text) => {
  it.each(Object.keys(good))('is only a name to %s', async (tool) => {
    for (const name of [...(strings[tool] as string[]), ...(names[tool] as string[])]) {
      if (name === 'query' || (tool === 'fetch' && name === 'connection_id')) continue;
      const result = await bad(tool, { ...good[tool], ...beside[`${tool} ${name}`], [name]: text }, [text]);
      if (!(name === 'connection_id' && text === '*')) expect(result.isError, name).toBe(true);
    }
    for (const name of lists[tool] as string[])
      readRefusal(await bad(tool, { ...good[tool], [name]: [text] }, [text]));
  });

  it.each(filtered)('is only a field to the filter of %s', async (tool) => {
    const filter = JSON.parse(`{${JSON.stringify(text)}: "x"}`);
    const code = await codeOf(tool, { ...good[tool], filter });
    expect(['unknown_field', 'invalid_filter']).toContain(code);
  });

  it('I-02 is only a value to a filter and only words to a search', async () => {
    for (const tool of filtered) {
      for (const test of [text, [text, 'x'], { ne: text }]) {
        await bad(tool, { ...good[tool], filter: { author: test } }, [text]);
      }
      await bad(tool, { ...good[tool], filter: { tags: text } }, [text]);
    }
    const { data } = (await bad('query_records', { stream: 'notes', filter: { author: text } }))
      .structuredContent;
    if (data !== undefined) expect(data).toEqual([]);
    await bad('search', { query: text }, [text]);
  });

  it('I-02 is only a key to fetch', async () => {
    for (const id of [text, `home/${text}`, `home/notes/${text}`, `${text}/notes/n1`, `home/${text}/n1`]) {
      readRefusal(await bad('fetch', { id }, [text]));
    }
  });
});
