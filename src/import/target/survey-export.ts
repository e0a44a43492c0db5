import { keyOf } from '../../ingest/prepare-record.ts';
import { yieldToEventLoop } from '../../limits/yield-to-event-loop.ts';
import type { Catalog, CatalogStream } from '../../schema-index/catalog.ts';
import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import { toTime } from '../../store/field-value.ts';
import { openScratch } from '../../store/sqlite/scratch.ts';
import type { ReadStore } from '../../store/store.ts';
import type { StreamSpan } from '../../store/stored-reads.ts';
import { NO_TIME } from '../../store/values.ts';
import { DAY_MS } from '../../time/durations.ts';
import type { Importer, ImportOptions, Recognised } from '../importer.ts';
import { cleanData, createKeyMaker, createLocalTimes } from '../make-key.ts';

/** How much of an export a connection holds already, with keys computed in one zone. */
export interface Overlap {
  readonly connectionId: string;
  readonly keyZone: string;
  /** Records of the export that are stored under the same key at about the same time. */
  matched: number;
  /** Records of the export within the stored period, and records without a time. */
  inPeriod: number;
  /** Stored records in the compared streams. */
  readonly stored: number;
}

export interface ExportSurvey {
  readonly self: ReadonlySet<string>;
  /** Keys of the owner's accounts that have a number. */
  readonly accountNumbers: ReadonlySet<string>;
  readonly overlaps: readonly Overlap[];
  readonly records: number;
}

export interface SurveyPlan {
  readonly store: ReadStore;
  readonly catalog: Catalog;
  readonly importer: Importer;
  readonly recognised: Recognised;
  readonly options: ImportOptions;
  readonly streams: readonly StreamDeclaration[];
  /** Connections to compare with, and the zones of their keys. */
  readonly against: readonly { readonly connectionId: string; readonly keyZone: string }[];
  /** Ends the survey before the end of the export. */
  readonly isEnough: (survey: ExportSurvey) => boolean;
  readonly signal?: AbortSignal | undefined;
}

const BATCH_RECORDS = 500;
/** Time zones differ by up to 26 hours. */
const SAME_TIME_MS = 2 * DAY_MS;

interface SurveyedRecord {
  readonly stream: string;
  /** One key for each comparison. */
  readonly keys: readonly string[];
  readonly t: number;
}

/** Reads an export without storing it, to find its owner and how many of its records each connection holds. */
export async function surveyExport(plan: SurveyPlan): Promise<ExportSurvey> {
  const { store, catalog, importer, streams, signal } = plan;
  const local = createLocalTimes(plan.options.timeZone);
  const spans = await store.stored.spans();
  const isCompared = ({ name }: { name: string }) =>
    name !== importer.accountNumbers?.stream && !Object.hasOwn(importer.totals ?? {}, name);
  const comparisons = plan.against.map(({ connectionId, keyZone }) => {
    const own = catalog.streams.filter(
      (stream) => stream.connection.connection_id === connectionId && isCompared(stream),
    );
    const stored = own.reduce((sum, { streamId }) => sum + (spans.get(streamId)?.records ?? 0), 0);
    const scratch = openScratch(2_000);
    const makeKey = createKeyMaker(scratch, importer.identity, local.inZone(keyZone));
    return { own, scratch, makeKey, overlap: { connectionId, keyZone, matched: 0, inPeriod: 0, stored } };
  });
  const timeFields = new Map(comparisons[0]?.own.map(({ name, timeField }) => [name, timeField]));
  const overlaps = comparisons.map(({ overlap }) => overlap);
  const survey = { self: new Set<string>(), accountNumbers: new Set<string>(), overlaps, records: 0 };
  let batch: SurveyedRecord[] = [];
  const compare = async () => {
    for (const [index, { own, overlap }] of comparisons.entries())
      await countMatches(store, own, spans, batch, index, overlap);
    batch = [];
    await yieldToEventLoop();
  };
  try {
    const options = { ...plan.options, onLocalTime: local.onLocalTime };
    for await (const item of importer.read(plan.recognised, options)) {
      if (signal?.aborted) break;
      if (item.kind === 'self') survey.self.add(item.value.trim());
      const stream = item.kind === 'record' ? streams.find(({ name }) => name === item.stream) : undefined;
      if (item.kind !== 'record' || stream === undefined) continue;
      if (stream.name === importer.accountNumbers?.stream) {
        const hasNumber = importer.accountNumbers.fields.some((field) => item.data[field] !== undefined);
        if (hasNumber) survey.accountNumbers.add(keyOf(item.data, stream.primary_key) ?? '');
      }
      if (!isCompared(stream)) continue;
      survey.records += 1;
      const keys = comparisons.map(({ makeKey }) => {
        const data = cleanData(item.data);
        makeKey(stream, data, item.file.path, item.legacyData);
        return keyOf(data, stream.primary_key) ?? '';
      });
      const time = timeFields.get(stream.name);
      const t = time === undefined ? NO_TIME : toTime(time.kind, item.data[time.name], catalog.plainZone);
      batch.push({ stream: stream.name, keys, t });
      if (batch.length < BATCH_RECORDS) continue;
      await compare();
      if (plan.isEnough(survey)) return survey;
    }
    await compare();
  } catch {
    // The import itself reports what cannot be read.
  } finally {
    for (const { scratch } of comparisons) scratch.close();
  }
  return survey;
}

async function countMatches(
  store: ReadStore,
  own: readonly CatalogStream[],
  spans: ReadonlyMap<number, StreamSpan>,
  batch: readonly SurveyedRecord[],
  index: number,
  overlap: Overlap,
): Promise<void> {
  for (const { name, streamId } of own) {
    const records = batch.filter(({ stream }) => stream === name);
    if (records.length === 0) continue;
    const keys = records.map((record) => record.keys[index] as string);
    const stored = await store.stored.keyTimes(streamId, keys);
    const { first, last } = spans.get(streamId) ?? { first: null, last: null };
    for (const [at, { t }] of records.entries()) {
      const known = stored.get(keys[at] as string);
      const isMatch =
        known !== undefined && (known === NO_TIME || t === NO_TIME || Math.abs(known - t) <= SAME_TIME_MS);
      const day = Math.floor(t / DAY_MS);
      const isInPeriod = t === NO_TIME || (first !== null && last !== null && day >= first && day <= last);
      if (isMatch) overlap.matched += 1;
      if (isMatch || isInPeriod) overlap.inPeriod += 1;
    }
  }
}
