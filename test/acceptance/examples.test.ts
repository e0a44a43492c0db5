import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { exampleSources, examplesFolder } from '../../bench/generator/example-sources.ts';
import type { GeneratedLine } from '../../bench/generator/types.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { sourceDeclarationShape } from '../../src/schema-index/declaration.ts';
import { describeFields } from '../../src/schema-index/field.ts';
import { runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

describe.each(exampleSources.map((source) => [source.declaration.connector_key as string, source] as const))(
  'the example %s',
  (key, source) => {
    const { streams } = source.declaration;
    const ajv = new Ajv2020({ allErrors: true, formats: { 'date-time': true } });
    const lines = new Map<string, GeneratedLine[]>();
    for (const batch of source.generate({ records: 0, seed: 0, until: new Date() }))
      lines.set(batch.stream, [...(lines.get(batch.stream) ?? []), ...batch.lines]);

    it('has a declaration that fits together', () => {
      expect(sourceDeclarationShape.parse(source.declaration)).toEqual(source.declaration);
      expect(checkDeclaration(source.declaration).connector_key).toBe(key);
    });

    it('keeps every stream within the slots and text columns of the store', () => {
      for (const stream of streams) {
        const fields = describeFields(stream);
        const slots = fields.filter((field) => field.filter && field.kind !== 'list');
        expect(slots.length, stream.name).toBeLessThanOrEqual(16);
        expect(fields.filter((field) => field.search).length, stream.name).toBeLessThanOrEqual(8);
      }
    });

    it('has valid, keyed, ordered lines', () => {
      for (const stream of streams) {
        const own = lines.get(stream.name) ?? [];
        const validate = ajv.compile(stream.schema);
        expect(own.length, stream.name).toBeGreaterThan(0);
        expect(new Set(own.map((line) => line.key)).size, stream.name).toBe(own.length);
        for (const line of own) {
          const isValid = validate(line.data);
          expect(isValid, `${stream.name} ${line.key} ${ajv.errorsText(validate.errors)}`).toBe(true);
          expect(line.data[stream.primary_key[0] as string]).toBe(line.key);
        }
        const times = own.map((line) => line.data[stream.consent_time_field as string]);
        expect(times).toEqual([...times].sort());
      }
    });

    it('has relations that lead to records, declared from both ends', () => {
      const keysOf = (stream: string) => new Set(lines.get(stream)?.map((line) => line.key));
      for (const stream of streams) {
        for (const relation of stream.relationships ?? []) {
          const isOne = relation.cardinality === 'has_one';
          const [holder, target] = isOne ? [stream.name, relation.stream] : [relation.stream, stream.name];
          const known = keysOf(target);
          const links = (lines.get(holder) ?? []).flatMap((line) => line.data[relation.foreign_key] ?? []);
          const label = `${stream.name}.${relation.name}`;
          const inverse = streams
            .find((other) => other.name === relation.stream)
            ?.relationships?.find(
              (other) =>
                other.stream === stream.name &&
                other.foreign_key === relation.foreign_key &&
                other.cardinality !== relation.cardinality,
            );
          expect(inverse, label).toBeDefined();
          expect(links.length, label).toBeGreaterThan(0);
          expect(
            links.filter((link) => !known.has(String(link))),
            label,
          ).toEqual([]);
        }
      }
    });

    it('has every record that the calls of other systems name', () => {
      const calls = readFileSync(new URL('../docs/other-systems.jsonl', import.meta.url), 'utf8');
      const named = [...calls.matchAll(/"id": ?"([^"]+)"/g)].map((match) => match[1] as string);
      const own = named.filter((id) => id.startsWith(`${key}/`));
      expect(own.length).toBeGreaterThan(0);
      for (const id of own) {
        const [, stream, recordKey] = id.split('/') as [string, string, string];
        expect(
          lines.get(stream)?.some((line) => line.key === recordKey),
          id,
        ).toBe(true);
      }
    });
  },
);

describe('the commands of examples/README.md', () => {
  it('add a source, a connection and its records', async () => {
    const data = makeFolder();
    const folder = join(examplesFolder, 'agor');
    const run = async (...args: string[]) => {
      const { code, out, err } = await runCli([...args, '--data', data]);
      expect([code, err], args.join(' ')).toEqual([0, '']);
      return out;
    };
    await run('source', 'add', join(folder, 'source.json'));
    await run('connection', 'add', 'agor', '--id', 'agor', '--name', 'Agor');
    expect(await run('ingest', 'agor', 'sessions', join(folder, 'sessions.ndjson'))).toContain('32 new');
    expect(await run('ingest', 'agor', 'tasks', join(folder, 'tasks.ndjson'))).toContain('64 new');
    expect(await run('connection', 'list')).toContain('agor');
  }, 60_000);
});
