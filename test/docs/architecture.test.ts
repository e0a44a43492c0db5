import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/sqlite/open-store.ts';

const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
const diagram = /```mermaid\nerDiagram\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
const entities = [...diagram.matchAll(/^ {2}(\w+) \{\n([\s\S]*?)^ {2}\}/gm)].map(
  ([, name = '', body = '']) => ({
    name,
    columns: [...body.matchAll(/^ {4}(\w+) (\w+)( PK)?/gm)].map(([, type, column, key]) => ({
      column,
      type,
      isKey: key !== undefined,
    })),
  }),
);

describe('the data model in docs/architecture.md', () => {
  const tables = new Map<string, { name: string; type: string; pk: number }[]>();
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pdpp-test-'));
    (await openStore(folder)).close();
    for (const file of ['store.sqlite', 'audit.sqlite']) {
      const database = new Database(join(folder, file), { readonly: true });
      for (const { name } of entities) {
        const columns = database.pragma(`table_info(${name})`) as {
          name: string;
          type: string;
          pk: number;
        }[];
        if (columns.length > 0) tables.set(name, columns);
      }
      database.close();
    }
    rmSync(folder, { recursive: true });
  });

  it('describes every entity that has a relation', () => {
    const related = [...diagram.matchAll(/^ {2}(\w+) \|[|o]--\S+ (\w+) :/gm)].flatMap(([, a, b]) => [a, b]);
    expect([...new Set(related)].sort()).toEqual(entities.map(({ name }) => name).sort());
  });

  it.each(entities)('shows columns and keys of $name as they are in the store', ({ name, columns }) => {
    const stored = tables.get(name) ?? [];
    const types = new Map(stored.map((column) => [column.name, column.type.toLowerCase()]));
    for (const { column, type } of columns)
      expect([column, types.get(column as string)]).toEqual([column, type]);
    const keys = stored.filter(({ pk }) => pk > 0).map((column) => column.name);
    expect(
      columns
        .filter(({ isKey }) => isKey)
        .map(({ column }) => column)
        .sort(),
    ).toEqual(keys.sort());
  });
});
