/** Where the server speaks of its tools, the terminal has commands: their words, and what stands right after them. */
const COMMANDS: Record<string, { command: string; first: string }> = {
  schema: { command: 'schema', first: 'stream' },
  query_records: { command: 'query', first: 'stream' },
  aggregate: { command: 'aggregate', first: 'stream' },
  search: { command: 'search', first: 'query' },
  fetch: { command: 'fetch', first: 'id' },
};

/** Arguments whose option is called otherwise. */
const OPTIONS: Record<string, string> = {
  connection_id: 'connection',
  changes_since: 'changes-since',
  group_by: 'group-by',
  time_zone: 'time-zone',
  filter: 'where',
};

const TOOL = 'schema|query_records|aggregate|search|fetch';

/** Ways of saying that have no form of their own, from the longest to the shortest. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bWrite \{"field": value\}.*$/, 'Write --where FIELD=VALUE, or > >= < <= != in place of =.'],
  [/\bstart again without a cursor\b/, 'start again without --cursor'],
  [/\bwith the same arguments\b/, 'with the same options'],
  [/\bconnection_id\/stream\/key\b/, 'CONNECTION/STREAM/KEY'],
  [/\bconnector_key\b/g, 'connector key'],
  [/\bwith filter\b/g, 'with --where'],
  [/\buse filter\b/g, 'use --where'],
  [/\bleave (sort|limit|field|fields) out\b/g, 'leave --$1 out'],
];

/** A sentence of the server, which was written for a model, in the words of whoever types commands. */
export function sayInTerminalWords(text: string): string {
  const calls = text
    .replaceAll(
      new RegExp(`\\b(?:Call )?(${TOOL})\\(([^)]*)\\)`, 'g'),
      (all, tool: string, args: string) => `${all.startsWith('Call ') ? 'Run ' : ''}${writeCall(tool, args)}`,
    )
    .replaceAll(new RegExp(`\\bCall (${TOOL})\\b`, 'g'), (_, tool: string) => `Run ${nameOf(tool)}`)
    .replaceAll(/\bthe (search|fetch|schema|aggregate) tool\b/g, (_, tool: string) => nameOf(tool))
    .replaceAll(/\bwith search or query_records\b/g, 'with pdpp search or pdpp query')
    .replaceAll(/\bquery_records and search\b/g, 'pdpp query and pdpp search')
    .replaceAll(/\bquery_records\b/g, 'pdpp query');
  const said = PHRASES.reduce((sentence, [form, words]) => sentence.replace(form, words), calls);
  return said.replaceAll(
    /\b(connection_id|changes_since|group_by|time_zone)\b/g,
    (name) => `--${OPTIONS[name]}`,
  );
}

function nameOf(tool: string): string {
  return `pdpp ${COMMANDS[tool]?.command}`;
}

/** `schema(stream, detail: "full")` as `pdpp schema STREAM --full`. */
function writeCall(tool: string, args: string): string {
  const parts = args
    .split(',')
    .map((part) => part.split(':').map((word) => word.trim().replaceAll(/^"|"$/g, '')))
    .filter(([name]) => name !== '')
    .map(([name = '', given]) => {
      if (name === COMMANDS[tool]?.first) return given ?? name.toUpperCase();
      if (name === 'detail') return `--${given ?? 'full'}`;
      return `--${OPTIONS[name] ?? name} ${given ?? (name.endsWith('_id') ? 'ID' : name.toUpperCase())}`;
    });
  return [nameOf(tool), ...parts].join(' ');
}
