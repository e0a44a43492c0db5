import type { CatalogStream } from '../../schema-index/catalog.ts';
import type { Change } from '../../store/batches.ts';
import { NO_TIME } from '../../store/values.ts';
import { cutText } from '../../text/cut-text.ts';
import { toLocal } from '../../time/instant.ts';

/** A sample of an export, by which the owner recognises it before importing it. */
export interface ExportPreview {
  readonly first: string | null;
  readonly last: string | null;
  /** The titles of the newest records. */
  readonly samples: readonly { readonly day: string | null; readonly text: string }[];
}

const MAX_SAMPLES = 3;
/** Some candidates have no title or the same one. */
const MAX_CANDIDATES = 12;
const MAX_SAMPLE_CHARACTERS = 120;
/** Longer records are not parsed again for a sample. */
const MAX_RECORD_CHARACTERS = 100_000;
/** Fields that can serve as a title, best first. */
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

/** Collects a preview from the changes of a dry run. Its size does not grow with the export. */
export function createPreview(timeZone: string) {
  let [first, last]: (Candidate | undefined)[] = [];
  /** Newest first. They are parsed only at the end. */
  let newest: Candidate[] = [];
  const add = (stream: CatalogStream, changes: readonly Change[]) => {
    for (const change of changes) {
      if (change.op !== 'put') continue;
      const one = { stream, change };
      if (change.t !== NO_TIME && change.t < (first?.change.t ?? Number.POSITIVE_INFINITY)) first = one;
      if (change.t !== NO_TIME && change.t > (last?.change.t ?? Number.NEGATIVE_INFINITY)) last = one;
      const least = newest[MAX_CANDIDATES - 1]?.change.t ?? Number.NEGATIVE_INFINITY;
      if (change.t > least && change.data.length <= MAX_RECORD_CHARACTERS)
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

/** Returns the day of a record. A date without a time is the same in every zone. */
function nameDay({ stream, change: { t } }: Candidate, timeZone: string): string | null {
  if (t === NO_TIME) return null;
  const date = new Date(toLocal(t, stream.timeField?.kind === 'date' ? 'UTC' : timeZone));
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/** Returns the title of a record. */
function readTitle({ stream, change }: Candidate): string | undefined {
  const record = JSON.parse(change.data) as Record<string, unknown>;
  const searched = stream.declaration.query?.search?.lexical_fields ?? [];
  const texts = [...TITLE_FIELDS, ...searched].map((name) => record[name]);
  const found = texts.find((text) => typeof text === 'string' && text.trim() !== '') as string | undefined;
  return found && cutText(found.replaceAll(/\s+/g, ' ').trim(), MAX_SAMPLE_CHARACTERS);
}
