import type { Draw } from '../../../support/draw.ts';
import type { Kind } from '../../../support/granted-sources.ts';
import { BIG, drawAddress, drawDay, drawTime, KEYS, STRINGS } from './draw-records.ts';
import { HIDDEN_PERSON, hidePalette, plainPalette, WORDS } from './palette.ts';

/** Names of fields to filter by, and what each holds. */
interface FieldNames {
  pick(fits?: (kind: Kind) => boolean): string;
  kind(name: string): Kind;
  /** A field of the record that is pointed to, if any is. */
  related(): { name: string; field: string; kind: Kind } | undefined;
}

export function drawFilter(draw: Draw, names: FieldNames): Record<string, unknown> {
  const filter = Object.create(null) as Record<string, unknown>;
  for (let at = 0; at <= draw.upTo(1); at++) {
    const related = draw.chance(15) ? names.related() : undefined;
    if (related !== undefined) {
      filter[related.name] = drawCondition(draw, related.field, related.kind);
      continue;
    }
    const name = names.pick((kind) => kind !== 'text' && kind !== 'json');
    filter[name] = drawCondition(draw, name, names.kind(name));
  }
  return filter;
}

function drawCondition(draw: Draw, name: string, kind: Kind): unknown {
  const value = () => (draw.chance(97) ? drawOperand(draw, name, kind) : draw.pick([7, 'x', true]));
  const ranged = kind !== 'string' && kind !== 'boolean' && kind !== 'list';
  switch (draw.upTo(ranged ? 7 : 4)) {
    case 0:
      return value();
    case 1:
      return Array.from({ length: 1 + draw.upTo(2) }, value);
    case 2:
      return { ne: draw.pick([value(), value(), [value(), value()], null]) };
    case 3:
      return { exists: draw.chance(50) };
    case 4:
      if (kind === 'string' && draw.chance(50))
        return { [draw.pick(['contains', 'starts_with'])]: drawPiece(draw, String(value())) };
      return draw.chance(30) ? null : value();
    case 5:
      return { [draw.pick(['gt', 'gte'])]: value() };
    case 6:
      return { [draw.pick(['lt', 'lte'])]: value() };
    default:
      if ((kind === 'date-time' || kind === 'date') && draw.chance(60)) return drawClock(draw);
      return { gte: value(), lt: value() };
  }
}

/** Weekdays and hours, in every way to write them. */
function drawClock(draw: Draw): Record<string, unknown> {
  const day = () => draw.pick(['monday', 'Friday', 'sun', 'Thursday', 'Wed', 'saturday']);
  const hour = () => draw.pick([0, 1, 5, 12, 13, 22, 23, '08:00', '23']);
  const edge = () => draw.pick([0, 1, 6, 12, 18, 23]);
  return draw.pick([
    { weekday: day() },
    { weekday: [day(), day()] },
    { weekday: { ne: day() } },
    { weekday: ['saturday', 'sunday'], gte: drawDay(draw) },
    { hour: hour() },
    { hour: [hour(), hour()] },
    { hour: { gte: edge(), lt: edge() } },
    { hour: { lt: 24, ne: hour() } },
  ]);
}

/** Some of a text, in any case. */
function drawPiece(draw: Draw, text: string): string {
  const start = draw.upTo(2);
  // By whole characters: half of one is no text.
  const piece = [...text].slice(start, start + 1 + draw.upTo(6)).join('') || 'x';
  return draw.pick([piece, piece.toUpperCase(), piece.toLowerCase()]);
}

function drawOperand(draw: Draw, name: string, kind: Kind): unknown {
  if (PERSONS.has(name)) return draw.chance(40) ? draw.pick(['me', 'Me']) : drawPerson(draw);
  if (name === 'currency') return draw.pick(plainPalette.units) ?? 'XAU';
  switch (kind) {
    case 'integer':
      return draw.pick([-3, 0, 1, '1', 1.5, 2 ** 53 - 1, ...BIG.map(String)]);
    case 'number':
      return draw.pick([-1.5, 0, 0.25, 2, 2.25, 1_000_000_000.5]);
    case 'boolean':
      return draw.chance(50);
    case 'date-time':
      return draw.chance(50) ? drawDay(draw) : drawTime(draw);
    case 'date':
      return drawDay(draw);
    case 'list':
      return draw.pick([...WORDS.slice(0, 4), '😀', 'zzz']);
    default:
      return draw.pick(name === 'folder' ? STRINGS : [...KEYS, ...WORDS, 'velvet velvet']);
  }
}

/** Fields in which the owner can be asked for as me. */
const PERSONS: ReadonlySet<string> = new Set(['user_id', 'cc', 'email']);

function drawPerson(draw: Draw): string {
  return draw.chance(50)
    ? draw.pick([...plainPalette.people, HIDDEN_PERSON])
    : drawAddress(draw, hidePalette(plainPalette));
}
