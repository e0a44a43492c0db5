import type { GrantedStreamTerms } from '../../grants/grant.ts';
import { resolveGrant, type Window } from '../../grants/resolve-grant.ts';
import type { Catalog } from '../../schema-index/catalog.ts';
import { isLimited, readEnd, readWindow, windowOf } from './chosen-time.ts';
import { type ConsentForm, KEEP } from './consent-form.ts';
import type { Offer, OfferedStream } from './consent-offer.ts';
import type { FieldProblem } from './field-problem.ts';
import type { AskedStream } from './requested-streams.ts';

/** What a form would give if it were approved now, and what keeps it from being approved. */
export interface Choice {
  /** As frozen terms, by the place of the stream in the offer. */
  readonly chosen: ReadonlyMap<number, GrantedStreamTerms>;
  /** What the app would see of each stream that can be given, ticked or not. */
  readonly possible: ReadonlyMap<number, GrantedStreamTerms>;
  readonly window: Window | undefined;
  readonly end: { readonly expiresAt: Date | undefined } | undefined;
  readonly problems: readonly FieldProblem[];
}

/**
 * Reads what the owner ticked. It goes through the offer and looks for ticks, so nothing that was not shown can be
 * chosen. Nothing is filled in: what the form does not say is asked for again.
 */
export function readChoice(
  form: ConsentForm,
  offer: Offer,
  asked: readonly AskedStream[],
  catalog: Catalog,
  now: Date,
): Choice {
  const clock = { now, timeZone: catalog.timeZone };
  const [window, end] = [readWindow(form, clock, offer.held), readEnd(form, clock, offer.held)];
  const offered = offer.connections.flatMap((connection) => connection.streams);
  const possible = new Map(
    isProblem(window)
      ? []
      : offered.flatMap((stream) =>
          resolveTerms(form, stream, asked[stream.index] as AskedStream, catalog, window).map(
            (terms) => [stream.index, terms] as const,
          ),
        ),
  );
  const chosen = new Map([...possible].filter(([index]) => form.streams.has(index)));
  // Without a time it is not known what can be chosen; that a tick is missing is known anyway.
  const isNothing = isProblem(window) ? form.streams.size === 0 : chosen.size === 0;
  return {
    chosen,
    possible,
    window: isProblem(window) ? undefined : window,
    end: isProblem(end) ? undefined : end,
    problems: [...(isNothing ? [form.streams.size === 0 ? NOTHING : NO_TIME] : []), window, end].filter(
      isProblem,
    ),
  };
}

const NOTHING: FieldProblem = {
  at: 'streams',
  text: 'Nothing was chosen. Tick what it may read, or deny.',
};
const NO_TIME: FieldProblem = {
  at: 'streams',
  text: 'Nothing was chosen that has a time. Tick something else, allow all time, or deny.',
};

function isProblem(read: object): read is FieldProblem {
  return 'at' in read;
}

/** A stream with the ticked fields in the chosen window, which cannot reach beyond what the app asked for; or nothing. */
function resolveTerms(
  form: ConsentForm,
  offered: OfferedStream,
  asked: AskedStream,
  catalog: Catalog,
  window: Window,
): readonly GrantedStreamTerms[] {
  const names = offered.fields.filter((field) => field.always || form.fields.has(field.value));
  const allowance = {
    connection_id: asked.stream.connection.connection_id,
    stream: asked.stream.name,
    fields: names.map((field) => field.name),
    ...(asked.keys === undefined ? {} : { keys: [...asked.keys] }),
  };
  if (form.window === KEEP && asked.held !== undefined) {
    const { time_field, ...window } = asked.held;
    return resolveGrant(catalog, [allowance]).streams.map((terms) => ({
      ...terms,
      ...(time_field === undefined ? {} : { time_field }),
      ...windowOf(window),
    }));
  }
  if (!offered.timed && isLimited(window)) return [];
  const limits = narrow(window, asked);
  if ((limits.since ?? -Infinity) >= (limits.until ?? Infinity)) return [];
  return resolveGrant(catalog, [allowance], limits).streams;
}

/** A window the client set itself can only become smaller. */
function narrow(window: Window, asked: AskedStream): Window {
  const since = Math.max(window.since ?? -Infinity, asked.since ?? -Infinity);
  const until = Math.min(window.until ?? Infinity, asked.until ?? Infinity);
  return {
    ...(since === -Infinity ? {} : { since }),
    ...(until === Infinity ? {} : { until }),
  };
}
