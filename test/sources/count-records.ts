import { fileURLToPath } from 'node:url';
import type { Importer } from '../../src/import/importer.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { compileSchema } from '../../src/schema-index/compile-schema.ts';
import { type Collected, collect, readInputFolder } from '../support/input-file.ts';

const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url));

/** Reads a folder of fixtures, and holds every record to the schema it was declared with. */
export async function readFixture(importer: Importer, name: string): Promise<Collected> {
  const found = await collect(importer, readInputFolder(`${FIXTURES}${importer.format}/${name}`));
  await checkRecords(importer, found);
  return found;
}

/** As an import does: without a key, one is made; what is undefined is not there. */
export async function checkRecords(importer: Importer, { recognised, records }: Collected): Promise<void> {
  const [first] = recognised;
  if (first === undefined) return;
  const { streams } = checkDeclaration(await importer.declare(first, { timeZone: 'Europe/Berlin' }));
  for (const [name, list] of Object.entries(records)) {
    const stream = streams.find((one) => one.name === name);
    if (stream === undefined) throw new Error(`there is no stream ${name}`);
    const check = compileSchema(stream);
    const undeclared = new Set<string>();
    for (const data of list) {
      const written = { id: 'made', ...(JSON.parse(JSON.stringify(data)) as Record<string, unknown>) };
      if (!check(written))
        throw new Error(`${name}: ${JSON.stringify(check.errors)} in ${JSON.stringify(written)}`);
      for (const field of Object.keys(written))
        if (!Object.hasOwn(stream.schema.properties as object, field)) undeclared.add(field);
    }
    if (undeclared.size > 0) throw new Error(`${name} does not declare ${[...undeclared].join(', ')}`);
  }
}

export function countRecords({ records }: Collected): Record<string, number> {
  return Object.fromEntries(Object.entries(records).map(([stream, list]) => [stream, list.length]));
}

/** A record as it is stored. */
export function pickRecord({ records }: Collected, stream: string, index: number): unknown {
  return JSON.parse(JSON.stringify(records[stream]?.[index] ?? null));
}
