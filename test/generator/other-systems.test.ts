import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { DEMO_END } from '../../bench/demo-end.ts';
import { otherSystems } from '../../bench/generator/other-systems.ts';
import type { GeneratedLine, GeneratedSource, GeneratorOptions } from '../../bench/generator/types.ts';
import { checkDeclaration } from '../../src/schema-index/check-declaration.ts';
import { sourceDeclarationShape } from '../../src/schema-index/declaration.ts';
import { describeFields } from '../../src/schema-index/field.ts';

const options = { records: 1_000, seed: 7, until: DEMO_END };

function collect(
  source: GeneratedSource,
  settings: GeneratorOptions = options,
): Map<string, GeneratedLine[]> {
  const lines = new Map<string, GeneratedLine[]>();
  for (const batch of source.generate(settings)) {
    lines.set(batch.stream, [...(lines.get(batch.stream) ?? []), ...batch.lines]);
  }
  return lines;
}

function countLines(source: GeneratedSource, records: number): number {
  return [...collect(source, { ...options, records }).values()].reduce((sum, lines) => sum + lines.length, 0);
}

describe.each(otherSystems.map((source) => [source.declaration.connector_key as string, source] as const))(
  'demo source %s',
  (key, source) => {
    const ajv = new Ajv2020({ allErrors: true, formats: { 'date-time': true } });

    it('has a declaration that fits together and one connection', () => {
      expect(sourceDeclarationShape.parse(source.declaration)).toEqual(source.declaration);
      expect(checkDeclaration(source.declaration).connector_key).toBe(key);
      expect(source.connections.map((connection) => connection.connection_id)).toEqual([key]);
    });

    it('keeps every stream within the slots and text columns of the store', () => {
      for (const stream of source.declaration.streams) {
        const fields = describeFields(stream);
        const slots = fields.filter((field) => field.filter && field.kind !== 'list');
        expect(slots.length, stream.name).toBeLessThanOrEqual(16);
        expect(fields.filter((field) => field.search).length, stream.name).toBeLessThanOrEqual(8);
      }
    });

    it('is the same for the same seed and differs for another', () => {
      expect(collect(source)).toEqual(collect(source));
      expect(collect(source, { ...options, seed: 8 })).not.toEqual(collect(source));
    });

    it('stays small and only adds when asked for more', () => {
      expect(countLines(source, 10)).toBeGreaterThanOrEqual(100);
      expect(countLines(source, 1_000)).toBeLessThanOrEqual(400);
      expect(countLines(source, 1_000_000)).toBeLessThanOrEqual(2_000);
      const large = collect(source, { ...options, records: 1_000_000, seed: 7 });
      for (const [stream, lines] of collect(source)) {
        const keys = new Set(large.get(stream)?.map((line) => line.key));
        expect(lines.filter((line) => !keys.has(line.key))).toEqual([]);
      }
    });

    it.each([1_000, 1_000_000])('writes valid, keyed, ordered lines (size %i)', (records) => {
      const lines = collect(source, { ...options, records });
      for (const stream of source.declaration.streams) {
        const own = lines.get(stream.name) ?? [];
        const validate = ajv.compile(stream.schema);
        expect(own.length, stream.name).toBeGreaterThan(0);
        expect(new Set(own.map((line) => line.key)).size, stream.name).toBe(own.length);
        for (const line of own) {
          expect(validate(line.data), `${stream.name} ${line.key} ${ajv.errorsText(validate.errors)}`).toBe(
            true,
          );
          expect(line.data[stream.primary_key[0] as string]).toBe(line.key);
          expect(line.emitted_at).toMatch(/^2026-/);
        }
        const times = own.map((line) => line.data[stream.consent_time_field as string]);
        expect(times).toEqual([...times].sort());
      }
    });

    it('has relations that lead to records, declared from both ends', () => {
      const lines = collect(source);
      const keysOf = (stream: string) => new Set(lines.get(stream)?.map((line) => line.key));
      for (const stream of source.declaration.streams) {
        for (const relation of stream.relationships ?? []) {
          const isOne = relation.cardinality === 'has_one';
          const [holder, target] = isOne ? [stream.name, relation.stream] : [relation.stream, stream.name];
          const known = keysOf(target);
          const links = (lines.get(holder) ?? []).flatMap((line) => line.data[relation.foreign_key] ?? []);
          const label = `${stream.name}.${relation.name}`;
          const inverse = source.declaration.streams
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

    it('has every record that the documentation names', () => {
      const page = readFileSync(new URL('../../docs/from-other-systems.md', import.meta.url), 'utf8');
      const named = [...page.matchAll(/"id":"([^"]+)"/g)].map((match) => match[1] as string);
      const own = named.filter((id) => id.startsWith(`${key}/`));
      expect(own.length).toBeGreaterThan(0);
      for (const seed of [1, 7, 99]) {
        const lines = collect(source, { ...options, seed });
        for (const id of own) {
          const [, stream, recordKey] = id.split('/') as [string, string, string];
          expect(
            lines.get(stream)?.some((line) => line.key === recordKey),
            id,
          ).toBe(true);
        }
      }
    });
  },
);

it('lists tasks that wait only for tasks of the same specification', () => {
  const tasks = collect(otherSystems[1] as GeneratedSource).get('tasks') ?? [];
  for (const { data } of tasks) {
    for (const id of data.blocked_by as string[]) {
      expect(tasks.find((task) => task.key === id)?.data.spec_id).toBe(data.spec_id);
    }
  }
});
