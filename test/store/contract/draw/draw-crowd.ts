import type { Draw } from '../../../support/draw.ts';
import { letters, type Place } from '../../../support/granted-sources.ts';
import type { Step } from '../../../support/story-step.ts';
import type { Tale } from './draw-tale.ts';
import { misspell } from './misspell.ts';
import { plainPalette, scriptPalette } from './palette.ts';

const home: Place = { connection: 'post_home', spec: letters };
/** As many as are ranked at once. */
const RANKED = 300;

/**
 * As many matches as are ranked, give or take a few, lying in two or three minutes, one of which fills with hidden
 * edits or with hidden records.
 */
export function drawCrowdedMinute(draw: Draw): Tale {
  const common = draw.pick(plainPalette.words);
  const newest = draw.upTo(6);
  const minutes = [6 + draw.upTo(4), RANKED - 3 + draw.upTo(2) - newest, newest];
  const crowd = minutes.flatMap((count, minute) =>
    Array.from({ length: count }, (_, at): Step => {
      const key = `m${minute}-${String(at).padStart(3, '0')}`;
      const second = String(at % 60).padStart(2, '0');
      return putLetter(key, `2026-01-01T00:0${minute}:${second}Z`, common);
    }),
  );
  const flood = draw.pick(['edits', 'neighbours'] as const);
  const keys = flood === 'neighbours' ? { keys: crowd.map((step) => step.key) } : {};
  return {
    timeZone: 'UTC',
    palette: plainPalette,
    chapters: [draw.shuffle(crowd)],
    terms: [{ ...readLetters(draw), ...keys }],
    asked: [
      { tool: 'search', args: { query: common, limit: 50 } },
      { tool: 'search', args: { query: draw.pick(plainPalette.words), also: [common], limit: 30 } },
    ],
    flood,
  };
}

/** A few texts in scripts that are easy to misread, and beside them a hidden library of words like theirs. */
export function drawBesideLibrary(draw: Draw): Tale {
  const palette = scriptPalette(draw);
  const word = () => draw.pick(palette.words);
  const letters = (many: number, name: string) =>
    Array.from({ length: many }, (_, at) =>
      putLetter(`${name}${at}`, `2026-01-01T00:00:0${at}Z`, `${word()} ${word()}`),
    );
  const queries = Array.from({ length: 8 }, () => misspell(draw, word()));
  return {
    timeZone: 'UTC',
    palette,
    chapters: [letters(9, 'a'), letters(3, 'b')],
    terms: [readLetters(draw)],
    asked: [
      ...queries.map((query) => ({ tool: 'search', args: { query, limit: 5 }, pages: 1 })),
      { tool: 'search', args: { query: queries[0], also: queries.slice(1, 4), limit: 5 }, pages: 2 },
    ],
    flood: 'library',
  };
}

/** More than one search brings in; they arrive between two of its pages, at times that are not granted. */
const ARRIVALS = 11_000;

export function drawArrivals(draw: Draw): Tale {
  const words = draw.shuffle(plainPalette.words).slice(0, 2);
  const phrase = words.join(' ');
  const write = (key: string, minute: number) =>
    putLetter(
      key,
      new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString(),
      `${phrase} ${draw.pick(words)}`,
    );
  const few = Array.from({ length: 4 + draw.upTo(6) }, (_, at) => write(`a${at}`, at));
  const many = Array.from({ length: ARRIVALS }, (_, at) => write(`m${at}`, at));
  return {
    timeZone: 'UTC',
    palette: { ...plainPalette, words },
    chapters: [few, many],
    terms: [{ connection_id: 'post_home', stream: 'letters', fields: ['id', 'body'] }],
    asked: [{ tool: 'search', args: { query: `"${phrase}"`, limit: 3 }, pages: 2 }],
    flood: 'arrivals',
  };
}

function putLetter(key: string, sent_at: string, body: string): Step {
  return { place: home, key, data: { id: key, sent_at, body } };
}

function readLetters(draw: Draw) {
  const fields = ['id', 'sent_at', 'body', ...draw.some(['title', 'read', 'size'], 50)];
  return { connection_id: 'post_home', stream: 'letters', fields, time_field: 'sent_at' };
}
