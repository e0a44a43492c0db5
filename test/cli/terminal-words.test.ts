import { expect, it } from 'vitest';
import { sayInTerminalWords } from '../../src/cli/print/terminal-words.ts';

it.each([
  ['Call schema to see every stream.', 'Run pdpp schema to see every stream.'],
  ['Call schema(stream, detail: "full").', 'Run pdpp schema STREAM --full.'],
  [
    'Ask for one of more_connections with schema(connection_id), or for one stream with schema(stream).',
    'Ask for one of more_connections with pdpp schema --connection ID, or for one stream with pdpp schema STREAM.',
  ],
  ['Call schema() first.', 'Run pdpp schema first.'],
  ['Find ids with search or query_records.', 'Find ids with pdpp search or pdpp query.'],
  ['It holds prose: use the search tool.', 'It holds prose: use pdpp search.'],
  ['Name one with connection_id.', 'Name one with --connection.'],
  [
    'Read all changes, or use filter without changes_since.',
    'Read all changes, or use --where without --changes-since.',
  ],
  [
    'Use a longer interval, narrow the time with filter, or leave sort out.',
    'Use a longer interval, narrow the time with --where, or leave --sort out.',
  ],
  [
    'Repeat the call that gave it with the same arguments, or start again without a cursor.',
    'Repeat the call that gave it with the same options, or start again without --cursor.',
  ],
  ['Call query_records(stream, connection_id: "a").', 'Run pdpp query STREAM --connection a.'],
  ['One of these, or a connector_key for all.', 'One of these, or a connector key for all.'],
  [
    'id must be connection_id/stream/key, as query_records and search give it.',
    'id must be CONNECTION/STREAM/KEY, as pdpp query and pdpp search give it.',
  ],
  ['The field exists.', 'The field exists.'],
])('%s', (said, inTerminal) => {
  expect(sayInTerminalWords(said)).toBe(inTerminal);
});
