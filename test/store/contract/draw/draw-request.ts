import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import type { Draw } from '../../../support/draw.ts';
import {
  type Kind,
  type Land,
  type Place,
  placesOf,
  postAndLog,
  type StreamSpec,
} from '../../../support/granted-sources.ts';
import { drawFilter } from './draw-filter.ts';
import { drawDay, drawTime, KEYS, ZONES } from './draw-records.ts';
import { WORDS } from './palette.ts';

export interface DrawnRequest {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

const INTERVALS = ['hour', 'day', 'week', 'month', 'quarter', 'year', 'weekday', 'hour_of_day'];

/** A request of any of the five tools. Most name granted things; some name what is hidden or does not exist. */
export function drawRequest(
  draw: Draw,
  terms: readonly GrantedStreamTerms[],
  land: Land = postAndLog,
): DrawnRequest {
  const places = placesOf(land);
  const place = drawPlace(draw, terms, places);
  const granted = terms.find(
    (one) => one.connection_id === place.connection && one.stream === place.spec.name,
  );
  const names = new Names(draw, place.spec, granted?.fields ?? [], places);
  const tool = draw.pick([
    'query_records',
    'query_records',
    'aggregate',
    'aggregate',
    'search',
    'fetch',
    'schema',
  ]);
  switch (tool) {
    case 'query_records':
      return { tool, args: { ...drawTarget(draw, place, land), ...drawQuery(draw, names) } };
    case 'aggregate':
      return { tool, args: { ...drawTarget(draw, place, land), ...drawAggregate(draw, names) } };
    case 'search':
      return { tool, args: drawSearch(draw, names, place) };
    case 'fetch':
      return { tool, args: drawFetch(draw, names, place) };
    default:
      return { tool, args: drawSchema(draw, place, places) };
  }
}

function drawPlace(draw: Draw, terms: readonly GrantedStreamTerms[], places: readonly Place[]): Place {
  const granted = places.filter((place) =>
    terms.some((one) => one.connection_id === place.connection && one.stream === place.spec.name),
  );
  return draw.chance(85) ? draw.pick(granted) : draw.pick(places);
}

/** Field names of one stream: mostly granted, sometimes not, rarely not even declared. */
class Names {
  readonly #draw: Draw;
  readonly #spec: StreamSpec;
  readonly #granted: readonly string[];
  readonly #places: readonly Place[];

  constructor(draw: Draw, spec: StreamSpec, granted: readonly string[], places: readonly Place[]) {
    this.#draw = draw;
    this.#spec = spec;
    this.#granted = granted;
    this.#places = places;
  }

  kind(name: string): Kind {
    return this.#spec.fields[name] ?? 'string';
  }

  /** A field of the record that the first relation leads to, hidden or not. */
  relation(): string | undefined {
    return this.related()?.name;
  }

  related(): { name: string; field: string; kind: Kind } | undefined {
    const [relation] = this.#spec.relations;
    const target = this.#target();
    if (target === undefined) return undefined;
    const field = this.#draw.pick(Object.keys(target.fields));
    return { name: `${relation?.name}.${field}`, field, kind: target.fields[field] ?? 'string' };
  }

  /** A relation, or a field of what it leads to, which may be hidden or not there. */
  expansion(): string[] {
    const [relation] = this.#spec.relations;
    if (relation === undefined || this.#draw.chance(10)) return ['zzz'];
    const fields = [...Object.keys(this.#target()?.fields ?? {}), 'zzz'];
    const field = () => `${relation.name}.${this.#draw.pick(fields)}`;
    return this.#draw.chance(60) ? [relation.name] : [field(), field()];
  }

  #target(): StreamSpec | undefined {
    const { connector, relations } = this.#spec;
    return this.#places.find(({ spec }) => spec.connector === connector && spec.name === relations[0]?.stream)
      ?.spec;
  }

  pick(fits: (kind: Kind) => boolean = () => true): string {
    if (this.#draw.chance(3))
      return this.#draw.pick(['undeclared', 'zzz', '__proto__', 'rowid', 'sent_at"]']);
    const pool = this.#draw.chance(92) ? this.#granted : Object.keys(this.#spec.fields);
    const fitting = pool.filter((name) => fits(this.kind(name)));
    return this.#draw.pick(fitting.length > 0 ? fitting : Object.keys(this.#spec.fields));
  }
}

function drawTarget(draw: Draw, { connection, spec }: Place, { connections }: Land) {
  const stream = draw.chance(97) ? spec.name : draw.pick(['letter', 'zzz', 'toString']);
  const connection_id = draw.chance(80)
    ? connection
    : draw.pick<string | string[] | undefined>([
        '*',
        spec.connector,
        undefined,
        'post_nowhere',
        [connection, ...connections.filter((one) => one.connector === spec.connector).map(({ id }) => id)],
        [draw.pick(connections).id, draw.pick(connections).id],
        ...connections.map(({ id }) => id),
      ]);
  return { stream, ...(connection_id === undefined ? {} : { connection_id }) };
}

function drawQuery(draw: Draw, names: Names) {
  if (draw.chance(12)) {
    return {
      changes_since: 'beginning',
      ...(draw.chance(30) ? { limit: 1 + draw.upTo(3) } : {}),
      ...(draw.chance(30) ? { fields: [names.pick(), names.pick()] } : {}),
    };
  }
  return {
    ...(draw.chance(60) ? { filter: drawFilter(draw, names) } : {}),
    ...(draw.chance(45) ? { sort: `${draw.pick(['', '-'])}${names.pick((kind) => !isPlain(kind))}` } : {}),
    ...(draw.chance(40) ? { limit: 1 + draw.upTo(6) } : {}),
    ...(draw.chance(25) ? { fields: [names.pick(), names.pick()] } : {}),
    ...(draw.chance(40) ? { count: 'exact' } : {}),
    ...(draw.chance(15) ? { expand: names.expansion() } : {}),
    ...(draw.chance(20) ? { time_zone: draw.pick(ZONES) } : {}),
  };
}

function isPlain(kind: Kind): boolean {
  return kind === 'text' || kind === 'json' || kind === 'list';
}

function drawAggregate(draw: Draw, names: Names) {
  const isTime = (kind: Kind) => kind === 'date-time' || kind === 'date';
  const isNumber = (kind: Kind) => kind === 'integer' || kind === 'number';
  const scalar = (kind: Kind) => !isPlain(kind);
  const metric = draw.pick(['count', 'count', 'count_distinct', 'sum', 'avg', 'min', 'max'] as const);
  const field = {
    count: undefined,
    count_distinct: () => names.pick(scalar),
    sum: () => names.pick(isNumber),
    avg: () => names.pick(isNumber),
    min: () => names.pick((kind) => isNumber(kind) || isTime(kind)),
    max: () => names.pick((kind) => isNumber(kind) || isTime(kind)),
  }[metric]?.();
  // Sums beyond 2^53 are only as exact as a float, too little to hold an order of groups to.
  const inexact = field === 'ref' && (metric === 'sum' || metric === 'avg');
  const grouping = inexact ? 0 : draw.pick([0, 1, 2, 3, 3, 4, 5, 6]);
  const time = () => names.pick(isTime);
  const relation = names.relation();
  const anything = () =>
    draw.pick([
      names.pick(scalar),
      names.pick(scalar),
      'connection_id',
      ...(relation === undefined ? [] : [relation]),
    ]);
  return {
    ...(metric === 'count' && draw.chance(50) ? {} : { metric }),
    ...(field === undefined ? {} : { field }),
    ...(grouping === 1 ? { group_by: [anything()] } : {}),
    ...(grouping === 2 ? { group_by: [anything(), anything()] } : {}),
    ...(grouping === 3 || grouping === 4 ? { interval: draw.pick(INTERVALS) } : {}),
    ...(grouping >= 5 ? { ranges: drawRanges(draw) } : {}),
    ...(grouping === 3 || grouping === 5
      ? { group_by: draw.pick([[time()], [time()], [anything()], [time(), anything()]]) }
      : {}),
    ...(draw.chance(30) ? { time_zone: draw.pick(ZONES) } : {}),
    ...(draw.chance(35) ? { filter: drawFilter(draw, names) } : {}),
    ...(grouping > 0 && draw.chance(50) ? { sort: draw.pick(['value', '-value', 'group', '-group']) } : {}),
    ...(grouping > 0 && draw.chance(50) ? { limit: 1 + draw.upTo(4) } : {}),
  };
}

function drawRanges(draw: Draw): Record<string, unknown> {
  const edge = () => drawDay(draw);
  return {
    before: { gte: edge(), lt: edge() },
    since: { [draw.pick(['gt', 'gte', 'lte'])]: edge() },
    ...(draw.chance(30) ? { fridays: { weekday: 'friday' } } : {}),
  };
}

function drawSearch(draw: Draw, names: Names, { connection, spec }: Place) {
  const drawWords = () =>
    Array.from({ length: 1 + draw.upTo(2) }, () => draw.pick([...WORDS, 'canary', 'elsewhere'])).join(' ');
  return {
    query: drawWords(),
    ...(draw.chance(30) ? { also: Array.from({ length: 1 + draw.upTo(2) }, drawWords) } : {}),
    ...(draw.chance(30) ? { streams: [spec.name] } : {}),
    ...(draw.chance(25) ? { connection_id: draw.chance(85) ? connection : 'post_nowhere' } : {}),
    ...(draw.chance(20) ? { since: draw.chance(50) ? drawDay(draw) : drawTime(draw) } : {}),
    ...(draw.chance(20) ? { until: draw.chance(50) ? drawDay(draw) : drawTime(draw) } : {}),
    ...(draw.chance(25) ? { filter: drawFilter(draw, names) } : {}),
    ...(draw.chance(20) ? { time_zone: draw.pick(ZONES) } : {}),
    ...(draw.chance(40) ? { limit: 1 + draw.upTo(4) } : {}),
  };
}

function drawFetch(draw: Draw, names: Names, { connection, spec }: Place) {
  const key = draw.pick(
    spec.primaryKey.length > 1
      ? ['["s1","0"]', '["s1"', '["s2","3"]']
      : [...(spec.keys ?? KEYS), 'long-key', 'no-such-key'],
  );
  const id = [...(draw.chance(85) ? [connection] : []), spec.name, key].map(encodeURIComponent).join('/');
  return {
    id,
    ...(draw.chance(20) ? { fields: [names.pick(), names.pick()] } : {}),
    ...(draw.chance(15) ? { field: names.pick() } : {}),
    ...(draw.chance(15) ? { expand: names.expansion() } : {}),
  };
}

function drawSchema(draw: Draw, { connection, spec }: Place, places: readonly Place[]) {
  return {
    ...(draw.chance(60)
      ? { stream: draw.pick([spec.name, spec.name, [spec.name, draw.pick(places).spec.name], 'zzz']) }
      : {}),
    ...(draw.chance(50)
      ? {
          connection_id: draw.pick([
            connection,
            connection,
            spec.connector,
            [connection],
            '*',
            'post_nowhere',
          ]),
        }
      : {}),
    ...(draw.chance(25) ? { detail: 'full' } : {}),
  };
}
