import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { importers } from '../../src/sources/importers.ts';
import { collect, readInputFolder } from '../support/input-file.ts';

const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url));
const options = { timeZone: 'Europe/Berlin' };

/** A format that is whatever the file says has no fields of its own to choose from. */
const known = importers.filter(({ format }) => format !== 'generic');

it.each(known.map((importer) => [importer.format, importer] as const))(
  '%s says what tells records without an id apart',
  async (format, importer) => {
    for (const name of readdirSync(FIXTURES + format)) {
      const { recognised, records } = await collect(
        importer,
        readInputFolder(`${FIXTURES}${format}/${name}`),
      );
      const [first] = recognised;
      if (first === undefined) continue;
      const { streams } = await importer.declare(first, options);
      for (const { name: stream, schema, primary_key } of streams) {
        const fields = importer.identity?.[stream];
        for (const field of fields ?? []) expect(Object.keys(schema.properties as object)).toContain(field);
        for (const data of records[stream] ?? []) {
          if (primary_key.every((key) => data[key] !== undefined && data[key] !== null)) continue;
          const told = fields?.filter((field) => data[field] !== undefined);
          expect(told?.length ?? 0, `${stream}: ${JSON.stringify(data)}`).toBeGreaterThan(0);
        }
      }
    }
  },
);
