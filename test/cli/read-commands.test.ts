import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diarySource, entry } from '../support/diary-source.ts';
import { makeProject, type Project } from '../support/processes/project.ts';
import { type CliResult, runForEach } from '../support/run-cli.ts';
import { startTinyServer, type TinyServer } from '../support/servers/tiny-server.ts';
import { useFolder } from '../support/temp-folder.ts';
import type { World } from '../support/world.ts';
import { createGeneratedWorld } from '../support/worlds/generated-world.ts';

const ESCAPES = '\u001b[31mred\u001b]8;;http://evil.example\u0007link\u009b2J\u202e';

const folder = useFolder();
let world: World & { token: string };
let server: TinyServer;
let project: Project;
const results = new Map<string, CliResult>();

const runs = {
  index: ['schema'],
  stream: ['schema', 'transactions'],
  full: ['schema', 'transactions', '--full'],
  indexJson: ['schema', '--json'],
  page: [
    'query',
    'transactions',
    '--fields',
    'amount,merchant',
    '--sort',
    '-amount',
    '--limit',
    '3',
    '--count',
  ],
  pageJson: ['query', 'transactions', '--limit', '2', '--json'],
  allJson: ['query', 'transactions', '--all', '--limit', '100', '--json'],
  whereJson: [
    'query',
    'transactions',
    '--where',
    'amount<-400',
    '--where',
    'category=travel',
    '--where',
    'category=housing',
    '--json',
  ],
  whereTextJson: ['query', 'channels', '--connection', 'slack_work', '--where', 'is_private=false', '--json'],
  filterJson: ['query', 'transactions', '--filter', '{"category":"travel"}', '--json'],
  related: ['query', 'transactions', '--expand', 'account', '--limit', '1', '--fields', 'amount'],
  whole: ['query', 'transactions', '--limit', '2'],
  named: ['query', 'transactions', '--limit', '1', '--fields', 'id'],
  none: ['query', 'transactions', '--where', 'merchant=Nobody'],
  total: ['aggregate', 'transactions'],
  groups: [
    'aggregate',
    'transactions',
    '--metric',
    'sum',
    '--field',
    'amount',
    '--group-by',
    'category',
    '--limit',
    '3',
  ],
  mixed: [
    'aggregate',
    'samples',
    '--metric',
    'sum',
    '--field',
    'value',
    '--group-by',
    'device',
    '--limit',
    '3',
  ],
  mean: ['aggregate', 'transactions', '--metric', 'avg', '--field', 'amount', '--where', 'currency=EUR'],
  bars: ['aggregate', 'transactions', '--interval', 'month', '--bars', '--sort', 'group'],
  groupsJson: ['aggregate', 'transactions', '--group-by', 'category,currency', '--json'],
  search: ['search', 'spare', 'key', '--connection', 'gmail_personal', '--limit', '2'],
  searchJson: ['search', 'spare key', '--limit', '2', '--json'],
  nothing: ['search', 'zzzqqqxyz'],
  also: ['search', 'zzzqqqxyz', '--also', 'lighthouse', '--also', 'qqzzy, zzqy'],
  note: ['fetch', 'notes/entries/n1'],
  field: ['fetch', 'notes/entries/n1', '--field', 'body'],
  noteAllJson: ['fetch', 'notes/entries/n1', '--all', '--json'],
  noteTable: ['query', 'entries'],
  noteFound: ['search', 'lighthouse'],
  several: ['query', 'messages'],
  unknownStream: ['query', 'nope'],
  unknownField: ['query', 'transactions', '--where', 'amout=3'],
  unknownConnection: ['query', 'messages', '--connection', 'nope'],
  unknownRecord: ['fetch', 'bank_checking/transactions/nope'],
} satisfies Record<string, string[]>;

const result = (name: keyof typeof runs) => results.get(name) as CliResult;
const json = (name: keyof typeof runs) => {
  expect(result(name)).toMatchObject({ code: 0, err: '' });
  return JSON.parse(result(name).out);
};

const longText = `The lighthouse ${'keeps its light burning through the night. '.repeat(1_500)}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

beforeAll(async () => {
  world = await createGeneratedWorld(2_000);
  await world.addSource(diarySource, { notes: `Notes ${ESCAPES}` });
  const data = { title: `Title ${ESCAPES}`, body: longText, created_at: '2026-01-01T10:00:00Z' };
  await world.ingest('notes', 'entries', [entry('n1', data)]);
  server = await startTinyServer(world, [
    'bank_checking',
    'slack_work',
    'gmail_personal',
    'apple_health',
    'notes',
  ]);
  project = makeProject(folder);
  await project.connect(server.origin);
  await runForEach(Object.entries(runs), async ([name, args]) => results.set(name, await project.run(args)));
}, 180_000);
afterAll(() => {
  server.close();
  world.close();
});

describe('the commands that read', () => {
  it('all end', () => {
    expect(results.size).toBe(Object.keys(runs).length);
    expect([...results.values()].filter(({ code }) => code === null || code === 1)).toEqual([]);
  });

  it('I-09 print no terminal escape sequences of records and names', () => {
    for (const [name, { out, err }] of results) {
      const text = name.endsWith('Json') ? err : out + err;
      expect([name, STEERING.test(text)]).toEqual([name, false]);
      expect(out).not.toContain('\u001b');
    }
  });

  it('S-05 never print a secret', () => {
    const text = [...results.values()].map(({ out, err }) => out + err).join('\n');
    expect(server.secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

describe('pdpp schema', () => {
  it('lists every stream with its connection', () => {
    const { code, out } = result('index');
    expect(code).toBe(0);
    expect(out).toMatch(/^CONNECTION +NAME +STREAM +RECORDS +FIRST +LAST\n/);
    expect(out).toMatch(/^bank_checking +Nordbank +transactions +\d+ +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d$/m);
    expect(json('indexJson').data.connectors).toHaveLength(5);
  });

  it('shows the operations of the fields of a stream', () => {
    const { out } = result('stream');
    expect(out).toMatch(/^transactions of bank: bank_checking \(\d+\)\n/);
    expect(out).toMatch(/^FIELD +TYPE +FILTER +USES +EXAMPLES$/m);
    expect(out).toMatch(/^amount +number +equals or range +sort group count_distinct sum avg min max/m);
    expect(result('full').out).toMatch(/"properties": \{/);
  });
});

describe('pdpp query', () => {
  it('shows records as a table in the requested order', () => {
    const { code, out, err } = result('page');
    expect(code).toBe(0);
    const [header, ...rows] = out.trim().split('\n');
    expect(header).toMatch(/^AMOUNT +MERCHANT +ID$/);
    expect(rows).toHaveLength(3);
    const amounts = rows.map((row) => Number.parseFloat(row));
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
    expect(err).toMatch(
      /^3 of \d+ records\. Next page \(or add --all\):\npdpp query transactions .*--cursor \S+\n$/,
    );
    expect(result('none')).toMatchObject({ code: 0, out: 'No records.\n', err: '0 records\n' });
  });

  it('continues with the printed command', async () => {
    const line = result('page').err.trim().split('\n').at(-1) as string;
    const next = await project.paste(line);
    expect([next.code, next.out.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/^AMOUNT +MERCHANT +ID$/),
    ]);
    const ids = (text: string): string[] => [...(text.match(/bank_checking\/transactions\/\S+/g) ?? [])];
    expect(ids(next.out)).toHaveLength(3);
    expect(ids(next.out).filter((id) => ids(result('page').out).includes(id))).toEqual([]);
  });

  it('prints no id twice', () => {
    const [header, row = ''] = result('whole').out.split('\n') as [string, string];
    expect(header.split(/ +/).filter((name) => name === 'ID')).toEqual(['ID']);
    const [id = ''] = /bank_checking\/transactions\/\S+/.exec(row) ?? [];
    expect(row.split(id.slice(id.lastIndexOf('/') + 1))).toHaveLength(2);
    // Somebody who names the field gets it.
    expect(result('named').out).toMatch(/^ID +ID\n(\S+) +bank_checking\/transactions\/\1\n/);
  });

  it('shows the number of related records', () => {
    expect(result('related').out).toMatch(
      /^AMOUNT +ACCOUNT +ID\n\S+ +1 related +bank_checking\/transactions\//,
    );
  });

  it('prints the answer of the tool for scripts', async () => {
    const { structuredContent } = await world.call(world.token, 'query_records', {
      stream: 'transactions',
      limit: 2,
    });
    const { meta: _, next_cursor: __, ...answer } = json('pageJson');
    expect(structuredContent).toMatchObject(answer);
  });

  it('reads every page with --all', async () => {
    const all = json('allJson');
    const { structuredContent } = await world.call(world.token, 'aggregate', { stream: 'transactions' });
    expect(all.data).toHaveLength(structuredContent.data.total);
    expect(new Set(all.data.map(({ id }: { id: string }) => id)).size).toBe(all.data.length);
    expect(all).toMatchObject({ has_more: false });
  });

  it('takes conditions with values of the type of the field', async () => {
    const count = async (filter: object, stream = 'transactions') =>
      (await world.call(world.token, 'query_records', { stream, filter, count: 'exact' })).structuredContent
        .count;
    const where = json('whereJson').data.map(({ record }: { record: object }) => record);
    expect(where).toHaveLength(await count({ amount: { lt: -400 }, category: ['travel', 'housing'] }));
    expect(where.every(({ amount }: { amount: number }) => amount < -400)).toBe(true);
    expect(json('whereTextJson').data.length).toBeGreaterThan(0);
    const travel = json('filterJson').data.map(
      ({ record }: { record: { category: string } }) => record.category,
    );
    expect(new Set(travel)).toEqual(new Set(['travel']));
  });
});

describe('pdpp aggregate', () => {
  it('prints a number, or groups and the remainder', () => {
    expect(result('total').out).toMatch(/^count: \d+\n$/);
    const { out } = result('groups');
    expect(out).toMatch(/^CATEGORY +SUM\n/);
    expect(out).toMatch(/\n\(\d+ others\) +-?[\d,.]+\nsum of amount: -?[\d,.]+ over \d+ records\n$/);
    // Kilometres and beats do not add up, neither in the rest nor in all.
    expect(result('mixed').out).toMatch(/^DEVICE +UNIT +SUM\n/);
    expect(result('mixed').out).toMatch(
      /\n\(\d+ others\) *\nsum of value: several units over [\d,]+ records\n$/,
    );
    expect(result('mean').out).toMatch(/^avg of amount: -?[\d,.]+ over \d+ records\n$/);
    expect(out).not.toMatch(/█|░/);
    expect(Object.keys(json('groupsJson').data.groups[0])).toEqual(['category', 'currency', 'value']);
  });

  it('draws bars on request', () => {
    const lines = result('bars').out.trim().split('\n').slice(1, -1);
    const drawn = lines.map(
      (line) => [Number(/ (\d+) {2}/.exec(line)?.[1]), /█*$/.exec(line)?.[0].length] as const,
    );
    const most = Math.max(...drawn.map(([count]) => count));
    for (const [count, length] of drawn) expect(length).toBe(Math.round((count / most) * 30));
  });
});

describe('pdpp search and fetch', () => {
  it('show hits in a few lines each, with the id to fetch', () => {
    const { code, out } = result('search');
    expect(code).toBe(0);
    expect(out).toMatch(/^\S.*\n {2}gmail_personal \w+ \S+.*\n {2}\S.*\n {2}gmail_personal\/\w+\/\S+\n/);
    expect(out).not.toContain('<mark>');
    expect(json('searchJson').results[0]).toMatchObject({
      id: expect.any(String),
      text: expect.stringContaining('<mark>'),
    });
    expect(result('nothing')).toMatchObject({ code: 0, out: 'No results.\n' });
    expect(result('nothing').err).toContain('--also');
    expect(result('noteFound').out).toContain('notes/entries/n1');
    expect(result('also').out).toContain('notes/entries/n1');
  });

  it('show one record as text, and how to read the rest', () => {
    const { out, err } = result('note');
    expect(out).toMatch(/^Title .*\nhttp:\/\/\S+\/r\/notes\/entries\/n1\n\nid: n1\n/);
    expect(err).toMatch(/^More text: pdpp fetch notes\/entries\/n1 --offset \d+, or add --all\n$/);
  });

  it('print one field unchanged, and a whole long text with --all', () => {
    expect(longText.startsWith(result('field').out.trimEnd())).toBe(true);
    const { text, metadata } = json('noteAllJson');
    expect(text).toContain(longText.trimEnd());
    expect(metadata.complete).toBe(true);
  });
});

describe('a refusal of the server', () => {
  it.each([
    [
      'several',
      2,
      /several connections[\s\S]*slack_work {2}slack[\s\S]*gmail_personal {2}gmail[\s\S]*--connection/,
    ],
    ['unknownStream', 4, /no stream of that name[\s\S]*transactions/],
    ['unknownField', 2, /does not have[\s\S]*Did you mean amount\?/],
    ['unknownConnection', 4, /no such connection/],
    ['unknownRecord', 4, /no such record[\s\S]*Find ids with \S.* search or .* query\.$/m],
  ] as const)('of %s ends with %i and says what to do', (name, code, says) => {
    expect(result(name)).toMatchObject({ code, out: '' });
    expect(result(name).err).toMatch(says);
    expect(result(name).err).not.toMatch(/at .+:\d+:\d+|\[object Object\]/);
    // The words of the terminal, not those of the protocol.
    expect(result(name).err).not.toMatch(/connection_id|query_records|schema\(|available_/);
  });
});
