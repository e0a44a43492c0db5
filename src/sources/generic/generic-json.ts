import { Readable } from 'node:stream';
import { HEAD_BYTES } from '../../import/disk-file.ts';
import type { InputFile } from '../../import/importer.ts';
import { type JsonPart, parseExactJson, readJsonParts } from '../../import/read/read-json.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import type { JsonObject } from '../values/json.ts';
import type { AnyTables, ReadRow } from './generic-rows.ts';
import { isScalar, ShapeTree } from './json-shape-tree.ts';
import { JsonShredder, pathKey } from './json-shredder.ts';
import { type JsonPlan, type JsonTable, planTables } from './json-tables.ts';

/** Limits the members that are remembered of an object that arrives in parts. Its name is chosen from them. */
const [MAX_KNOWN_MEMBERS, MAX_KNOWN_CHARACTERS] = [50, 200];

type Parts = AsyncIterable<readonly JsonPart[]>;

/** Finds the tables of a JSON document: every list of objects at any depth. */
export function openJsonTables(file: InputFile): Promise<AnyTables> {
  return openParts(() => readJsonParts(file), 'item');
}

/** JSON Lines is one list with an element per line. */
export function openJsonLines(file: InputFile): Promise<AnyTables> {
  return openParts(() => readLineParts(file), 'line');
}

/** Returns whether a document seems to hold a table. A longer document may. */
export async function holdsJsonTable(file: InputFile): Promise<boolean> {
  const head = await file.head();
  const beginning = { ...file, head: async () => head, open: () => Readable.from([head]) };
  const isCut = (file.bytes ?? Number.POSITIVE_INFINITY) > head.length && head.length >= HEAD_BYTES;
  const { plan } = await survey(readJsonParts(beginning as InputFile));
  return isCut || plan.tables.size > 0;
}

async function openParts(read: () => Parts, unit: 'item' | 'line'): Promise<AnyTables> {
  const { plan, known } = await survey(read());
  return { tables: plan.list, pieces: () => readRows(read(), plan, known, unit) };
}

/** Reads the whole document once, to find its lists and the names of their parent rows. */
async function survey(parts: Parts): Promise<{ plan: JsonPlan; known: Map<string, JsonObject> }> {
  const tree = new ShapeTree();
  const known = new Map<string, Record<string, unknown>>();
  for await (const piece of parts)
    for (const part of piece) {
      if (part.kind !== 'element') continue;
      const { path, value } = part;
      tree.addAt(path, value);
      const key = path.at(-1);
      if (typeof key !== 'string' || !isScalar(value) || String(value).length > MAX_KNOWN_CHARACTERS)
        continue;
      const place = pathKey(path.slice(0, -1));
      const members = known.get(place) ?? {};
      if (Object.keys(members).length < MAX_KNOWN_MEMBERS) members[key] = value;
      known.set(place, members);
    }
  return { plan: planTables(tree.root), known };
}

async function* readRows(
  parts: Parts,
  plan: JsonPlan,
  known: ReadonlyMap<string, JsonObject>,
  unit: 'item' | 'line',
): AsyncGenerator<ReadRow[]> {
  const counts = new Map<JsonTable, number>();
  let rows: ReadRow[] = [];
  let line = 0;
  const shredder = new JsonShredder(plan, known, (table, row) => {
    const count = (counts.get(table) ?? 0) + 1;
    counts.set(table, count);
    const inTable = table.name === 'rows' ? `item ${count}` : `${table.name} ${count}`;
    const place = unit === 'line' ? `line ${line}` : inTable;
    rows.push({ kind: 'row', table, place, row });
  });
  for await (const piece of parts) {
    for (const part of piece) {
      if (unit === 'line' && part.kind === 'element') line = Number(part.path[0]) + 1;
      if (part.kind === 'element') shredder.take(part.path, part.value);
      else if (part.kind === 'end') shredder.end(part.path);
      else rows.push(part);
    }
    yield rows;
    rows = [];
  }
  if (shredder.skippedValues > 0)
    yield [
      {
        kind: 'problem',
        place: 'in all',
        reason: `has ${shredder.skippedValues} values outside of lists that were not imported`,
      },
    ];
}

async function* readLineParts(file: InputFile): AsyncGenerator<readonly JsonPart[]> {
  for await (const { number, text, isCut } of readTextLines(file)) {
    if (text.trim() === '') continue;
    const parsed = isCut ? undefined : parseExactJson(text);
    if (parsed?.kind === 'value') yield [{ kind: 'element', path: [number - 1], value: parsed.value }];
    else
      yield [{ kind: 'problem', place: `line ${number}`, reason: parsed?.reason ?? 'is longer than 16 MB' }];
  }
}
