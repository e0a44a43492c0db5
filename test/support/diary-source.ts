/** A source with one of everything that ingest, index and store care about; only the key is required. */
export const diarySource = {
  protocol_version: '0.1.0',
  connector_key: 'diary',
  source: { kind: 'connector', id: 'https://sources.example/diary' },
  declaration_version: '1',
  publisher: { id: 'https://sources.example' },
  display: { name: 'Diary' },
  streams: [
    {
      name: 'entries',
      semantics: 'mutable_state',
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          title: { type: 'string' },
          body: { type: 'string' },
          created_at: { type: 'string', format: 'date-time' },
          day: { type: 'string', format: 'date' },
          stars: { type: 'integer' },
          price: { type: 'number' },
          done: { type: 'boolean' },
          tags: { type: 'array', items: { type: 'string' } },
          extra: {},
        },
        required: ['id'],
      },
      primary_key: ['id'],
      consent_time_field: 'created_at',
      selection: { fields: true, resources: true },
    },
    {
      name: 'members',
      semantics: 'mutable_state',
      schema: {
        type: 'object',
        properties: {
          team: { type: 'string' },
          number: { type: 'integer' },
          name: { type: 'string' },
        },
        required: ['team', 'number'],
      },
      primary_key: ['team', 'number'],
      selection: { fields: true, resources: true },
    },
  ],
};

/** A line of the stream `entries`. */
export function entry(id: string, data: Record<string, unknown> = {}, emitted_at = '2026-11-01T00:00:00Z') {
  return { key: id, emitted_at, data: { id, ...data } };
}
