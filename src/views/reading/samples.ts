import type { Grant, GrantedStreamTerms } from '../../grants/grant.ts';
import type { GrantedStream } from '../../reader/granted-stream.ts';
import { disclose, type GrantedRead, namedFields } from '../../reads/granted-read.ts';
import { type RunRead, readPage } from '../../reads/run-read.ts';
import type { FieldKind } from '../../schema-index/field.ts';
import { escapeValue } from '../../text/escape-text.ts';
import { labelFields } from '../field-label.ts';
import { formatAmount } from './amount.ts';

/** The visible values of one record, in the order of the declaration. */
export type Sample = readonly SampleValue[];

export interface SampleValue {
  readonly name: string;
  /** The label of the field. */
  readonly label: string;
  readonly kind: FieldKind;
  /** Formatted for pages; times as stored. */
  readonly value: string;
}

interface Samples {
  /** By connection and stream (see `sampleName`). Streams without visible records are absent. */
  readonly samples: ReadonlyMap<string, Sample>;
}

/** Limits the time to load the page. */
const MAX_STREAMS = 200;
const MAX_CHARACTERS = 160;

const samplesPage: GrantedRead<undefined, Samples> = {
  name: 'query_records',
  async run(_, { reader }) {
    const samples = new Map<string, Sample>();
    const read: GrantedStream[] = [];
    for (const stream of reader.streams) {
      const sort = { field: stream.timeField, direction: 'desc' } as const;
      const { records } = await reader.page(stream, { conditions: [], sort, limit: 1 });
      const [found] = records;
      if (found === undefined) continue;
      read.push(stream);
      samples.set(sampleName(stream.connection.connection_id, stream.name), listValues(stream, found.record));
    }
    const fields = namedFields(read, undefined);
    return { body: { samples }, tokens: 0, disclosure: disclose(read, fields, read.length) };
  },
};

export function sampleName(connectionId: string, stream: string): string {
  return `${connectionId}/${stream}`;
}

/**
 * Reads the newest record of each stream as an app would see it with these terms. `recorded` names the fields that audit
 * entries of this page already cover. Every change of the selection reads again, and an entry for each would hide the
 * reads of apps.
 */
export async function readSamples(
  run: RunRead,
  terms: readonly GrantedStreamTerms[],
  recorded: Set<string>,
  now: Date,
): Promise<ReadonlyMap<string, Sample>> {
  const streams = terms.slice(0, MAX_STREAMS);
  if (streams.length === 0) return new Map();
  const grant: Grant = {
    grantId: 'not_given',
    clientName: 'owner',
    createdAt: now.toISOString(),
    expiresAt: undefined,
    revokedAt: undefined,
    purpose: undefined,
    accessMode: 'continuous',
    streams,
    endedConnections: [],
    revision: undefined,
    clientId: undefined,
    verifiedHost: undefined,
    redirectHost: undefined,
  };
  const isRecorded = ({ samples }: Samples) =>
    recorded.size > 0 && namesOf(samples).every((name) => recorded.has(name));
  const viewer = { kind: 'client', grant } as const;
  const { samples } = await readPage(run, samplesPage, undefined, viewer, { isRecorded });
  // Only after the read, which fails if its audit entry cannot be written.
  for (const name of namesOf(samples)) recorded.add(name);
  return samples;
}

function namesOf(samples: Samples['samples']): string[] {
  return [...samples].flatMap(([stream, sample]) => sample.map(({ name }) => `${stream}/${name}`));
}

function listValues(stream: GrantedStream, record: Record<string, unknown>): Sample {
  const labels = labelFields(stream.fields.values());
  return [...stream.fields.values()].flatMap((field): SampleValue[] => {
    const { name, kind } = field;
    const value = record[name];
    if (value === undefined || value === null) return [];
    const shown = formatAmount(field, record, value) ?? shorten(showValue(escapeValue(value)));
    return [{ name, label: labels.get(name) ?? name, kind, value: shown }];
  });
}

function showValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS).join('')}…` : text;
}
