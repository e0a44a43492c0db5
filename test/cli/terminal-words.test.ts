import { expect, it } from 'vitest';
import { formatForTerminal } from '../../src/cli/print/terminal-hint.ts';
import {
  argument,
  CALL,
  CONNECTOR_KEY,
  command,
  formatHint,
  type Hint,
  hint,
  toolCall,
  withCommands,
  wording,
} from '../../src/text/hint.ts';

it.each<[Hint, string, string]>([
  [
    hint`${CALL} ${toolCall('schema')} to see every stream.`,
    'Call schema to see every stream.',
    'Run pdpp schema to see every stream.',
  ],
  [
    hint`${CALL} ${toolCall('schema', { stream: null, detail: 'full' })}.`,
    'Call schema(stream, detail: "full").',
    'Run pdpp schema STREAM --full.',
  ],
  [
    hint`Ask with ${toolCall('schema', { connection_id: null })}.`,
    'Ask with schema(connection_id).',
    'Ask with pdpp schema --connection ID.',
  ],
  [
    hint`${CALL} ${toolCall('query_records', { stream: null, connection_id: 'a' })}.`,
    'Call query_records(stream, connection_id: "a").',
    'Run pdpp query STREAM --connection a.',
  ],
  [
    hint`Read all changes, or use ${argument('filter')} without ${argument('changes_since')}.`,
    'Read all changes, or use filter without changes_since.',
    'Read all changes, or use --where without --changes-since.',
  ],
  [hint`${argument('stream')} is too long.`, 'stream is too long.', 'stream is too long.'],
  [
    hint`One of these, or a ${CONNECTOR_KEY}.`,
    'One of these, or a connector_key.',
    'One of these, or a connector key.',
  ],
  [
    hint`Start again without ${wording('a cursor', '--cursor')}. ${hint`Or: ${command('demo', '--remove')}`}`,
    'Start again without a cursor. Or: pdpp demo --remove',
    'Start again without --cursor. Or: pdpp demo --remove',
  ],
  ['The field exists.', 'The field exists.', 'The field exists.'],
])('%j', (said, forModels, inTerminal) => {
  expect(formatHint(said)).toBe(forModels);
  expect(formatForTerminal(said)).toBe(inTerminal);
});

it('writes commands on pages as they work on the computer of the server', () => {
  const formatPart = withCommands((words, rest) => ['npx pdpp', words, rest].join(' '));
  expect(formatHint(hint`${toolCall('search')} or ${command('import', 'PATH')}`, formatPart)).toBe(
    'search or npx pdpp import PATH',
  );
});
