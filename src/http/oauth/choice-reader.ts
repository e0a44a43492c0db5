import type { GrantedStreamTerms } from '../../grants/grant.ts';
import { LruCache } from '../../limits/cache.ts';
import { type Pending, readChoice } from '../../oauth/consent/consent-choice.ts';
import {
  type ConsentForm,
  listEnds,
  listWindows,
  streamPresets,
  timePresets,
} from '../../oauth/consent/consent-form.ts';
import { describeDisclosure, describeLimits } from '../../oauth/consent/describe-choice.ts';
import { type Sample, sampleName } from '../../views/reading/samples.ts';

/** Returns the newest record of each stream under these terms, by `sampleName`. `reported` names samples already audited. */
export type ReadSamples = (
  terms: readonly GrantedStreamTerms[],
  reported: Set<string>,
) => Promise<ReadonlyMap<string, Sample>>;

const MAX_CACHED_PAGES = 100;

/** Reads what a page shows about a choice: descriptions, options and sample records. */
export function createChoiceReader(readSamples: ReadSamples, now: () => Date) {
  const reportedByPage = new LruCache<string, Set<string>>(MAX_CACHED_PAGES);

  /** Returns the samples that this page has shown, so that the audit counts each once. */
  function findReported(path: string, isSamePage: boolean): Set<string> {
    const reported = (isSamePage ? reportedByPage.get(path) : undefined) ?? new Set<string>();
    reportedByPage.set(path, reported);
    return reported;
  }

  return async (path: string, pending: Pending, form: ConsentForm, sent: URLSearchParams | undefined) => {
    const { offer } = pending;
    const zone = pending.catalog.timeZone;
    const choice = readChoice(form, pending, now());
    const ticked = [...choice.possible].sort(
      ([a], [b]) => Number(form.streams.has(b)) - Number(form.streams.has(a)),
    );
    const samples = await readSamples(
      ticked.map(([, terms]) => terms),
      // A form with the same digest comes from the page of this offer.
      findReported(path, sent?.get('digest') === offer.digest),
    );
    const shown = {
      offer,
      form,
      action: path,
      windows: listWindows(offer),
      expiries: listEnds(offer),
      presets: { streams: streamPresets, times: timePresets },
      summary: describeDisclosure(offer, form, choice, zone),
      limits: describeLimits(offer, form, choice, zone),
      samples: bySample(ticked, samples),
      zone,
      problems: sent?.get('decision') === 'approve' ? choice.problems : [],
    };
    return { shown, choice };
  };
}

function bySample(
  terms: readonly (readonly [number, GrantedStreamTerms])[],
  samples: ReadonlyMap<string, Sample>,
): Map<number, Sample> {
  return new Map(
    terms.flatMap(([index, { connection_id, stream }]) => {
      const sample = samples.get(sampleName(connection_id, stream));
      return sample === undefined ? [] : [[index, sample] as const];
    }),
  );
}
