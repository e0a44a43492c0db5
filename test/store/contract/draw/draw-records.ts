import { TEXT_STATUSES } from '../../../../src/attachments/file-text.ts';
import type { Draw } from '../../../support/draw.ts';
import {
  type Kind,
  type Land,
  type Place,
  placesOf,
  postAndLog,
  type StreamSpec,
} from '../../../support/granted-sources.ts';
import type { Data, Step } from '../../../support/story-step.ts';
import { drawLong, drawLongList, drawLongObject, type Palette, plainPalette } from './palette.ts';

/** What happens to a store before anyone reads, and what happens later. */
export interface Story {
  readonly timeZone: string;
  readonly first: readonly Step[];
  readonly later: readonly Step[];
}

/** Some pairs order one way by code point and the other way by UTF-16 unit; some look like SQL or like numbers. */
export const STRINGS = ['a', 'B', 'é', '～', '😀', '', 'a b', "' OR 1=1--", '%', '_', '1', 'null'];

const DAYS = ['2025-12-31', '2026-01-01', '2026-03-28', '2026-03-29', '2026-03-30', '2026-10-25'];
const CLOCKS = ['00:00:00', '00:30', '04:00:00', '12:00:00.001', '12:00:00.000', '21:30:00', '23:59:59.999'];
const OFFSETS = ['Z', 'Z', '+02:00', '-0530', ''];
const NO_TIMES = ['yesterday', '2026-13-01T00:00:00Z', ''];

export const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

export const KEYS = ['k1', 'k2', 'K3', 'long-key-a', 'long-key-b', 'ü', '😀', '～', 'a/b', '%41'];

/** Records that files are attached to. */
export const PARENT_KEYS = ['k1', 'k2', 'long-key-a', 'long-key-b', 'a/b'];
export const MEDIA_TYPES = ['application/pdf', 'image/jpeg', 'text/plain', 'application/zip'];

export function drawTime(draw: Draw): string {
  return `${draw.pick(DAYS)}${draw.chance(90) ? 'T' : ' '}${draw.pick(CLOCKS)}${draw.pick(OFFSETS)}`;
}

export function drawDay(draw: Draw): string {
  return draw.pick(DAYS);
}

export function drawTimeOf(draw: Draw, kind: 'date' | 'date-time'): string {
  return kind === 'date' ? drawDay(draw) : drawTime(draw);
}

/** In either case, as people write them. */
export function drawAddress(draw: Draw, { people }: Palette): string {
  const person = draw.pick(people);
  return `${draw.chance(50) ? person : person.toUpperCase()}@club.example`;
}

function drawWords(draw: Draw, palette: Palette, most: number): string {
  if (draw.chance(palette.long)) return drawLong(draw, palette);
  const words = Array.from({ length: draw.upTo(most) }, () => draw.pick(palette.words));
  return words.join(draw.pick([' ', ', ', '\n']));
}

export const BIG = [
  9_007_199_254_740_993n,
  9_007_199_254_740_995n,
  -9_007_199_254_740_993n,
  // As text they stand in another order.
  20_000_000_000_000_000n,
  100_000_000_000_000_000n,
  -100_000_000_000_000_000n,
  2n ** 63n - 1n,
];

/** A value of the kind; now and then null, none at all, or for times something that is none. */
export function drawValue(draw: Draw, name: string, kind: Kind, palette: Palette = plainPalette): unknown {
  // Required, as the only field of a record beside its key.
  if (name === 'parent_id') return draw.pick(PARENT_KEYS);
  if (draw.chance(15)) return draw.pick([null, undefined]);
  switch (kind) {
    case 'string':
      if (name === 'media_type') return draw.pick(MEDIA_TYPES);
      if (name === 'text_status') return draw.pick(TEXT_STATUSES);
      if (name === 'box_id') return draw.pick(KEYS.slice(0, 4));
      if (name === 'user_id') return draw.pick(palette.people);
      if (name === 'email') return drawAddress(draw, palette);
      if (name === 'currency') return draw.pick(palette.units);
      return name === 'folder' ? draw.pick(STRINGS) : drawWords(draw, palette, 3);
    case 'text':
      return drawWords(draw, palette, 8);
    case 'integer':
      return name === 'ref' && draw.chance(60) ? draw.pick(BIG) : draw.pick([-3, 0, 1, 2, 5, 2 ** 53 - 1]);
    case 'number':
      return draw.pick(palette.numbers);
    case 'boolean':
      return draw.chance(50);
    case 'date-time':
      if (draw.chance(10)) return draw.pick(NO_TIMES);
      return draw.chance(8) ? drawDay(draw) : drawTime(draw);
    case 'date':
      return draw.chance(10) ? draw.pick(NO_TIMES) : drawDay(draw);
    case 'list':
      if (draw.chance(palette.long)) return drawLongList(draw, palette);
      if (name === 'cc') return Array.from({ length: draw.upTo(2) }, () => drawAddress(draw, palette));
      return draw.some([...palette.words.slice(0, 4), 'a', '😀'], 35);
    case 'json':
      if (draw.chance(palette.long)) return drawLongObject(draw, palette);
      return draw.pick([{}, { a: 1 }, { a: { b: ['velvet', null] } }, { c: 'quartz' }]);
  }
}

/** Some of the keys are hard to order, some begin alike, some need escaping. */
export function drawKey(draw: Draw, spec: StreamSpec): { key: string; data: Data } {
  if (spec.primaryKey.length === 1) {
    const key = draw.pick(spec.keys ?? KEYS);
    return { key, data: { [spec.primaryKey[0] as string]: key } };
  }
  const data = { shelf: draw.pick(['s1', 's2']), number: draw.upTo(3) };
  return { key: JSON.stringify([data.shelf, String(data.number)]), data };
}

export function drawData(draw: Draw, spec: StreamSpec, key: Data, palette: Palette = plainPalette): Data {
  const data: Record<string, unknown> = { ...key };
  for (const [name, kind] of Object.entries(spec.fields)) {
    if (Object.hasOwn(key, name)) continue;
    const value = drawValue(draw, name, kind, palette);
    if (value !== undefined) data[name] = value;
  }
  // What no declaration mentions is stored and must never show.
  if (draw.chance(20)) data.undeclared = `canary ${draw.pick(palette.words)}`;
  // It may be so large that the record is read in another way.
  if (draw.chance(10)) data.undeclared_too = drawLongObject(draw, palette);
  return data;
}

function drawStep(draw: Draw, place: Place, palette: Palette, deletes: number): Step {
  const { key, data } = drawKey(draw, place.spec);
  return { place, key, data: draw.chance(deletes) ? undefined : drawData(draw, place.spec, data, palette) };
}

/** Some puts and deletes in every stream. */
function drawChapter(
  draw: Draw,
  palette: Palette,
  most: number,
  deletes: number,
  land: Land = postAndLog,
): Step[] {
  return placesOf(land).flatMap((place) =>
    Array.from({ length: draw.upTo(most) }, () => drawStep(draw, place, palette, deletes)),
  );
}

/** Two chapters of puts and deletes over every stream. */
export function drawStory(draw: Draw, palette: Palette = plainPalette, land: Land = postAndLog): Story {
  return {
    timeZone: draw.pick(ZONES),
    first: drawChapter(draw, palette, 12, 0, land),
    later: drawChapter(draw, palette, 5, 25, land),
  };
}

/** What is stored after some steps, by place and key. */
export type Shelves = ReadonlyMap<string, ReadonlyMap<string, Data>>;

export function placeName({ connection, spec }: Place): string {
  return `${connection}/${spec.name}`;
}

export function replay(steps: readonly Step[], from: Shelves = new Map()): Shelves {
  const shelves = new Map([...from].map(([name, records]) => [name, new Map(records)]));
  for (const step of steps) takeStep(shelves, step);
  return shelves;
}

export function takeStep(shelves: Map<string, Map<string, Data>>, { place, key, data, stale }: Step): void {
  if (stale === true) return;
  const name = placeName(place);
  const records = shelves.get(name) ?? new Map<string, Data>();
  shelves.set(name, records);
  if (data === undefined) records.delete(key);
  else records.set(key, data);
}
