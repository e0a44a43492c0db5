import type { Importer } from '../../src/import/importer.ts';
import { peekText } from '../../src/import/read/decode-text.ts';
import { openTable } from '../../src/import/read/read-table.ts';
import { readDay } from '../../src/import/read/read-time.ts';
import { declareSource, declareStream } from '../../src/sources/declare.ts';

/** Step counters export `Steps of <name>` and then rows of day and steps. */
export const stepsImporter: Importer = {
  format: 'steps',
  title: 'Step counter',
  guide: { steps: ['Open the app, Settings, Export as CSV.'], waiting: 'none' },
  async recognise(files) {
    const found = [];
    for (const file of files) {
      const owner = /^Steps of (.+?)\r?\n/.exec(await peekText(file))?.[1];
      // Only this app writes such a first line; two owners are two connections.
      if (owner !== undefined) found.push({ files: [file], certainty: 'certain' as const, account: owner });
    }
    return found;
  },
  async declare() {
    return declareSource('steps', 'Step counter', [
      declareStream('days', 'Steps', {
        description: 'How many steps the owner took on each day.',
        detail: 'Steps per day.',
        time: 'day',
        fields: { day: 'date', steps: 'integer', note: 'text, search' },
      }),
    ]);
  },
  async *read({ files, account }) {
    if (account !== undefined) yield { kind: 'self', value: account };
    for (const file of files) {
      const table = await openTable(file, { isHeader: (cells) => cells.includes('Steps') });
      if (table === undefined) yield { kind: 'problem', file, reason: 'has no row that names the columns' };
      for await (const row of table?.rows() ?? []) {
        const day = row.kind === 'row' ? readDay(row.values.Day ?? '') : undefined;
        if (row.kind === 'problem') yield { ...row, file };
        else if (day === undefined)
          yield { kind: 'problem', file, place: `line ${row.line}`, reason: 'has no day' };
        else {
          const data = { day, steps: Number(row.values.Steps), note: row.values.Note };
          yield { kind: 'record', stream: 'days', data, place: `line ${row.line}`, file };
        }
      }
    }
  },
};
