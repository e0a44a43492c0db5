import type { GrantedStreamTerms } from '../../grants/grant.ts';
import { LruCache } from '../../limits/cache.ts';
import { type Pending, readChoice } from '../../oauth/consent/consent-choice.ts';
import { type ConsentForm, listEnds, listWindows } from '../../oauth/consent/consent-form.ts';
import { streamPresets, timePresets } from '../../oauth/consent/consent-presets.ts';
import { describeGiven } from '../../oauth/consent/describe-given.ts';
import { describeLimits } from '../../oauth/consent/describe-limits.ts';
import { type Sample, sampleName } from '../../views/reading/samples.ts';

/** The newest record of each stream under these rights, by `sampleName`; `told` is what the page has shown before. */
export type ReadSamples = (
  terms: readonly GrantedStreamTerms[],
  told: Set<string>,
) => Promise<ReadonlyMap<string, Sample>>;

const MAX_PAGES = 100;

/** Reads what a page shows of a choice: words for it, what else could be chosen, and samples. */
export function createChoiceReader(readSamples: ReadSamples, now: () => Date) {
  const toldOn = new LruCache<string, Set<string>>(MAX_PAGES);

  /** Names the samples that this page has shown, so that the audit counts each once. A restart or a full cache forgets them. */
  function findTold(path: string, isSamePage: boolean): Set<string> {
    const told = (isSamePage ? toldOn.get(path) : undefined) ?? new Set<string>();
    toldOn.set(path, told);
    return told;
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
      // A form that repeats the digest comes from the page of this very offer.
      findTold(path, sent?.get('digest') === offer.digest),
    );
    const shown = {
      offer,
      form,
      action: path,
      windows: listWindows(offer),
      expiries: listEnds(offer),
      presets: { streams: streamPresets, times: timePresets },
      given: describeGiven(offer, form, choice, zone),
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
