import { describe, expect, it } from 'vitest';
import { declare, declareStream, integer, string, time } from '../support/declare.ts';
import { useWorld } from '../support/use-world.ts';
import { createWorld, type ToolResult } from '../support/world.ts';

const WORDS =
  'ferry museum tide harbour lantern ridge mosaic thunder willow compass 渡し船 café 👩‍🚀 "quoted" \\ line'.split(
    ' ',
  );

/** A megabyte of words with line breaks, quotes and scripts in it, no two pages of it alike. */
function writeDocument(): string {
  let text = '';
  for (let index = 0; text.length < 1_000_000; index++) {
    text += `${WORDS[(index * 7 + (index >> 3)) % WORDS.length]}${index % 23 === 0 ? `\n${index}. ` : ' '}`;
  }
  return text;
}

const DOCUMENT = writeDocument();
const LETTER = `Dear Ana, ${'the harbour is quiet and the tide is low. '.repeat(60)}Yours, Bo`;
const COUNT = 130;

const world = await useWorld(createWorld());
await world.addSource(
  declare('mail', [
    declareStream('letters', {
      fields: { id: string, subject: string, folder: string, size: integer, text: string, sent_at: time },
      time: 'sent_at',
      search: ['subject', 'text'],
    }),
  ]),
  { inbox: 'Private', office: 'Office' },
);
const lines = Array.from({ length: COUNT }, (_, index) => ({
  key: `l${index}`,
  data: {
    id: `l${index}`,
    subject: `Letter ${index}`,
    folder: index % 2 === 0 ? 'kept' : 'old',
    size: index,
    text: index === 7 ? DOCUMENT : index === 8 ? LETTER : 'short',
    sent_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  },
}));
await world.ingest('inbox', 'letters', lines);
await world.ingest('office', 'letters', lines.slice(0, 3));
const token = (await world.grant([{ connection_id: 'inbox' }, { connection_id: 'office' }])).token;

const channels: [string, (result: ToolResult) => unknown][] = [
  ['content', (result) => JSON.parse(result.content.map((item) => item.text).join(''))],
  ['structuredContent', (result) => result.structuredContent],
];

describe.each(channels)('a reader who is shown only %s', (_, look) => {
  // biome-ignore lint/suspicious/noExplicitAny: a reader looks into answers of every shape
  const ask = async (tool: string, args: object): Promise<any> => look(await world.call(token, tool, args));

  /** What the reader knows about where letters are, learned by asking wrongly and reading the refusal. */
  async function chooseConnection(): Promise<{ stream: string; connection_id: string }> {
    const index = await ask('schema', {});
    const [connector] = index.data.connectors;
    const stream = connector.connections[0].streams[0].name;
    const refusal = await ask('query_records', { stream });
    expect(refusal.error.code).toBe('ambiguous_connection');
    const chosen = refusal.error.available_connections.find(
      (one: { display_name: string }) => one.display_name === 'Private',
    );
    return { stream, connection_id: chosen.connection_id };
  }

  it('learns the streams, is asked which account, and repeats the call with it', async () => {
    const source = await chooseConnection();
    const answer = await ask('query_records', { ...source, limit: 1 });
    expect(answer.data[0].record.subject).toBe('Letter 129');
  });

  it('writes a filter from the schema and pages through all that matches', async () => {
    const source = await chooseConnection();
    const { data } = await ask('schema', source);
    const folder = data.sources[0].fields.find((field: { values?: string[] }) =>
      field.values?.includes('kept'),
    );
    const query = {
      ...source,
      filter: { [folder.name]: 'kept' },
      fields: ['subject'],
      count: 'exact',
      limit: 20,
    };
    const subjects: string[] = [];
    let answer = await ask('query_records', query);
    const { count } = answer;
    for (;;) {
      subjects.push(...answer.data.map((row: { record: { subject: string } }) => row.record.subject));
      if (!answer.has_more) break;
      answer = await ask('query_records', { ...query, cursor: answer.next_cursor });
    }
    expect(count).toBe(65);
    expect(subjects).toEqual(Array.from({ length: 65 }, (__, index) => `Letter ${128 - 2 * index}`));
  });

  it('adds up, by group and by month', async () => {
    const source = await chooseConnection();
    const sum = await ask('aggregate', { ...source, metric: 'sum', field: 'size', group_by: ['folder'] });
    expect(sum.data).toMatchObject({ total: 8385 });
    expect(sum.data).not.toHaveProperty('other');
    expect(sum.data.groups).toEqual([
      { folder: 'old', value: 4225, records: 65 },
      { folder: 'kept', value: 4160, records: 65 },
    ]);
    const months = await ask('aggregate', { ...source, interval: 'month' });
    expect(months.data.groups[0]).toEqual({ sent_at: '2026-01', value: 31 });
  });

  it('finds a letter by words and reads the whole of it, a page at a time', async () => {
    const found = await ask('search', { query: 'lantern mosaic', connection_id: 'inbox' });
    const [hit] = found.results;
    let text = '';
    let offset: number | undefined = 0;
    let pages = 0;
    while (offset !== undefined) {
      const page: { text: string; metadata: { next_offset?: number; complete: boolean } } = await ask(
        'fetch',
        {
          id: hit.id,
          field: 'text',
          offset,
        },
      );
      text += page.text;
      offset = page.metadata.next_offset;
      expect(page.metadata.complete).toBe(offset === undefined);
      pages += 1;
    }
    expect(text === DOCUMENT).toBe(true);
    expect(pages).toBeGreaterThan(50);
  });

  it('follows a shortened field to the rest of it', async () => {
    const source = await chooseConnection();
    const { data } = await ask('query_records', { ...source, filter: { size: 8 } });
    const [{ record, cut }] = data;
    expect(record.text.endsWith('…')).toBe(true);
    let text = record.text.slice(0, -1);
    let call: object | undefined = cut.text;
    while (call !== undefined) {
      const page = await ask('fetch', call);
      text += page.text;
      call =
        page.metadata.next_offset === undefined ? undefined : { ...call, offset: page.metadata.next_offset };
    }
    expect(text).toBe(LETTER);
  });

  it('keeps up with changes by the handle alone', async () => {
    let answer = await ask('query_records', {
      stream: 'letters',
      connection_id: 'office',
      changes_since: 'beginning',
      fields: ['subject'],
    });
    expect(answer.data).toHaveLength(3);
    answer = await ask('query_records', {
      stream: 'letters',
      connection_id: 'office',
      changes_since: answer.next_changes_since,
      fields: ['subject'],
    });
    expect(answer).toMatchObject({ data: [], has_more: false });
    expect(answer.next_changes_since).toMatch(/\S/);
  });
});
