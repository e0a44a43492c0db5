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
import { createLocalTimes } from '../local-times.ts';
import { cleanData, createKeyMaker } from '../make-key.ts';

/** How much of an export a connection holds already, with keys made in one zone. */
export interface Overlap {
  readonly connectionId: string;
  readonly keyZone: string;
  /** Records of the export that are stored under the same key at about the same time. */
  matched: number;
  /** Records of the export within the period that is stored, and those without a time. */
  inPeriod: number;
  /** Records that are stored in the streams that were compared. */
  readonly stored: number;
}

export interface ExportSurvey {
  readonly self: ReadonlySet<string>;
  readonly accountNumbers: ReadonlySet<string>;
  readonly overlaps: readonly Overlap[];
  readonly records: number;
}

export interface SurveyPlan {
  readonly importer: Importer;
  readonly recognised: Recognised;
  readonly options: ImportOptions;
  readonly streams: readonly StreamDeclaration[];
  /** Connections to compare with, and the zone that keys are made in there. */
  readonly against: readonly { readonly connectionId: string; readonly keyZone: string }[];
  /** Ends before the end of the export once it shows enough. */
  readonly isEnough: (survey: ExportSurvey) => boolean;
  readonly signal?: AbortSignal | undefined;
}

const BATCH_RECORDS = 500;
/** Zones differ by up to 26 hours. */
const SAME_TIME_MS = 2 * DAY_MS;

interface Seen {
  readonly stream: string;
  readonly keys: readonly string[];
  readonly t: number;
}

/** Reads an export without storing it, to find out whose it is and which connection holds its records already. */
export async function surveyExport(
  store: ReadStore,
  catalog: Catalog,
  plan: SurveyPlan,
): Promise<ExportSurvey> {
  const { importer, recognised, streams, against, isEnough, signal } = plan;
  const local = createLocalTimes(plan.options.timeZone);
  const spans = await store.stored.spans();
  const isCompared = ({ name }: { name: string }) =>
    name !== importer.accountNumbers?.stream && !Object.hasOwn(importer.totals ?? {}, name);
  const compared = against.map(({ connectionId, keyZone }) => {
    const own = catalog.streams.filter(
      (stream) => stream.connection.connection_id === connectionId && isCompared(stream),
    );
    const stored = own.reduce((sum, { streamId }) => sum + (spans.get(streamId)?.records ?? 0), 0);
    return { own, overlap: { connectionId, keyZone, matched: 0, inPeriod: 0, stored } };
  });
  const [self, accountNumbers] = [new Set<string>(), new Set<string>()];
  let records = 0;
  const survey = (): ExportSurvey => ({
    self,
    accountNumbers,
    records,
    overlaps: compared.map(({ overlap }) => overlap),
  });
  const scratches = compared.map(() => openScratch(2_000));
  try {
    const makers = compared.map(({ overlap }, index) =>
      createKeyMaker(
        scratches[index] as ReturnType<typeof openScratch>,
        importer.identity,
        local.inZone(overlap.keyZone),
      ),
    );
    let waiting: Seen[] = [];
    const compare = async () => {
      for (const [index, { own, overlap }] of compared.entries())
        await countMatches(store, own, spans, waiting, index, overlap);
      waiting = [];
      await yieldToEventLoop();
    };
    const options = { ...plan.options, onLocalTime: local.onLocalTime };
    for await (const item of importer.read(recognised, options)) {
      if (signal?.aborted) break;
      if (item.kind === 'self') self.add(item.value.trim());
      const stream = item.kind === 'record' ? streams.find(({ name }) => name === item.stream) : undefined;
      if (item.kind !== 'record' || stream === undefined) continue;
      if (stream.name === importer.accountNumbers?.stream) {
        const isNumbered = importer.accountNumbers.fields.some((field) => item.data[field] !== undefined);
        if (isNumbered) accountNumbers.add(keyOf(item.data, stream.primary_key) ?? '');
      }
      if (!isCompared(stream)) continue;
      records += 1;
      const keys = makers.map((makeKey) => {
        const data = cleanData(item.data);
        makeKey(stream, data, item.file.path, item.legacyData);
        return keyOf(data, stream.primary_key) ?? '';
      });
      const t = timeOf(
        compared[0]?.own.find(({ name }) => name === stream.name),
        item.data,
        catalog.plainZone,
      );
      waiting.push({ stream: stream.name, keys, t });
      if (waiting.length >= BATCH_RECORDS) await compare();
      if (waiting.length === 0 && isEnough(survey())) return survey();
    }
    await compare();
  } catch {
    // The import itself reports what cannot be read.
  } finally {
    for (const scratch of scratches) scratch.close();
  }
  return survey();
}

function timeOf(stream: CatalogStream | undefined, data: Record<string, unknown>, zone: string): number {
  const field = stream?.timeField;
  return field === undefined ? NO_TIME : toTime(field.kind, data[field.name], zone);
}

async function countMatches(
  store: ReadStore,
  own: readonly CatalogStream[],
  spans: ReadonlyMap<number, StreamSpan>,
  seen: readonly Seen[],
  index: number,
  overlap: Overlap,
): Promise<void> {
  for (const { name, streamId } of own) {
    const some = seen.filter(({ stream }) => stream === name);
    if (some.length === 0) continue;
    const stored = await store.stored.keyTimes(
      streamId,
      some.map(({ keys }) => keys[index] as string),
    );
    const { first, last } = spans.get(streamId) ?? { first: null, last: null };
    for (const { keys, t } of some) {
      const known = stored.get(keys[index] as string);
      const isMatch =
        known !== undefined && (known === NO_TIME || t === NO_TIME || Math.abs(known - t) <= SAME_TIME_MS);
      const day = Math.floor(t / DAY_MS);
      const isInPeriod = t === NO_TIME || (first !== null && last !== null && day >= first && day <= last);
      if (isMatch) overlap.matched += 1;
      if (isMatch || isInPeriod) overlap.inPeriod += 1;
    }
  }
}
