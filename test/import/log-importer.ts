import type { Importer } from '../../src/import/importer.ts';
import { readTextLines } from '../../src/import/read/read-lines.ts';
import { declareSource } from '../../src/sources/declare.ts';

const text = { type: 'string' };
const at = { type: 'string', format: 'date-time', description: 'When it happened' };

/** Reads `LOG <account>` files: one `stream|id|words` a line, where the id may be left out. For tests of the run itself. */
export const logImporter: Importer = {
  format: 'log',
  title: 'Log for tests',
  guide: { steps: ['Write it.'], waiting: 'none' },
  async recognise(files) {
    const found = await Promise.all(
      files.map(async (file) => {
        const first = Buffer.from(await file.head())
          .toString()
          .split('\n')[0] as string;
        const account = /^LOG ?(.*)$/.exec(first)?.[1];
        if (account === undefined) return [];
        return [{ files: [file], certainty: 'certain' as const, ...(account === '' ? {} : { account }) }];
      }),
    );
    return found.flat();
  },
  async declare() {
    return declareSource('log', 'Log', [
      ...['entries', 'others'].map((name) => ({
        name,
        semantics: 'mutable_state' as const,
        schema: { type: 'object', properties: { id: text, words: text, at }, required: ['id'] },
        primary_key: ['id'],
        consent_time_field: 'at',
        selection: { fields: true, resources: true },
        query: { search: { lexical_fields: ['words'] } },
      })),
    ]);
  },
  async *read({ files, account }) {
    if (account !== undefined) yield { kind: 'self', value: account };
    for (const file of files) {
      for await (const { number, text: line } of readTextLines(file)) {
        if (number === 1 || line === '') continue;
        const [stream, id, words] = line.split('|');
        const place = `line ${number}`;
        if (words === undefined) yield { kind: 'problem', file, place, reason: 'is not a line of a log' };
        else
          yield {
            kind: 'record',
            file,
            place,
            stream: stream === 'o' ? 'others' : 'entries',
            data: { ...(id === '' ? {} : { id }), words, at: '2024-05-01T10:00:00Z' },
          };
      }
    }
  },
};
