import { describe, expect, it } from 'vitest';
import { postModern } from '../support/mcp-post.ts';
import { useSignedInWorld } from '../support/use-world.ts';
import { ORIGIN } from '../support/world.ts';

const { world, owner } = await useSignedInWorld();
await world.ingest('mine', 'members', [{ key: 'a/1', data: { team: 'a', number: 1, name: 'Ana' } }]);
await world.ingest('mine', 'entries', [{ key: 'gone', data: { id: 'gone', title: 'mine gone' } }]);
await world.ingest('mine', 'entries', [{ key: 'gone', op: 'delete' }]);

const windowed = await world.grant([{ connection_id: 'mine', stream: 'entries' }], {
  since: Date.parse('2026-02-01'),
});
const picked = await world.grant([{ connection_id: 'mine', stream: 'entries', keys: ['one'] }]);
const whole = await world.grant([{ connection_id: 'mine' }, { connection_id: 'theirs' }]);
const withoutTitle = await world.grant([
  { connection_id: 'mine', stream: 'entries', fields: ['created_at'] },
]);

interface Given {
  readonly grantId: string;
  readonly token: string;
}
type Verdict = 'shown' | 'refused' | `status ${number}`;

const verdict = (isShown: boolean, isRefused: boolean, status: number): Verdict =>
  isShown ? 'shown' : isRefused ? 'refused' : `status ${status}`;

/** The ways to one record, each asked for the same id with the rights of the same app. */
const ways: Record<string, (id: string, given: Given) => Promise<{ verdict: Verdict; text: string }>> = {
  async fetch(id, { token }) {
    const { isError, structuredContent } = await world.call(token, 'fetch', { id });
    const code = structuredContent.error?.code as string | undefined;
    const isRefused = isError === true && code !== 'internal';
    return { verdict: verdict(!isError, isRefused, 0), text: JSON.stringify(structuredContent) };
  },
  async 'fetch by address'(id, given) {
    return (ways.fetch as (typeof ways)[string])(`${ORIGIN}/r/${id}`, given);
  },
  async 'resources/read'(id, { token }) {
    const { messages, text } = await postModern(world, token, 'resources/read', { uri: `${ORIGIN}/r/${id}` });
    const { result, error } = messages[0];
    const isRefused = error !== undefined && error.code !== -32603;
    return { verdict: verdict(result?.contents?.length === 1, isRefused, error?.code), text };
  },
  async REST(id, { token }) {
    const [connection, stream, key] = id.split('/');
    const response = await world.request(`/v1/streams/${stream}/records/${key}?connection_id=${connection}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return {
      verdict: verdict(response.status === 200, [403, 404].includes(response.status), response.status),
      text: await response.text(),
    };
  },
  'the record page': (id, { grantId }) => openAs(id, '', grantId),
  Markdown: (id, { grantId }) => openAs(id, '.md', grantId),
  'the JSON of the page': (id, { grantId }) => openAs(id, '.json', grantId),
};

async function openAs(id: string, suffix: string, grantId: string) {
  const { status, text } = await owner.open(`/r/${id}${suffix}?as=${grantId}`);
  return { verdict: verdict(status === 200, status === 404, status), text };
}

const cases: [name: string, given: Given, id: string, expected: Verdict][] = [
  ['a granted record', whole, 'mine/entries/one', 'shown'],
  ['a record inside the window', windowed, 'mine/entries/two', 'shown'],
  ['a picked record', picked, 'mine/entries/one', 'shown'],
  ['a record of which a part is granted', withoutTitle, 'mine/entries/one', 'shown'],
  ['a record before the window', windowed, 'mine/entries/one', 'refused'],
  ['a record that was not picked', picked, 'mine/entries/two', 'refused'],
  ['a record of another stream', windowed, 'mine/members/a%2F1', 'refused'],
  ['a record of another connection', windowed, 'theirs/entries/two', 'refused'],
  ['a deleted record', whole, 'mine/entries/gone', 'refused'],
  ['a record that never was', whole, 'mine/entries/never', 'refused'],
  ['a stream that never was', whole, 'mine/never/one', 'refused'],
  ['a connection that never was', whole, 'never/entries/one', 'refused'],
];

describe.each(Object.entries(ways))('%s', (_, ask) => {
  it.each(cases)('returns the same verdict as the others on %s', async (_name, given, id, expected) => {
    const { verdict: found, text } = await ask(id, given);
    expect(found).toBe(expected);
    if (expected === 'refused') expect(text).not.toMatch(/marker-(mine|theirs)|mine (one|two|gone)|Ana/);
    if (given === withoutTitle) expect(text).not.toMatch(/marker-mine|mine one/);
  });
});
