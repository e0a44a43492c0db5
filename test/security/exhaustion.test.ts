import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { escapeText } from '../../src/text/escape-text.ts';
import { estimateTokens } from '../../src/text/estimate-tokens.ts';
import { createNotesWorld, note } from '../support/notes-source.ts';
import { useWorld } from '../support/use-world.ts';

const world = await useWorld(createNotesWorld());

const call = (tool: string, args: Record<string, unknown> = {}) => world.call(world.token, tool, args);

/** Of the processor, so that a busy machine takes no longer; what is looked for are minutes, not milliseconds. */
const SOON_MS = 500;

async function inTime<T>(work: () => Promise<T> | T): Promise<T> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(SOON_MS);
  return result;
}

describe('a filter', () => {
  const nest = (depth: number): unknown => (depth === 0 ? 'x' : { not: nest(depth - 1) });
  const many = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

  it.each([
    ['6 levels deep', { author: nest(6) }],
    ['50 levels deep', { author: nest(50) }],
    ['with 201 values', { author: many(201) }],
    ['with 10,000 values', { author: many(10_000) }],
    ['with a value of 5 kB', { author: 'x'.repeat(5_000) }],
    [
      'with 51 conditions',
      Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`field${index}`, 1])),
    ],
  ])('R-04 %s is refused by name before the database is asked', async (_, filter) => {
    const { isError, structuredContent } = await inTime(() =>
      call('query_records', { stream: 'notes', filter }),
    );
    expect(isError).toBe(true);
    expect(['invalid_filter', 'unknown_field']).toContain(structuredContent.error.code);
  });
});

describe('search', () => {
  it('R-09 of one letter, of five thousand words and in a text of 100,000 hits is bounded', async () => {
    const long = Array.from({ length: 100_000 }, () => 'harbour').join(' ');
    await world.ingest('home', 'notes', [note('long', { title: 'long', body: long })]);
    for (const query of ['a', 'h', 'word '.repeat(5_000), 'harbour', 'harbour '.repeat(100), 'harb']) {
      const { structuredContent } = await inTime(() => call('search', { query }));
      expect(structuredContent.results).toBeInstanceOf(Array);
    }
  });
});

describe('patterns', () => {
  // As much as fits into a message, also where each character is escaped.
  const adversarial = [
    'a',
    ' ',
    '/',
    '%',
    '<',
    '"',
    '.',
    '\\',
    '-',
    ':',
    '@',
    '🙂',
    '\u0301',
    '\u202e',
    '0',
    '=',
  ].map((unit) => unit.repeat(30_000 / unit.length));

  it('R-10 take time in proportion to the text, whatever it is made of', async () => {
    for (const text of adversarial) {
      await inTime(() => escapeText(text, { characters: 0 }));
      await inTime(() => estimateTokens(text));
      await inTime(() => call('search', { query: text }));
      await inTime(() => call('fetch', { id: text }));
      await inTime(() => call('query_records', { stream: 'notes', filter: { created_at: text } }));
      await inTime(() => call('query_records', { stream: 'notes', sort: text, cursor: text }));
    }
  });
});

describe('the log beside the database', () => {
  it('R-11 stays bounded during imports with concurrent reads', async () => {
    const body = 'words and more words '.repeat(100);
    for (let round = 0; round < 30; round += 1) {
      const lines = Array.from({ length: 300 }, (_, index) => note(`r${round}-${index}`, { body }));
      await world.ingest('home', 'notes', lines);
      await call('query_records', { stream: 'notes', limit: 5 });
    }
    expect(statSync(join(world.store.directory, 'store.sqlite-wal')).size).toBeLessThan(64 * 2 ** 20);
  });
});
