import { describe, expect, it } from 'vitest';
import { bankDeclaration } from '../../../src/sources/bank/bank-declaration.ts';
import { chatgptDeclaration } from '../../../src/sources/chatgpt/chatgpt-declaration.ts';
import type { Page } from '../../support/browser.ts';
import { declare, declareStream, string, time } from '../../support/declare.ts';
import type { OAuthClient } from '../../support/oauth-client.ts';
import { useSignedInWorld } from '../../support/use-world.ts';
import { createWorld } from '../../support/world.ts';
import { useClaudeCodeWorld } from './claude-code-world.ts';
import { readConsentForm, tick } from './consent-form.ts';

const { world, owner, client, published } = await useClaudeCodeWorld();
await world.addSource(chatgptDeclaration, { chatgpt: 'ChatGPT' });
await world.addSource(bankDeclaration, { bank: 'Nordbank' });
const events = declareStream('events', { fields: { id: string, title: string, at: time }, time: 'at' });
await world.addSource(declare('calendar', [events]), { calendar: 'Calendar' });
const at = '2026-10-05T10:00:00Z';
await world.ingest('chatgpt', 'messages', [
  { key: 'm', data: { id: 'm', conversation_id: 'c', role: 'user', text: 'How do I bake?', created_at: at } },
]);
await world.ingest('bank', 'transactions', [
  { key: 't', data: { id: 't', account_id: 'a', date: '2026-10-05', amount: -5, currency: 'EUR' } },
]);
await world.ingest('calendar', 'events', [{ key: 'e', data: { id: 'e', title: 'Lunch', at } }]);

const open = (app: OAuthClient) => owner.open(app.startUrl().url);
const limits = ({ text }: Page) => /id="limits"[^>]*>([^<]*)</.exec(text)?.[1];
const labelsOf = (page: Page, value: string) =>
  new RegExp(`name="preset" value="${value}"[^>]*>([^<]*)<`).exec(page.text)?.[1];
const press = async (page: Page, preset: string) => owner.submit(page, { preset });

describe('the list of questions that will not work', () => {
  it('covers texts and money for the preselection', async () => {
    expect(limits(await open(published))).toBe('Cannot read what people wrote or see amounts.');
  });

  it('has every question while nothing is chosen', async () => {
    expect(limits(await open(client))).toBe('Cannot read anything: nothing is selected.');
  });

  it('is empty with the preset for everything, which names private texts', async () => {
    const page = await open(client);
    expect(labelsOf(page, 'everything')).toBe('Everything, including private texts and money');
    const all = await press(page, 'everything');
    expect(limits(all)).toBe('Nothing is left out.');
    expect(readConsentForm(all).every((stream) => stream.ticked)).toBe(true);
  });

  it('names money but not texts with the middle preset', async () => {
    const page = await press(await open(client), 'texts');
    const ticked = readConsentForm(page).filter((stream) => stream.ticked);
    expect(ticked.map(({ connection }) => connection)).not.toContain('Nordbank');
    expect(ticked.flatMap(({ fields }) => fields).find(({ name }) => name === 'text')?.ticked).toBe(true);
    expect(limits(page)).toBe('Cannot see amounts.');
  });

  it('follows each choice: connection, text and period', async () => {
    const page = await open(client);
    const look = (change: object) => owner.submit(page, { preset: 'preview', ...change });
    expect(limits(await look(tick(page, { 'ChatGPT/Chat messages': 'default' })))).toBe(
      'Cannot read what people wrote, see amounts or see anything from Calendar.',
    );
    expect(limits(await look(tick(page, { 'ChatGPT/Chat messages': ['text'], 'Calendar/events': [] })))).toBe(
      'Cannot see amounts.',
    );
    const custom = { window: 'custom', since: '2026-10-01', until: '2026-10-31' };
    expect(limits(await owner.submit(page, { preset: 'everything', ...custom }))).toContain(
      'see anything before 1 Oct 2026 or see anything after 31 Oct 2026.',
    );
  });

  it('does not name data that is not stored', async () => {
    const other = await useSignedInWorld(createWorld({ clock: 'real' }));
    await other.world.addSource(bankDeclaration, { bank: 'Nordbank' });
    await other.world.addSource(declare('calendar', [events]), { calendar: 'Calendar' });
    await other.world.ingest('calendar', 'events', [{ key: 'e', data: { id: 'e', title: 'Lunch', at } }]);
    const page = await other.owner.open(other.client.startUrl().url);
    expect(limits(await other.owner.submit(page, { preset: 'ordinary' }))).toBe('Nothing is left out.');
  });

  it('names the missing text of a stream that is ticked without it', async () => {
    const page = await open(published);
    const [, stream = ''] = /<b>Chat messages<\/b>([\s\S]*?)<\/li>/.exec(page.text) ?? [];
    expect(stream).not.toContain('in full');
    expect(stream).toMatch(/id="without-\d+"[^>]*>\s*Without text/);
    const [, whole = ''] =
      /<b>Chat messages<\/b>([\s\S]*?)<\/li>/.exec((await press(page, 'everything')).text) ?? [];
    expect(whole).not.toContain('Without text');
  });
});
