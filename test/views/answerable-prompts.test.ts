import { describe, expect, it } from 'vitest';
import type { Allowance, Window } from '../../src/grants/resolve-grant.ts';
import { resolveGrant } from '../../src/grants/resolve-grant.ts';
import { loadCatalog } from '../../src/schema-index/catalog.ts';
import { bankDeclaration } from '../../src/sources/bank/bank-declaration.ts';
import { chatgptDeclaration } from '../../src/sources/chatgpt/chatgpt-declaration.ts';
import { spotifyDeclaration } from '../../src/sources/spotify/spotify-declaration.ts';
import { readTryPrompts } from '../../src/views/try-prompts.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { createWorld, NOW } from '../support/world.ts';

const { world, owner } = await useSignedInWorld(createWorld());
await world.addSource(chatgptDeclaration, { chatgpt: 'ChatGPT' });
await world.addSource(bankDeclaration, { bank: 'Nordbank' });
await world.addSource(spotifyDeclaration, { spotify: 'Spotify' });
await world.ingest('chatgpt', 'messages', [
  {
    key: 'm',
    data: { id: 'm', conversation_id: 'c', text: 'How do I bake?', created_at: '2026-11-05T10:00:00Z' },
  },
]);
await world.ingest(
  'bank',
  'transactions',
  ['2026-03-20', '2026-10-20'].map((date, i) => ({
    key: `t${i}`,
    data: { id: `t${i}`, account_id: 'a', date, amount: -5, currency: 'EUR', category: 'food' },
  })),
);
await world.ingest(
  'spotify',
  'plays',
  ['2026-02-01', '2026-11-01'].map((day, i) => ({
    key: `p${i}`,
    data: { id: `p${i}`, title: 'Song', artist: 'Band', played_at: `${day}T10:00:00Z` },
  })),
);

const suggest = async (allow?: Allowance[], window?: Window) => {
  const catalog = await loadCatalog(world.store.read);
  const terms = allow && resolveGrant(catalog, allow, window).streams;
  return readTryPrompts(world.store.read, catalog, NOW, terms);
};
const promptsOf = async (...args: Parameters<typeof suggest>) =>
  (await suggest(...args)).map(({ prompt }) => prompt);

const MESSAGES = { connection_id: 'chatgpt', stream: 'messages' };
const TRANSACTIONS = { connection_id: 'bank', stream: 'transactions' };
const PLAYS = { connection_id: 'spotify', stream: 'plays' };
const COUNTED = /^How many .* per month/;

describe('a suggested question', () => {
  it('does not ask an app about texts that it cannot read', async () => {
    expect(await promptsOf([MESSAGES])).toEqual([
      'What were the main topics in ChatGPT in the week to 5 November 2026?',
    ]);
    const [prompt] = await promptsOf([{ ...MESSAGES, fields: ['role', 'created_at'] }]);
    expect(prompt).toMatch(COUNTED);
  });

  it('does not ask about money without amounts or accounts', async () => {
    expect(await promptsOf([{ ...TRANSACTIONS, fields: ['amount', 'category', 'date'] }])).toEqual([
      'Where did my money go in October 2026? Add up my Nordbank transactions by category.',
    ]);
    expect((await promptsOf([{ ...TRANSACTIONS, fields: ['merchant'] }]))[0]).toMatch(COUNTED);
    expect((await promptsOf([MESSAGES])).join()).not.toContain('Nordbank');
  });

  it('does not ask about a period that the app sees in part', async () => {
    const since = (day: string) => ({ since: Date.parse(day) });
    expect((await promptsOf([PLAYS]))[0]).toContain('Which artists did I play most in 2026');
    expect((await promptsOf([PLAYS], since('2026-06-01')))[0]).toMatch(COUNTED);
    expect((await promptsOf([TRANSACTIONS], since('2026-10-01')))[0]).toContain('in October 2026');
    expect((await promptsOf([TRANSACTIONS], since('2026-10-10')))[0]).toMatch(COUNTED);
    expect(await promptsOf([TRANSACTIONS], since('2026-11-01'))).toEqual([]);
  });

  it('is not made for selected records or streams with hidden times', async () => {
    expect(await promptsOf([{ ...MESSAGES, keys: ['m'] }])).toEqual([]);
    expect(await promptsOf([{ ...MESSAGES, fields: ['text'] }])).toEqual([]);
  });

  it('names the data to select while no app is connected', async () => {
    expect((await suggest()).map(({ source, needs }) => [source, needs])).toEqual([
      ['Nordbank', 'Transactions (money)'],
      ['ChatGPT', 'the text of Chat messages'],
      ['Spotify', null],
    ]);
  });
});

describe('the pages', () => {
  it('suggest only questions that the connected app can answer', async () => {
    const page = async (path: string) => (await owner.open(path)).text;
    expect(await page('/dashboard/connect')).toContain('Needs the text of Chat messages');
    const { grantId } = await world.grant([{ ...MESSAGES, fields: ['role', 'created_at'] }]);
    for (const path of ['/dashboard/connect', `/dashboard/apps/${grantId}`]) {
      const text = await page(path);
      expect(text).toContain('How many chat messages do I have in ChatGPT per month');
      expect(text).not.toMatch(/main topics|Where did my money|Needs the/);
      expect(text).toContain(`href="/dashboard/apps/${grantId}/access"`);
    }
  });
});
