import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConsentPage } from '../../../dashboard/pages/consent.tsx';
import { expiryChoices } from '../../../src/grants/expiry-choice.ts';
import {
  type ConsentForm,
  fillForm,
  streamPresets,
  timePresets,
  windowChoices,
} from '../../../src/oauth/consent/consent-form.ts';
import type { Offer, OfferedStream } from '../../../src/oauth/consent/consent-offer.ts';
import { readForm } from '../../support/browser.ts';

const flag = fc.boolean();
const fieldNames = ['id', 'title', 'body', 'a.b', '0.1', 'ä "x"'];

const stream = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  always: fc.subarray(fieldNames),
  optional: fc.subarray(fieldNames),
  suggested: flag,
  sensitive: flag,
});

/** An offer as the page gets one: every stream once, places in any order of connections. */
const offer = fc.uniqueArray(stream, { selector: ({ name }) => name, maxLength: 5 }).map((streams): Offer => {
  const offered = streams.map(({ name, always, optional, suggested, sensitive }, index): OfferedStream => {
    const fields = [...new Set([...always, ...optional])].map((field) => ({
      name: field,
      label: field,
      inside: field,
      ...(field === 'body' ? { sensitive: 'free text' } : {}),
      always: always.includes(field),
      suggested,
      value: `${index}.${field}`,
    }));
    const id = [name, ...always].map(encodeURIComponent).join('/');
    const shown = { stream: name, label: name, records: 1, timed: true };
    return { index, id, ...shown, ...(sensitive ? { sensitive: 'money' } : {}), suggested, fields };
  });
  const half = Math.floor(offered.length / 2);
  const groups = [offered.slice(half), offered.slice(0, half)].filter((group) => group.length > 0);
  return {
    client: {
      client_id: 'app',
      name: 'App',
      redirect_kind: 'device',
      redirect_host: 'a device',
      redirect_uris: [],
    },
    access_mode: 'continuous',
    requested: false,
    missing: [],
    connections: groups.map((group, i) => ({
      connection_id: `c${i}`,
      name: `C${i}`,
      connector_key: 'k',
      streams: group,
    })),
    digest: 'digest',
  };
});

const text = fc.oneof(
  fc.constantFrom('0', '1', '4', '9', '-1', '0.5', '', ' 0', '1e0', '__proto__', '0.title', '1.a.b', '2.0.1'),
  fc.string({ maxLength: 6 }),
);
const value = (known: readonly string[]) => fc.oneof(fc.constantFrom(...known), text);
/** What is changed on a page before it is sent: mostly ticks, sometimes nonsense. */
const change = fc.record(
  {
    stream: fc.array(value(['0', '1', '2', '3', '4'])),
    field: fc.array(value([0, 1, 2, 3, 4].flatMap((place) => fieldNames.map((name) => `${place}.${name}`)))),
    window: value(windowChoices.map((choice) => choice.value)),
    since: value(['', '2026-01-01', '2026-02-31']),
    until: value(['', '2026-01-02']),
    expires: value(expiryChoices.map((choice) => choice.value)),
    offered: fc.array(value(['a', 'b', 'c/id', 'd/id/title']), { maxLength: 6 }),
  },
  { requiredKeys: [] },
);

const show = (shown: Offer, form: ConsentForm): URLSearchParams =>
  readForm(
    String(
      ConsentPage({
        offer: shown,
        form,
        hasClientChanged: false,
        csrf: 'csrf',
        action: '/oauth/consent/x',
        windows: windowChoices,
        expiries: expiryChoices,
        presets: { streams: streamPresets, times: timePresets },
        summary: '',
        limits: '',
        samples: new Map(),
        zone: 'UTC',
        problems: [],
      }),
    ),
  ).fields;

/** Streams and fields by what they are, with everything that comes along. */
function namesOf(shown: Offer, form: ConsentForm): string[] {
  return shown.connections
    .flatMap((connection) => connection.streams)
    .filter(({ index }) => form.streams.has(index))
    .flatMap(({ id, fields }) => [
      id,
      ...fields
        .filter((field) => field.always || form.fields.has(field.value))
        .map((field) => `${id} ${field.name}`),
    ]);
}

/** Fields that a form names by the index of their stream, shown or not. */
function namesSent(shown: Offer, sent: URLSearchParams): string[] {
  const streams = shown.connections.flatMap((connection) => connection.streams);
  return sent.getAll('field').flatMap((value) => {
    const [, index, name] = /^(\d+)\.(.+)$/s.exec(value) ?? [];
    const stream = streams.find((one) => String(one.index) === index);
    return stream === undefined ? [] : `${stream.id} ${name}`;
  });
}

function send(page: URLSearchParams, changes: Record<string, unknown>): URLSearchParams {
  const sent = new URLSearchParams(page);
  for (const [name, values] of Object.entries(changes)) {
    sent.delete(name);
    for (const one of [values].flat()) sent.append(name, String(one));
  }
  return sent;
}

describe('the form of a consent page', () => {
  it('shows its choice exactly: an unchanged form gives the same page', () => {
    fc.assert(
      fc.property(offer, change, (shown, changes) => {
        const form = fillForm(shown, send(show(shown, fillForm(shown, undefined)), changes));
        const again = fillForm(shown, show(shown, form));
        expect(namesOf(shown, again)).toEqual(namesOf(shown, form));
        expect([again.since, again.until]).toEqual([form.since, form.until]);
        // What cannot be read is shown as nothing chosen, which approves nothing.
        expect(again.window).toBe(form.window);
        expect([form.expires, '']).toContain(again.expires);
      }),
      { numRuns: 300 },
    );
  });

  it('never returns with more ticks than were sent, for any offers and forms', () => {
    fc.assert(
      fc.property(offer, offer, change, (before, now, changes) => {
        const sent = send(show(before, fillForm(before, undefined)), changes);
        // The list of what was shown is the page's own; a form that changes it is read by what it says there.
        const meant = fillForm(before, sent);
        const page = fillForm(now, show(now, fillForm(now, sent)));
        if (!('offered' in changes)) {
          // A form may name a field that its page did not show. The owner's browser sent it, so it counts.
          const allowed = new Set([...namesOf(before, meant), ...namesSent(before, sent)]);
          expect(namesOf(now, page).filter((name) => !allowed.has(name))).toEqual([]);
        }
        const ticked = new Set(sent.getAll('stream'));
        expect(page.streams.size).toBeLessThanOrEqual(ticked.size);
        expect(page.fields.size).toBeLessThanOrEqual(new Set(sent.getAll('field')).size);
        for (const name of ['window', 'expires'] as const) expect([sent.get(name), '']).toContain(page[name]);
        for (const name of ['since', 'until'] as const) expect(page[name]).toBe(sent.get(name) ?? '');
      }),
      { numRuns: 300 },
    );
  });

  it('with a preset ticks only its streams among those shown', () => {
    fc.assert(
      fc.property(offer, offer, fc.constantFrom(...streamPresets), (before, now, { value: preset }) => {
        const sent = send(show(before, fillForm(before, undefined)), { preset });
        const shown = before.connections.flatMap(({ streams }) => streams);
        const meant = shown.filter((one) => preset !== 'none' && (preset === 'everything' || !one.sensitive));
        expect([...fillForm(before, sent).streams].sort()).toEqual(meant.map(({ index }) => index).sort());
        // On a page that shows something else by now, it presses nothing.
        const changed = { ...now, digest: 'another' };
        const plain = send(sent, { preset: 'preview' });
        expect(fillForm(changed, sent)).toEqual(fillForm(changed, plain));
        // Sent on as it came back, it says the same without the preset.
        const again = show(before, fillForm(before, sent));
        expect(namesOf(before, fillForm(before, again))).toEqual(namesOf(before, fillForm(before, sent)));
      }),
      { numRuns: 200 },
    );
  });

  it('with a time preset keeps the ticks and clears the dates', () => {
    fc.assert(
      fc.property(offer, change, fc.constantFrom(...timePresets), (shown, changes, { value: preset }) => {
        const sent = send(show(shown, fillForm(shown, undefined)), changes);
        const [before, after] = [fillForm(shown, sent), fillForm(shown, send(sent, { preset }))];
        expect(namesOf(shown, after)).toEqual(namesOf(shown, before));
        expect([after.window, after.since, after.until]).toEqual([preset, '', '']);
        expect(after.expires).toBe(before.expires);
      }),
    );
  });

  it('without a submission is the suggestion, and an empty form is empty', () => {
    fc.assert(
      fc.property(offer, (shown) => {
        const empty = fillForm(shown, new URLSearchParams());
        expect([empty.streams.size, empty.fields.size]).toEqual([0, 0]);
        expect([empty.window, empty.since, empty.until, empty.expires]).toEqual(['', '', '', '']);
        const all = shown.connections.flatMap(({ streams }) => streams);
        expect(fillForm(shown, undefined).streams.size).toBe(all.filter((one) => one.suggested).length);
      }),
    );
  });
});
