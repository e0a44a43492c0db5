import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import { MAX_RARE_RECORDS } from '../../../../src/search/find-forms.ts';
import { letters, type Place } from '../../../support/granted-sources.ts';
import type { Data, Step } from '../../../support/story-step.ts';
import { openStory, plainSetting } from '../../../support/story-world.ts';
import { comparePages } from './compare-worlds.ts';

/** More than are ever ranked at once. */
const MANY = 320;

const home: Place = { connection: 'post_home', spec: letters };
const work: Place = { connection: 'post_work', spec: letters };
const ALL = Object.keys(letters.fields);
const CUT = Date.parse('2026-06-01T00:00:00Z');

function put(place: Place, key: string, data: Data): Step {
  return { place, key, data: { id: key, ...data } };
}

function many(make: (index: number) => Step, count = MANY): Step[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const keyOf = (index: number) => `n${String(index).padStart(5, '0')}`;
const minute = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();

function terms(more: Partial<GrantedStreamTerms> = {}): GrantedStreamTerms {
  return { connection_id: 'post_home', stream: 'letters', fields: ALL, time_field: 'sent_at', ...more };
}

/** Words that full-text index and ranking could fold or split in different ways. */
const ODD_WORDS = [
  ...['καλημερα', 'καλημέρα', 'καλημερα', 'ΚΑΛΗΜΈΡΑ', 'istanbul', 'İstanbul', 'ISTANBUL', 'ıstanbul'],
  ...[
    'strasse',
    'straße',
    'strasse',
    'STRAẞE',
    'ſtrasse',
    'чей',
    'чеи',
    'че\u0438\u0306',
    'Чей',
    'hindi',
    'hi\u0949ndi',
    'hindi',
  ],
];

/** More forms than count, all of them before the visible one by the alphabet. */
const HIDDEN_FORMS =
  'walk walke walked walkem walken walker walkern walkes walkest walkers walkens walkely walkeds walkful'.split(
    ' ',
  );

/** Shorter than what stands before the visible ones, and more than are looked for at once. */
const SYLLABLES = [...'bdfghklmnprst'].flatMap((one) => [...'aeiou'].map((vowel) => `${one}${vowel}${one}`));

const LONG = Array.from({ length: 2_500 }, (_, at) => (at % 7 === 0 ? 'harbour' : `word${at}`)).join(' ');

interface Crowd {
  readonly terms: GrantedStreamTerms;
  /** What both worlds hold, and what only the second holds, before and after it. */
  readonly shared: readonly Step[];
  readonly hiddenBefore?: readonly Step[];
  readonly hiddenAfter?: readonly Step[];
  readonly requests: readonly { tool: string; args: Record<string, unknown> }[];
  /** Told in the second world only, between the first page and the next. */
  readonly hiddenBetween?: readonly Step[];
  /** Told in both worlds after the requests were made once; then they are made again. */
  readonly afterwards?: readonly Step[];
}

async function checkCrowd(crowd: Crowd): Promise<void> {
  const here = await openStory(plainSetting('UTC'));
  const there = await openStory(plainSetting('UTC'));
  try {
    await here.apply(crowd.shared);
    await there.apply([...(crowd.hiddenBefore ?? []), ...crowd.shared, ...(crowd.hiddenAfter ?? [])]);
    const pair = {
      here: { world: here, token: await here.issue([crowd.terms]) },
      there: { world: there, token: await there.issue([crowd.terms]) },
      disturb: async () => there.apply(crowd.hiddenBetween ?? []),
    };
    for (const { tool, args } of crowd.requests) await comparePages(pair, tool, args);
    if (crowd.afterwards === undefined) return;
    await here.apply(crowd.afterwards);
    await there.apply(crowd.afterwards);
    for (const { tool, args } of crowd.requests) await comparePages(pair, tool, args);
  } finally {
    here.close();
    there.close();
  }
}

/** Long enough to be told apart from texts that are alike by chance. */
const COPIED =
  'harbour and velvet and all that was said about them on the day when the ferry did not leave in time';

const list = (args: object) => ({
  tool: 'query_records',
  args: { stream: 'letters', connection_id: 'post_home', limit: 5, ...args },
});
const find = (query: string, limit = 50) => ({ tool: 'search', args: { query, limit } });

/** Worlds too large to be drawn at random, each built around one place where hidden data could push. */
export const crowdedWorlds: Readonly<Record<string, () => Promise<void>>> = {
  'hidden records outside the window push nothing out of a search and leave no mark on a handle': () =>
    checkCrowd({
      terms: terms({ until: CUT }),
      shared: many((at) => put(home, keyOf(at), { sent_at: minute(at), body: 'harbour velvet' }), 12),
      hiddenAfter: [
        ...many((at) =>
          put(home, `h${at}`, { sent_at: '2026-08-01T00:00:00Z', body: `harbour velvet ${at}` }),
        ),
        ...many((at) => put(work, `h${at}`, { sent_at: '2026-08-01T00:00:00Z', body: 'harbour' })),
      ],
      requests: [
        ...[find('harbour velvet'), find('harbour', 3), find('harbour quartz')],
        ...[list({}), list({ changes_since: 'beginning' })],
      ],
    }),
  'hidden matches under other keys do not push visible ones out of a search': () =>
    checkCrowd({
      terms: terms({ keys: ['n00000', 'n00001', 'n00002'] }),
      shared: many(
        (at) => put(home, keyOf(at), { sent_at: minute(at), title: 'harbour', body: 'velvet' }),
        3,
      ),
      hiddenBefore: many((at) =>
        put(home, `h${at}`, { sent_at: '2026-08-01T00:00:00Z', body: 'harbour velvet' }),
      ),
      requests: [find('harbour velvet'), find('velvet', 1)],
    }),
  'hidden times do not choose which matches are ranked': () =>
    checkCrowd({
      terms: terms({ fields: ['id', 'body'] }),
      shared: many((at) => put(home, keyOf(at), { sent_at: minute(at), body: 'harbour' })),
      hiddenAfter: many((at) => put(home, keyOf(at), { sent_at: minute(MANY - at), body: 'harbour' })),
      requests: [find('harbour')],
    }),
  'hidden edits do not choose which matches of one minute are ranked': () =>
    checkCrowd({
      terms: terms({ fields: ['id', 'sent_at', 'body'] }),
      shared: many((at) => put(home, keyOf(at), { sent_at: '2026-01-01T00:00:00Z', body: 'harbour' })),
      hiddenAfter: many(
        (at) => put(home, keyOf(at), { sent_at: '2026-01-01T00:00:00Z', body: 'harbour', folder: 'moved' }),
        40,
      ),
      requests: [find('harbour')],
    }),
  'hidden spellings do not crowd out visible ones': () =>
    checkCrowd({
      terms: terms({ until: CUT }),
      shared: many((at) => put(home, keyOf(at), { sent_at: minute(at), body: 'harbour' }), 3),
      hiddenAfter: many(
        (at) =>
          put(home, `h${at}`, {
            sent_at: '2026-08-01T00:00:00Z',
            body: `harbou${String.fromCharCode(97 + at)} harb${String.fromCharCode(97 + at)}ur`,
          }),
        16,
      ),
      requests: [find('harbpur', 1), find('arbour', 1)],
    }),
  'hidden forms of a word do not crowd out visible ones': () =>
    checkCrowd({
      terms: terms({ until: CUT }),
      shared: many((at) => put(home, keyOf(at), { sent_at: minute(at), body: 'walking' }), 3),
      hiddenAfter: HIDDEN_FORMS.map((body) => put(home, body, { sent_at: '2026-08-01T00:00:00Z', body })),
      requests: [find('walks', 1), find('walks velvet')],
    }),
  'hidden compounds of a word do not crowd out visible ones': () =>
    checkCrowd({
      terms: terms({ until: CUT }),
      shared: [
        put(home, 'n1', { sent_at: minute(1), body: 'krankenversicherung' }),
        put(home, 'n2', { sent_at: minute(2), body: 'die zusatzversicherungen im jahr' }),
      ],
      hiddenAfter: many(
        (at) =>
          put(home, `h${at}`, { sent_at: '2026-08-01T00:00:00Z', body: `${SYLLABLES[at]}versicherung` }),
        SYLLABLES.length,
      ),
      requests: [find('versicherung', 1), find('versicherung jahr')],
    }),
  'hidden words are no parts of a word that nothing has': () =>
    checkCrowd({
      terms: terms({ until: CUT }),
      shared: [put(home, 'n1', { sent_at: minute(1), body: 'automatik rechnung' })],
      hiddenAfter: [
        put(home, 'h1', { sent_at: '2026-08-01T00:00:00Z', body: 'versicherung' }),
        put(work, 'h2', { sent_at: minute(1), body: 'hausratte' }),
      ],
      requests: [find('autoversicherung'), find('hausrechnung'), find('hausversicherung')],
    }),
  'hidden words are near no word that found nothing': () =>
    checkCrowd({
      terms: terms({ until: CUT }),
      shared: [put(home, 'n1', { sent_at: minute(1), body: 'harbour lanterns' })],
      hiddenAfter: [
        put(home, 'h1', { sent_at: '2026-08-01T00:00:00Z', body: 'harbinger lantana' }),
        put(work, 'h2', { sent_at: minute(1), body: 'harbouring lantern' }),
      ],
      requests: [find('harbingers'), find('lanternfish'), find('harbourage lantanas')],
    }),
  'hidden copies of a visible record are not counted with it': () =>
    checkCrowd({
      terms: terms({ keys: ['n00000', 'n00001', 'n00002'] }),
      shared: many((at) => put(home, keyOf(at), { sent_at: minute(at >> 1), body: COPIED }), 3),
      hiddenAfter: [
        ...many((at) => put(home, `h${at}`, { sent_at: minute(at >> 1), body: COPIED }), 6),
        ...many((at) => put(work, `h${at}`, { sent_at: minute(at >> 1), body: COPIED }), 6),
      ],
      requests: [find('harbour'), find('harbour', 1)],
    }),
  'hidden records make no word common': () =>
    checkCrowd({
      terms: terms({ until: CUT }),
      shared: many(
        (at) =>
          put(home, keyOf(at), {
            sent_at: minute(at),
            body: at === 0 ? 'harbour harbour harbour velvet' : 'harbour velvet',
          }),
        MANY,
      ),
      hiddenAfter: many(
        (at) => put(home, `h${at}`, { sent_at: '2026-08-01T00:00:00Z', body: 'harbour' }),
        MAX_RARE_RECORDS + 1,
      ),
      requests: [find('harbour')],
    }),
  'hidden records take no place among the newest of a common word': () =>
    checkCrowd({
      terms: terms({ until: CUT }),
      shared: many(
        (at) => put(home, keyOf(at), { sent_at: minute(at), body: 'harbour' }),
        MAX_RARE_RECORDS + 1,
      ),
      hiddenAfter: many((at) => put(home, `h${at}`, { sent_at: '2026-08-01T00:00:00Z', body: 'harbour' })),
      requests: [find('harbour')],
    }),
  'a hidden library of words does not delay the spelling of a new visible one': () =>
    checkCrowd({
      terms: terms({ until: CUT }),
      shared: [put(home, 'n1', { sent_at: minute(1), body: 'velvet' })],
      hiddenAfter: [
        put(work, 'h1', {
          sent_at: minute(1),
          body: many((at) => put(work, `w${at}`, {}), 20_500)
            .map((one) => `${one.key}x`)
            .join(' '),
        }),
      ],
      requests: [find('harbuor'), find('velvte')],
      afterwards: [put(home, 'n2', { sent_at: minute(2), body: 'harbour' })],
    }),
  'hidden texts teach no spelling of a word that stands far back in a visible one': () =>
    checkCrowd({
      terms: terms({ until: CUT }),
      shared: [put(home, 'n1', { sent_at: minute(1), body: `${LONG.repeat(3)} lantern` })],
      hiddenAfter: [put(work, 'h1', { sent_at: minute(1), body: 'lantern' })],
      requests: [find('lanturn'), find('lantrn')],
    }),
  'hidden edits between two pages of a search do not push hits out of the second': () =>
    checkCrowd({
      terms: terms({ fields: ['id', 'sent_at', 'body'] }),
      shared: [
        ...many((at) => put(home, keyOf(at), { sent_at: minute(0), body: 'harbour' }), 3),
        ...many((at) => put(home, `x${at}`, { sent_at: minute(at + 1), body: 'velvet' }), 2_050),
      ],
      hiddenBetween: [
        ...many((at) => put(home, keyOf(at), { sent_at: minute(0), body: 'harbour', folder: 'b' }), 3),
        ...many((at) => put(home, `x${at}`, { sent_at: minute(at + 1), body: 'velvet', folder: 'b' }), 2_050),
      ],
      requests: [find('harbour', 1)],
    }),
  'hidden edits between two pages of a search bring no hits that the index did not find': () =>
    checkCrowd({
      terms: terms({ fields: ['id', 'sent_at', 'body'] }),
      shared: ODD_WORDS.map((body, at) => put(home, keyOf(at), { sent_at: minute(at), body })),
      hiddenBetween: ODD_WORDS.map((body, at) =>
        put(home, keyOf(at), { sent_at: minute(at), body, folder: 'b' }),
      ),
      requests: ['καλημερα', 'istanbul', 'strasse', 'hindi', 'чей'].map((query) => find(query, 1)),
    }),
  'long hidden texts take no room from visible ones': () =>
    checkCrowd({
      terms: terms({ fields: ['id', 'sent_at', 'title', 'body'], until: CUT }),
      shared: many(
        (at) => put(home, keyOf(at), { sent_at: minute(at), title: `note ${at}`, body: LONG }),
        30,
      ),
      hiddenAfter: [
        ...many(
          (at) =>
            put(home, keyOf(at), { sent_at: minute(at), title: `note ${at}`, body: LONG, folder: LONG }),
          30,
        ),
        ...many((at) => put(home, `h${at}`, { sent_at: '2026-08-01T00:00:00Z', body: LONG }), 30),
      ],
      requests: [
        ...[list({ limit: 100 }), list({ limit: 100, changes_since: 'beginning' }), find('harbour')],
        ...[0, 900].map((offset) => ({ tool: 'fetch', args: { id: 'post_home/letters/n00003', offset } })),
      ],
    }),
};
