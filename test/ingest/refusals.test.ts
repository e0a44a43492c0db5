import { describe, expect, it } from 'vitest';
import { diarySource, entry } from '../support/diary-source.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld, type Line } from '../support/world.ts';

const world = await useWorld(createWorld());
await world.addSource(diarySource, { mine: 'My diary' });

const CANARY = 'kanarienvogel';

async function reasonFor(line: Line | string, stream = 'entries'): Promise<string> {
  const report = await world.ingest('mine', stream, [line]);
  expect(report).toMatchObject({ lines: 1, new: 0, changed: 0, refused: 1 });
  expect(report.refusals).toHaveLength(1);
  const reason = report.refusals[0]?.reason ?? '';
  expect(reason).not.toContain(CANARY);
  return reason;
}

const withData = (data: string, key = 'a') => `{"key":"${key}","emitted_at":"2026-11-01","data":${data}}`;

describe('a line', () => {
  const table: [reason: string | RegExp, line: string][] = [
    ['is not valid JSON', `{"key": ${CANARY}`],
    ['is not valid JSON', withData('{"id":"a"},')],
    ['is not valid JSON', withData('{"id":"a"}} {"b":1')],
    ['is not a JSON object', '"a"'],
    ['is not a JSON object', '[]'],
    ['is not a JSON object', 'null'],
    ['has no valid key', '{"emitted_at":"2026-11-01","data":{"id":"a"}}'],
    ['has no valid key', '{"key":"","emitted_at":"2026-11-01","data":{"id":""}}'],
    ['has no valid key', '{"key":7,"emitted_at":"2026-11-01","data":{"id":"7"}}'],
    ['has no valid emitted_at', '{"key":"a","data":{"id":"a"}}'],
    ['has no valid data', '{"key":"a","emitted_at":"2026-11-01","data":[1]}'],
    ['has no valid data', '{"key":"a","emitted_at":"2026-11-01","data":null}'],
    ['has no data', '{"key":"a","emitted_at":"2026-11-01"}'],
    ['has no valid op', `{"key":"a","op":"${CANARY}","emitted_at":"2026-11-01","data":{"id":"a"}}`],
    [
      'has fields other than key, data, emitted_at and op',
      `{"key":"a","${CANARY}":1,"emitted_at":"2026-11-01","data":{"id":"a"}}`,
    ],
    ['has an emitted_at that is not a valid time', `{"key":"a","emitted_at":"${CANARY}","data":{"id":"a"}}`],
    ['has an emitted_at that is not a valid time', '{"key":"a","emitted_at":"2026-02-30","data":{"id":"a"}}'],
    ['has an emitted_at that is not a valid time', '{"key":"a","op":"delete","emitted_at":"soon"}'],
    [/^has a key longer than 512 bytes$/, withData(`{"id":"${'é'.repeat(300)}"}`, 'é'.repeat(300))],
    ['has a key that does not match its data', withData(`{"id":"${CANARY}"}`)],
    ['has a key that does not match its data', withData('{"id":"A"}')],
    ['does not match its schema: id is missing', withData('{"title":"x"}')],
    ['does not match its schema: id breaks type string', withData('{"id":1}', '1')],
    ['does not match its schema: title breaks type string', withData('{"id":"a","title":12345}')],
    ['does not match its schema: stars breaks type integer', withData(`{"id":"a","stars":"${CANARY}"}`)],
    ['does not match its schema: stars breaks type integer', withData('{"id":"a","stars":1.5}')],
    ['does not match its schema: done breaks type boolean', withData('{"id":"a","done":"yes"}')],
    ['does not match its schema: tags.1 breaks type string', withData(`{"id":"a","tags":["${CANARY}",2]}`)],
    ['has a duplicate key', withData('{"id":"a","title":"x","title":"y"}')],
    ['has a duplicate key', withData('{"id":"a","extra":{"x":1,"x":2}}')],
    ['has a duplicate key', '{"key":"a","key":"b","emitted_at":"2026-11-01","data":{"id":"b"}}'],
    ['contains a number that is too large', withData('{"id":"a","price":1e999}')],
    ['contains a number that is too large', withData('{"id":"a","extra":[-1e999]}')],
    ['contains an invalid Unicode character', withData('{"id":"a","title":"\\ud83d"}')],
    ['contains an invalid Unicode character', withData('{"id":"a","title":"\\ude00\\ud83d"}')],
    ['contains an invalid Unicode character', withData('{"id":"a","extra":{"\\udc00":1}}')],
    ['has a key named __proto__', withData('{"id":"a","__proto__":{"polluted":1}}')],
    ['has a key named __proto__', withData('{"id":"a","extra":[{"__proto__":1}]}')],
    ['has a key named __proto__', withData('{"id":"a","\\u005f\\u005fproto__":1}')],
    ['has a key named __proto__', withData('{"id":"a","__\\u0070roto__":1}')],
    ['is nested deeper than 64 levels', withData(`{"id":"a","extra":${'['.repeat(63)}${']'.repeat(63)}}`)],
    ['is nested deeper than 64 levels', '['.repeat(100_000)],
  ];
  it.each(table.map(([reason, line]) => [String(reason), line.slice(0, 90), reason, line] as const))(
    'that %s is refused: %s',
    async (_name, _start, reason, line) => {
      const said = await reasonFor(line);
      if (typeof reason === 'string') expect(said).toBe(reason);
      else expect(said).toMatch(reason);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  it('at the limits of depth and key length is accepted', async () => {
    const key = 'é'.repeat(256);
    const report = await world.ingest('mine', 'entries', [
      withData(`{"id":"a","extra":${'['.repeat(62)}${']'.repeat(62)}}`),
      withData(`{"id":"${key}"}`, key),
    ]);
    expect(report).toMatchObject({ new: 2, refused: 0 });
  });
});

describe('compound keys', () => {
  const member = (key: string, data: Record<string, unknown>) => ({ key, data });

  it('are a minified array of strings in declared order', async () => {
    const lines = [
      member('["red","7"]', { team: 'red', number: 7 }),
      member('["a,b\\"","1"]', { number: 1, team: 'a,b"' }),
    ];
    expect(await world.ingest('mine', 'members', lines)).toMatchObject({ new: 2, refused: 0 });
  });

  it.each([['["7","red"]'], ['["red", "7"]'], ['["red",7]'], ['red,7'], ['red']])(
    'written as %s are refused',
    async (key) => {
      expect(await reasonFor(member(key, { team: 'red', number: 7 }), 'members')).toBe(
        'has a key that does not match its data',
      );
    },
  );
});

describe('refused lines', () => {
  it('are named by line number and do not affect the others', async () => {
    const lines = [
      entry('r1'),
      '',
      'broken',
      entry('r2'),
      { ...entry('r3'), key: 'other' },
      '   ',
      entry('r4'),
    ];
    const report = await world.ingest('mine', 'entries', lines);
    expect(report).toEqual({
      lines: 7,
      new: 3,
      changed: 0,
      same: 0,
      deleted: 0,
      refused: 2,
      refusals: [
        { line: 3, reason: 'is not valid JSON' },
        { line: 5, reason: 'has a key that does not match its data' },
      ],
    });
  });

  it('are all counted, and the first fifty are listed', async () => {
    const report = await world.ingest('mine', 'entries', [...new Array(700).fill('broken'), entry('r5')]);
    expect(report).toMatchObject({ lines: 701, refused: 700, new: 1 });
    expect(report.refusals).toHaveLength(50);
    expect(report.refusals.at(-1)?.line).toBe(50);
  });
});
