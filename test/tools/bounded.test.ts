import { describe, expect, it } from 'vitest';
import { readAnswer, readRefusal } from '../support/answers.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorstWorld, RELATIONS, texts } from './worst-world.ts';

const world = await useWorld(createWorstWorld());
const call = async (tool: string, args: object) => readAnswer(await world.call(world.token, tool, args));

interface Row {
  id: string;
  record: Record<string, unknown>;
  cut?: Record<string, { id: string; field?: string; offset?: number }>;
}

/** Reads pages to the end; each must bring something and, unless it is the last, a handle to go on. */
async function readPages(args: object, most = 300): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < most; page++) {
    const answer = await call('query_records', { ...args, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...answer.data);
    if (!answer.has_more) {
      expect(answer.next_cursor).toBeUndefined();
      return rows;
    }
    expect(answer.data.length).toBeGreaterThan(0);
    cursor = answer.next_cursor;
    expect(cursor).toMatch(/\S/);
  }
  throw new Error('the pages do not end');
}

describe('R-03 query_records, for any records', () => {
  it.each([
    ['texts of five megabytes', 'huge', 4],
    ['texts in every script', 'texts', Object.keys(texts).length],
    ['190 fields', 'wide', 5],
    ['190 fields with dear names', 'dear', 1],
    ['keys of 512 bytes', 'keys', 18],
    ['large and deep objects', 'nested', 2],
    ['twenty kinds of parts', 'parts', 160],
  ])('pages through %s, losing nothing', async (_, stream, expected) => {
    for (const limit of [1, 100]) {
      const rows = await readPages({ stream, limit });
      expect(new Set(rows.map((row) => row.id)).size).toBe(expected);
      expect(rows).toHaveLength(expected);
    }
  });

  it.each(['huge', 'texts', 'wide', 'dear', 'keys', 'nested'])(
    'shows each field of %s whole, or says how to read the rest of it',
    async (stream) => {
      for (const row of await readPages({ stream, limit: 100 })) {
        const shown = new Set([...Object.keys(row.record), ...Object.keys(row.cut ?? {})]);
        if (row.cut?.['*'] === undefined) {
          const { text } = await call('fetch', { id: row.id });
          for (const name of text.match(/^[^\s:]+(?=:)/gm) ?? []) expect(shown).toContain(name);
        }
        for (const [name, handle] of Object.entries(row.cut ?? {}).slice(0, 3)) {
          const document = await call('fetch', handle);
          expect(document.text.length, name).toBeGreaterThan(0);
        }
      }
    },
  );

  it('keeps to the bound with changes and with twenty relations', async () => {
    for (const stream of ['huge', 'wide', 'dear', 'keys', 'nested']) {
      const { data, next_cursor, next_changes_since } = await call('query_records', {
        stream,
        changes_since: 'beginning',
        limit: 100,
      });
      expect(data.length).toBeGreaterThan(0);
      expect(next_cursor ?? next_changes_since).toMatch(/\S/);
    }
    const { data } = await call('query_records', { stream: 'hub', expand: RELATIONS });
    expect(Object.keys(data[0].expanded)).toEqual(RELATIONS);
    for (const part of Object.values(data[0].expanded))
      expect(part).toMatchObject({ total: 16, has_more: true });
  });
});

describe('fetch, for any record', () => {
  it.each(Object.keys(texts))('pages through a long text of %s, always moving on', async (kind) => {
    let offset: number | undefined = 0;
    let pages = 0;
    while (offset !== undefined && pages < 12) {
      const { text, metadata }: { text: string; metadata: Record<string, number> } = await call('fetch', {
        id: `worst/texts/${encodeURIComponent(kind)}`,
        offset,
      });
      expect(text.length).toBeGreaterThan(0);
      if (metadata.next_offset !== undefined) expect(metadata.next_offset).toBe(offset + text.length);
      else expect(metadata.complete).toBe(true);
      offset = metadata.next_offset;
      pages += 1;
    }
  });

  it('includes twenty relations and still its own text', async () => {
    const { text, metadata } = await call('fetch', { id: 'worst/hub/hub', expand: RELATIONS });
    expect(text).toContain('The middle of everything');
    expect(Object.keys(metadata.expanded)).toEqual(RELATIONS);
  });

  it('reads a record of five megabytes from its end', async () => {
    const { metadata } = await call('fetch', { id: 'worst/huge/h0', field: 'text' });
    expect(metadata).toMatchObject({
      chars_total: 95_000 * (texts.english as string).length,
      complete: false,
    });
    const end = await call('fetch', {
      id: 'worst/huge/h0',
      field: 'text',
      offset: metadata.chars_total - 100,
    });
    expect(end.text).toHaveLength(100);
    expect(end.metadata.complete).toBe(true);
  });
});

describe('search, for any number of hits', () => {
  it('serves ten thousand hits a page at a time and says that not all of them were ranked', async () => {
    const first = await call('search', { query: 'common word', limit: 50 });
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.stringMatching(/\S/) });
    expect(first.results.length).toBeGreaterThan(10);
    expect(first.meta.warnings).toEqual(['matches_limited']);
    const second = await call('search', { query: 'common word', limit: 50, cursor: first.next_cursor });
    expect(second.results[0].id).not.toBe(first.results[0].id);
  });

  it.each([
    ['key beyond measure', 'keys'],
    ['ferry', 'huge'],
    ['value of record', 'wide'],
  ])('pages to the end for %j', async (query, stream) => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await call('search', {
        query,
        streams: [stream],
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(answer.results.length).toBeGreaterThan(0);
      ids.push(...answer.results.map((hit: { id: string }) => hit.id));
      if (answer.has_more) expect(answer.next_cursor).toMatch(/\S/);
      cursor = answer.next_cursor;
    } while (cursor !== undefined && ids.length < 100);
    expect(ids).toHaveLength({ keys: 18, huge: 4, wide: 5 }[stream] as number);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('R-05 aggregate, for any number of groups', () => {
  it.each([
    ['one field', { group_by: ['label'] }, 10_000],
    ['two fields', { group_by: ['label', 'other'] }, 10_000],
    ['the smallest first', { group_by: ['label'], sort: 'group' }, 10_000],
    ['largest values', { group_by: ['label'], metric: 'count_distinct', field: 'other' }, 10_000],
    ['hours and a field', { group_by: ['label'], interval: 'hour' }, 10_000],
    ['days of the week and a field', { group_by: ['label'], interval: 'weekday', sort: '-value' }, 10_000],
  ])('accounts for all of ten thousand long groups: %s', async (_, args, groups) => {
    const { data } = await call('aggregate', { stream: 'many', limit: 200, ...args });
    expect(data.groups.length).toBeGreaterThan(0);
    expect(data.groups.length + data.other.groups).toBe(groups);
    expect(data.records).toBe(10_000);
    expect(data.other.records).toBe(10_000 - data.groups.length);
  });

  it('asks for a longer interval if ten thousand would have to be sorted', async () => {
    const args = { stream: 'many', interval: 'hour', sort: '-value' };
    expect(readRefusal(await world.call(world.token, 'aggregate', args)).code).toBe('too_many_groups');
  });

  it('serves the latest of ten thousand hours, the rest in one sum', async () => {
    const { data } = await call('aggregate', { stream: 'many', interval: 'hour', limit: 200 });
    expect(data.total).toBe(10_000);
    expect(data.other.records + data.groups.length).toBe(10_000);
  });
});

describe('schema and refusals, for names of any length', () => {
  it.each(['wide', 'dear', 'keys', 'hub', 'parts', 'nested'])(
    'describes %s within the bound',
    async (stream) => {
      for (const detail of ['compact', 'full']) {
        const { data } = await call('schema', { stream, detail });
        expect(data.sources[0]).toMatchObject({ stream });
      }
    },
  );

  it('refuses within the limit if the known names are many and long', async () => {
    for (const args of [
      { stream: 'dear', fields: ['nosuch'] },
      { stream: 'dear', filter: { nosuch: 1 } },
      { stream: 'wide', sort: 'nosuch' },
      { stream: 'hub', expand: ['nosuch'] },
    ]) {
      readRefusal(await world.call(world.token, 'query_records', args));
    }
  });
});
