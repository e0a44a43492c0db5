import { describe, expect, it } from 'vitest';
import type { Page } from '../../support/browser.ts';
import { declare, declareStream, string, time } from '../../support/declare.ts';
import type { OAuthClient } from '../../support/oauth-client.ts';
import { useClaudeCodeWorld } from './claude-code-world.ts';
import { readConsentForm, tick } from './consent-form.ts';

const { world, owner, client, published: known } = await useClaudeCodeWorld();
const mail = declareStream('mails', {
  fields: { id: string, subject: string, from_address: string, body: string, sent_at: time },
  time: 'sent_at',
});
const notes = declareStream('notes', {
  fields: { id: string, text: string, at: time },
  time: 'at',
  required: ['id', 'text'],
});
const labels = declareStream('labels', { fields: { id: string, name: string } });
await world.addSource(declare('mail', [mail, notes, labels]), { mail: 'Personal mail' });
await world.ingest('mail', 'mails', [
  {
    key: '1',
    data: {
      id: '1',
      subject: 'Lunch',
      from_address: 'ana@example.org',
      body: 'see you',
      sent_at: '2026-01-05T10:00:00Z',
    },
  },
]);

const open = (app: OAuthClient) => owner.open(app.startUrl().url);
const ticked = (page: Page) => readConsentForm(page).flatMap((one) => (one.ticked ? [one.label] : []));
const summary = ({ text }: Page) => /id="summary"[^>]*>([^<]*)</.exec(text)?.[1];
const sample = ({ text }: Page) =>
  /id="sample-0"[^>]*>([\s\S]*?)<\/dl>/.exec(text)?.[1]?.replace(/<[^>]+>/g, ' ') ?? '';

describe('the preselection', () => {
  it('is empty for an app without a published document', async () => {
    const page = await open(client);
    expect(ticked(page)).toEqual([]);
    expect(page.text).toContain('This app is not verified, so nothing is preselected.');
    const done = await owner.submit(page, { decision: 'approve' });
    expect([done.status, done.text.includes('id="streams-problem"')]).toEqual([400, true]);
  });

  it('is all non-sensitive data for an app with a published document', async () => {
    const page = await open(known);
    expect(page.text).toContain('verified: claude.ai');
    expect(page.text).toContain('We preselected everything except private messages, money, health');
    expect(ticked(page)).toEqual(['mails', 'labels']);
  });

  it('is the requested data for an app with a published document, and empty for others', async () => {
    const id = (declare('mail', [mail]) as { source: { id: string } }).source.id;
    const streams = [{ name: 'notes' }];
    const details = [{ type: 'https://pdpp.dev/data-access', source: { id }, streams }];
    const change = { authorization_details: JSON.stringify(details) };
    expect(ticked(await owner.open(known.startUrl(change).url))).toEqual(['notes']);
    expect(ticked(await owner.open(client.startUrl(change).url))).toEqual([]);
  });
});

describe('sensitive data', () => {
  it('includes free text and addresses, with a reason', async () => {
    const page = await open(client);
    const off = readConsentForm(page)[0]?.fields.filter((field) => !field.ticked);
    expect(off?.map(({ name }) => name)).toEqual(['from_address', 'body']);
    expect(page.text).toContain('not selected: from address (contact), body (free text)');
  });

  it('is shown with its label, and its field name beside it', async () => {
    const page = await open(client);
    expect(readConsentForm(page)[0]?.fields.map(({ label }) => label)).toEqual([
      'ID',
      'Subject',
      'From address',
      'Body',
      'Sent',
    ]);
    expect(page.text).toContain('<label title="from_address"');
    const shown = page.text.replace(/<[^>]+>/g, ' ');
    expect(shown).not.toMatch(/from_address|sent_at/);
  });

  it('includes a stream that cannot be shared without it', async () => {
    const ordinary = await owner.submit(await open(client), { preset: 'ordinary' });
    expect(ticked(ordinary)).toEqual(['mails', 'labels']);
    expect(ordinary.text).toContain('sensitive: free text');
  });
});

describe('the summary of the choice', () => {
  it('matches the grant', async () => {
    const page = await open(client);
    expect(summary(page)).toMatch(/^Nothing yet; all time; ends \d+ \w+ \d{4}$/);
    const wide = await owner.submit(page, { preset: 'everything', expires: 'never' });
    expect(summary(wide)).toBe('Personal mail; all time; until revoked');
    // Labels have no time, so a limited time leaves them out.
    const year = await owner.submit(wide, { preset: 'last_365_days' });
    expect(summary(year)).toBe(
      'Personal mail (mails and notes), not labels (no dates); last year; until revoked',
    );
    const some = await owner.submit(page, {
      preset: 'preview',
      ...tick(page, { 'Personal mail/mails': 'default' }),
    });
    expect(summary(some)).toMatch(/^Personal mail \(mails\) without from address and free text; all time; /);
  });

  it('is limited to the requested streams and period', async () => {
    const id = (declare('mail', [mail]) as { source: { id: string } }).source.id;
    const time_range = { since: '2026-01-01T00:00:00Z' };
    const ask = async (streams: object[]) => {
      const details = [{ type: 'https://pdpp.dev/data-access', source: { id }, streams }];
      const { url } = known.startUrl({ authorization_details: JSON.stringify(details) });
      return summary(await owner.open(url));
    };
    expect(await ask([{ name: 'mails', time_range }])).toMatch(
      /^Personal mail \(mails\) without .*; from 1 Jan 2026; ends /,
    );
    expect(await ask([{ name: 'labels' }])).toMatch(/^Personal mail \(labels\); all time; ends /);
    expect(await ask([{ name: 'mails', time_range }, { name: 'notes' }])).toContain(
      '; the period it requested; ',
    );
  });

  it('includes a sample of ticked fields only', async () => {
    const page = await open(client);
    expect(sample(page)).toContain('Lunch');
    // As the pages write it, not as it is stored.
    expect(sample(page)).toMatch(/Sent\s+5 Jan 2026, \d\d:00/);
    expect(sample(page)).not.toMatch(/see you|ana@example/);
    const body = { ...tick(page, { 'Personal mail/mails': ['body'] }), preset: 'preview' };
    const changed = sample(await owner.submit(page, body));
    expect([changed.includes('see you'), changed.includes('Lunch')]).toEqual([true, false]);
    const later = { ...body, window: 'custom', since: '2026-02-01' };
    expect((await owner.submit(page, later)).text).toContain('The app would not see any of these records.');
  });

  it('records the sample in the audit once per page', async () => {
    const list = () => world.store.audit.listReads({}, { order: 'oldest' });
    const count = async () => (await list()).length;
    const before = await count();
    const page = await open(client);
    expect(await count()).toBe(before + 1);
    const look = (field: string) =>
      owner.submit(page, { ...tick(page, { 'Personal mail/mails': [field] }), preset: 'preview' });
    await look('subject');
    expect(await count()).toBe(before + 1);
    // What was off is told of when it is shown, and then no more.
    for (const field of ['body', 'subject', 'body']) await look(field);
    expect(await count()).toBe(before + 2);
    const [first, second] = (await list()).slice(-2).map(({ fields }) => String(fields));
    expect([first?.includes('body'), second?.includes('body')]).toEqual([false, true]);
    await owner.submit(page, { preset: 'everything' });
    await owner.submit(page, { preset: 'everything' });
    expect(await count()).toBe(before + 3);
    await world.addSource(declare('later', [labels]), { later: 'Later' });
    // Another offer is another page.
    await owner.submit(page, { preset: 'preview' });
    expect(await count()).toBe(before + 4);
  });
});
