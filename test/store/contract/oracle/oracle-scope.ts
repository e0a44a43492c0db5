import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import {
  type Kind,
  type Place,
  places as plainPlaces,
  type Relation,
} from '../../../support/granted-sources.ts';
import type { Data } from '../../../support/story-step.ts';
import { placeName, type Shelves } from '../draw/draw-records.ts';
import { Refusal } from './oracle-filter.ts';
import {
  type Clocks,
  compareText,
  compareValues,
  readValue,
  showField,
  type Value,
} from './oracle-values.ts';

/** A record the grant shows, whole: what the oracle may look at to decide, not what it may tell. */
export interface Row {
  readonly view: View;
  readonly key: string;
  readonly data: Data;
}

/** One granted stream and the records of it that are visible. */
export interface View {
  readonly place: Place;
  readonly terms: GrantedStreamTerms;
  /** Granted fields in their order, each with its kind. */
  readonly kinds: Readonly<Record<string, Kind>>;
  /** The time field, if it is granted. */
  readonly timeField: string | undefined;
  readonly rows: readonly Row[];
}

/** What the grant shows of a store: the whole of section 4, in a page of plain code. */
export function seeThrough(
  terms: readonly GrantedStreamTerms[],
  shelves: Shelves,
  zone: string,
  places: readonly Place[] = plainPlaces,
): View[] {
  return terms.flatMap((one) => {
    const place = places.find((p) => p.connection === one.connection_id && p.spec.name === one.stream);
    if (place === undefined) return [];
    const { fields, timeField } = place.spec;
    const granted = one.fields.filter((name) => Object.hasOwn(fields, name));
    const rows: Row[] = [];
    const view: View = {
      place,
      terms: one,
      kinds: Object.fromEntries(granted.map((name) => [name, fields[name] as Kind])),
      timeField: timeField !== undefined && granted.includes(timeField) ? timeField : undefined,
      rows,
    };
    for (const [key, data] of shelves.get(placeName(place)) ?? [])
      if (isVisible(view, key, data, zone)) rows.push({ view, key, data });
    return [view];
  });
}

/** From `since` on, before `until`, by the time field whether or not it is granted; without a time outside. */
export function isVisible({ terms, place }: View, key: string, data: Data, zone: string): boolean {
  if (terms.keys !== undefined && !terms.keys.includes(key)) return false;
  if (terms.since === undefined && terms.until === undefined) return true;
  const { fields, timeField } = place.spec;
  if (timeField === undefined) return false;
  const time = readValue(fields[timeField] as Kind, data[timeField], zone);
  if (typeof time !== 'number') return false;
  return time >= (terms.since ?? -Infinity) && time < (terms.until ?? Infinity);
}

/** The granted part of a record; nulls are left out. */
export function project(
  { view, data }: Row,
  clocks: Clocks,
  fields: readonly string[] = Object.keys(view.kinds),
): Data {
  return Object.fromEntries(
    Object.keys(view.kinds)
      .filter((name) => fields.includes(name) && data[name] !== null && data[name] !== undefined)
      .map((name) => [name, showField(view.kinds[name] as Kind, data[name], clocks)]),
  );
}

export function idOf({ view, key }: Row): string {
  return [view.place.connection, view.place.spec.name, key].map(encodeURIComponent).join('/');
}

export function fieldValue(row: Row, name: string, zone: string): Value | undefined {
  return readValue(row.view.kinds[name] as Kind, row.data[name], zone);
}

/** How a request names connections. */
export type Connections = string | readonly string[] | undefined;

/** The views a request means, or the refusal it gets. */
export function resolve(views: readonly View[], stream: string, connections: Connections): View[] {
  const named = views.filter((view) => view.place.spec.name === stream);
  if (named.length === 0) throw new Refusal('unknown_stream');
  if (connections === undefined && named.length > 1) throw new Refusal('ambiguous_connection');
  const meant = narrow(named, connections);
  if (new Set(meant.map((view) => view.place.spec.connector)).size > 1)
    throw new Refusal('ambiguous_connection');
  return meant;
}

/** Those of the connections that are named: each by itself, by its connector, or all. */
export function narrow(views: readonly View[], connections: Connections): View[] {
  if (connections === undefined) return [...views];
  const meant = [connections].flat().flatMap((name) => {
    const exact = views.filter(({ place }) => name === '*' || place.connection === name);
    const found = exact.length > 0 ? exact : views.filter(({ place }) => place.spec.connector === name);
    if (found.length === 0) throw new Refusal('unknown_connection');
    return found;
  });
  return views.filter((view) => meant.includes(view));
}

/** Rows by a field, or by key; missing values lowest, ties by connection and then by key in the same direction. */
export function sortRows(
  views: readonly View[],
  rows: readonly Row[],
  field: string | undefined,
  down: boolean,
  zone: string,
): Row[] {
  const sign = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const byValue =
      field === undefined ? 0 : compareValues(fieldValue(a, field, zone), fieldValue(b, field, zone));
    const byKey = compareText(a.key, b.key);
    const byView = views.indexOf(a.view) - views.indexOf(b.view);
    return field === undefined ? sign * byKey || byView : sign * byValue || byView || sign * byKey;
  });
}

/** Relations lead to granted streams of the same connection, by a foreign key that is granted. */
export function relationsOf(view: View, views: readonly View[]): { relation: Relation; target: View }[] {
  return view.place.spec.relations.flatMap((relation) => {
    const target = views.find(
      (one) => one.place.connection === view.place.connection && one.place.spec.name === relation.stream,
    );
    const holder = relation.cardinality === 'has_many' ? target : view;
    const known = holder !== undefined && Object.hasOwn(holder.kinds, relation.foreign_key);
    return target !== undefined && known ? [{ relation, target }] : [];
  });
}
