import type { CatalogStream } from '../../schema-index/catalog.ts';
import type { Change } from '../../store/batches.ts';
import { NO_TIME } from '../../store/values.ts';
import { cutText } from '../../text/cut-text.ts';
import { toLocal } from '../../time/instant.ts';

/** What an export holds, so that its owner knows it again before it is added. */
export interface ExportPreview {
  readonly first: string | null;
  readonly last: string | null;
  /** The newest records, as far as they have words. */
  readonly samples: readonly { readonly day: string | null; readonly text: string }[];
}

const MAX_SAMPLES = 3;
/** Some of them have no words, or the same. */
const MAX_CANDIDATES = 12;
const MAX_SAMPLE_CHARACTERS = 120;
/** Longer records are not read a second time for a sample. */
const MAX_READ_CHARACTERS = 100_000;
/** What a line calls a record by, the best first. */
const TITLE_FIELDS = [
  'title',
  'subject',
  'name',
  'summary',
  'text',
  'body',
  'description',
  'merchant',
  'track',
];

type Put = Change & { op: 'put' };
interface Candidate {
  readonly stream: CatalogStream;
  readonly change: Put;
}

/** Looks at changes as they pass, and keeps a few of them whatever their number. */
export function createPreview(timeZone: string) {
  let [first, last]: (Candidate | undefined)[] = [];
  /** The newest first. They are read only at the end. */
  let newest: Candidate[] = [];
  const add = (stream: CatalogStream, changes: readonly Change[]) => {
    for (const change of changes) {
      if (change.op !== 'put') continue;
      const one = { stream, change };
      if (change.t !== NO_TIME && change.t < (first?.change.t ?? Number.POSITIVE_INFINITY)) first = one;
      if (change.t !== NO_TIME && change.t > (last?.change.t ?? Number.NEGATIVE_INFINITY)) last = one;
      const least = newest[MAX_CANDIDATES - 1]?.change.t ?? Number.NEGATIVE_INFINITY;
      if (change.t > least && change.data.length <= MAX_READ_CHARACTERS)
        newest = [...newest, one].sort((a, b) => b.change.t - a.change.t).slice(0, MAX_CANDIDATES);
    }
  };
  const build = (): ExportPreview => {
    const texts = newest.flatMap((one) => {
      const text = readTitle(one);
      return text === undefined ? [] : [{ day: nameDay(one, timeZone), text }];
    });
    const samples = texts.filter((one, i) => texts.findIndex(({ text }) => text === one.text) === i);
    return {
      first: first === undefined ? null : nameDay(first, timeZone),
      last: last === undefined ? null : nameDay(last, timeZone),
      samples: samples.slice(0, MAX_SAMPLES),
    };
  };
  return { add, build };
}

/** A day without a clock is the same in every zone. */
function nameDay({ stream, change: { t } }: Candidate, timeZone: string): string | null {
  if (t === NO_TIME) return null;
  const date = new Date(toLocal(t, stream.timeField?.kind === 'date' ? 'UTC' : timeZone));
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/** How a record begins, in its own words. */
function readTitle({ stream, change }: Candidate): string | undefined {
  const record = JSON.parse(change.data) as Record<string, unknown>;
  const searched = stream.declaration.query?.search?.lexical_fields ?? [];
  const texts = [...TITLE_FIELDS, ...searched].map((name) => record[name]);
  const found = texts.find((text) => typeof text === 'string' && text.trim() !== '') as string | undefined;
  return found && cutText(found.replaceAll(/\s+/g, ' ').trim(), MAX_SAMPLE_CHARACTERS);
}
