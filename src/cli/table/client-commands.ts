import type { CommandGroup } from './command-entry.ts';
import { flag, jsonOption, type Options, placeOption, severalOf, value } from './option.ts';

const readOptions: Options = {
  server: value('NAME', 'which server, where several are connected'),
  connection: value('ID', 'only this connection, or * for all of one kind'),
  ...placeOption,
  ...jsonOption,
};

const filterOptions: Options = {
  where: severalOf(value('FIELD=VALUE', 'only such records; also > >= < <= != in place of =')),
  filter: value('JSON', 'the same as the object that the tool takes'),
};

/** The program as an app: it reads what the owner of a server approved for it. */
export const clientCommands: CommandGroup = {
  title: 'Read, as an app would',
  commands: [
    {
      words: 'connect',
      takes: 'ORIGIN',
      says: 'ask a server for access; you approve in the browser',
      options: {
        name: value('NAME', 'what to call it here (default: its host)'),
        device: flag('approve on another device by typing a code'),
        'no-browser': flag('print the page to open, and take the pasted answer'),
        'client-id': value('ID', 'an app that the server knows already'),
        'client-secret-file': value('FILE', 'the file with its secret'),
        folder: value('DIR', 'keep it for this folder and those below (default: for all folders)'),
        ...jsonOption,
      },
      examples: ['connect 127.0.0.1:7733', 'connect https://data.example --device'],
      load: async () => (await import('../connect.ts')).connect,
    },
    {
      words: 'disconnect',
      takes: '[SERVER]',
      says: 'end that access, here and at the server',
      options: { ...placeOption, ...jsonOption },
      examples: ['disconnect', 'disconnect data.example'],
      load: async () => (await import('../disconnect.ts')).disconnect,
    },
    {
      words: 'schema',
      takes: '[STREAM]',
      says: 'what may be read; with a stream, its fields',
      options: { full: flag('with its JSON Schema'), ...readOptions },
      examples: ['schema', 'schema transactions'],
      load: async () => (await import('../schema.ts')).schema,
    },
    {
      words: 'query',
      takes: 'STREAM',
      says: 'records of a stream, newest first',
      options: {
        ...filterOptions,
        fields: value('A,B', 'only these fields'),
        sort: value('FIELD', 'in the order of a field; -FIELD for the reverse'),
        limit: value('N', 'records of a page (default: 25, at most 100)'),
        count: flag('say how many there are in all'),
        all: flag('every page'),
        cursor: value('CURSOR', 'the page after the one that named it'),
        expand: value('A,B', 'with related records'),
        'changes-since': value('HANDLE', 'what has changed since the call that named it'),
        ...readOptions,
      },
      examples: [
        'query transactions --where "amount<-50" --where category=travel --sort -date',
        'query messages --connection gmail_nora --fields subject,sent_at --all --json',
      ],
      load: async () => (await import('../query.ts')).query,
    },
    {
      words: 'aggregate',
      takes: 'STREAM',
      says: 'counts, sums and averages, in groups',
      options: {
        metric: value('METRIC', 'what to work out (default: count)', [
          'count',
          'count_distinct',
          'sum',
          'avg',
          'min',
          'max',
        ]),
        field: value('FIELD', 'of which field'),
        'group-by': value('A,B', 'by one field or two'),
        interval: value('INTERVAL', 'by time', ['hour', 'day', 'week', 'month', 'quarter', 'year']),
        'time-zone': value('ZONE', "whose days (default: the owner's)"),
        ...filterOptions,
        sort: value('ORDER', 'by value or group; -value for the largest first', [
          'value',
          '-value',
          'group',
          '-group',
        ]),
        limit: value('N', 'how many groups'),
        bars: flag('with a bar each, also in a pipe'),
        ...readOptions,
      },
      examples: ['aggregate transactions --metric sum --field amount --group-by category'],
      load: async () => (await import('../aggregate.ts')).aggregate,
    },
    {
      words: 'search',
      takes: 'WORDS ...',
      says: 'find records by words, in everything that may be read',
      options: {
        also: severalOf(value('WORDS', 'other words for the same thing, in any language; up to five times')),
        streams: value('A,B', 'only in these streams'),
        since: value('TIME', 'from then on, such as 2026-01-31 or last_365_days'),
        until: value('TIME', 'up to then'),
        ...filterOptions,
        limit: value('N', 'how many hits'),
        cursor: value('CURSOR', 'the page after the one that named it'),
        ...readOptions,
      },
      examples: [
        'search spare key flat --since last_365_days',
        'search teeth --also dentist --also "Zahnarzt Termin"',
      ],
      load: async () => (await import('../search.ts')).search,
    },
    {
      words: 'fetch',
      takes: 'ID',
      says: 'one record as text, by its id or address',
      options: {
        fields: value('A,B', 'only these fields'),
        field: value('FIELD', 'the text of one field, and nothing else'),
        offset: value('N', 'from this character on'),
        all: flag('to its end'),
        expand: value('A,B', 'with related records'),
        ...readOptions,
      },
      examples: ['fetch gmail_nora/messages/m1 --all'],
      load: async () => (await import('../fetch.ts')).fetch,
    },
    {
      words: 'mcp',
      takes: '[SERVER]',
      says: 'the same tools over stdio, for apps that start programs',
      options: placeOption,
      examples: ['mcp', 'mcp data.example'],
      load: async () => (await import('../mcp.ts')).mcp,
    },
  ],
};
