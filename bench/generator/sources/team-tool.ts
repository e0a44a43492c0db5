import type { StreamDeclaration } from '../../../src/schema-index/declaration.ts';
import { createRandom, type Random } from '../random.ts';
import type { GeneratedBatch, GeneratedSource } from '../types.ts';

/** What the four team tools of the demo share: how rows become lines. */

/** Fields that do not apply are undefined here and absent from the record. */
export type Row = Record<string, unknown>;

interface TeamTool {
  key: string;
  name: string;
  streams: StreamDeclaration[];
  /** Rows by stream. `size` is 1 to 4, and a larger one only adds rows after those of a smaller one. */
  write(random: Random, size: number): Record<string, Row[]>;
}

/** A demo source with one connection, named like its connector. */
export function createTeamTool(tool: TeamTool): GeneratedSource {
  return {
    declaration: {
      protocol_version: '0.1.0',
      connector_key: tool.key,
      source: { kind: 'connector', id: `https://pdpp.dev/connectors/${tool.key}` },
      declaration_version: '1',
      publisher: { id: 'https://pdpp.dev' },
      display: { name: tool.name },
      streams: tool.streams,
    },
    connections: [
      { connection_id: tool.key, connector_key: tool.key, display_name: `${tool.name} (Waypoint)` },
    ],
    *generate({ records, seed, until }) {
      const rows = tool.write(createRandom(seed, tool.key), chooseSize(records));
      for (const stream of tool.streams) {
        const moved = (rows[stream.name] ?? []).map((row) => moveRow(row, countWeeks(until)));
        yield* createBatches(tool.key, stream, moved);
      }
    },
  };
}

/** A team's documents do not grow with the size of the demo as mail does: ten times the demo, one step more. */
function chooseSize(records: number): number {
  return Math.min(4, Math.max(1, Math.floor(Math.log10(Math.max(records, 1)) - 2)));
}

function* createBatches(
  connectionId: string,
  stream: StreamDeclaration,
  rows: Row[],
): Generator<GeneratedBatch> {
  const timeField = stream.consent_time_field as string;
  const keyField = stream.primary_key[0] as string;
  const lines = rows
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)))
    .sort((a, b) => String(a[timeField]).localeCompare(String(b[timeField])))
    .map((data) => ({
      key: String(data[keyField]),
      data,
      emitted_at: String(data.updated_at ?? data[timeField]),
    }));
  for (let start = 0; start < lines.length; start += 1_000) {
    yield { connection_id: connectionId, stream: stream.name, lines: lines.slice(start, start + 1_000) };
  }
}

/** `page-001`: ids that a page of documentation can name. */
export function createId(kind: string, index: number): string {
  return `${kind}-${String(index + 1).padStart(3, '0')}`;
}

const firstDay = Date.UTC(2026, 2, 2, 9);

/** A moment `day` days and `minute` minutes after nine o'clock on Monday, 2 March 2026. */
export function at(day: number, minute = 0): string {
  return new Date(firstDay + day * 86_400_000 + minute * 60_000).toISOString();
}

/** Whole weeks, so that a Monday stays one, from the autumn for which the tools were written. */
const countWeeks = (until: Date) =>
  Math.floor((until.getTime() - Date.UTC(2026, 9, 31, 22)) / (7 * 86_400_000));

/** Days also stand in ids, titles and addresses: all of them move together. */
function moveRow(row: Row, weeks: number): Row {
  return weeks === 0
    ? row
    : JSON.parse(
        JSON.stringify(row).replace(/\b(20\d\d)(-?)(\d\d)\2(\d\d)(?=T|\b)/g, (...found) => {
          const [, year, dash, month, day] = found as string[];
          const moved = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + weeks * 7));
          return moved
            .toISOString()
            .slice(0, 10)
            .replaceAll('-', dash as string);
        }),
      );
}

/** Item `index` of a list that starts over at its end. */
export function repeat<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T;
}
