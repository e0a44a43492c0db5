import type { GrantedStreamTerms } from '../../../../src/grants/grant.ts';
import type { Kind } from '../../../support/granted-sources.ts';
import type { Data, Step } from '../../../support/story-step.ts';
import { placeName, type Shelves } from '../draw/draw-records.ts';
import { aggregate } from './oracle-aggregate.ts';
import { isScalar, Refusal } from './oracle-filter.ts';
import { readFilterOf } from './oracle-named.ts';
import {
  fieldValue,
  idOf,
  isVisible,
  narrow,
  project,
  type Row,
  relationsOf,
  resolve,
  seeThrough,
  sortRows,
  type View,
} from './oracle-scope.ts';
import { type SearchArguments, search } from './oracle-search.ts';
import { type Clocks, clockOffset, compareText, showValue } from './oracle-values.ts';

// biome-ignore lint/suspicious/noExplicitAny: arguments of every tool, wrong ones included
export type Arguments = Record<string, any>;

/** What is stored now, what was stored when the changes began, and who asks. */
export interface Situation {
  readonly zone: string;
  readonly before: Shelves;
  readonly now: Shelves;
  /** What happened in between. */
  readonly later: readonly Step[];
  readonly terms: readonly GrantedStreamTerms[];
}

/** What a tool must answer, reduced to what the contract promises; throws Refusal where it must refuse. */
export function expectAnswer(situation: Situation, tool: string, args: Arguments): unknown {
  const { zone } = situation;
  const views = seeThrough(situation.terms, situation.now, zone);
  switch (tool) {
    case 'schema':
      return expectSchema(views, args, zone);
    case 'query_records':
      return args.changes_since === undefined ? query(views, args, zone) : changes(situation, views, args);
    case 'aggregate':
      return aggregate(resolve(views, args.stream, args.connection_id), views, args, zone);
    case 'search':
      return search(views, args as SearchArguments, zone);
    case 'fetch':
      return fetch(views, args, zone);
    default:
      throw new Error(`there is no tool ${tool}`);
  }
}

function query(views: readonly View[], args: Arguments, zone: string) {
  const meant = resolve(views, args.stream, args.connection_id);
  const clocks = { stored: zone, shown: args.time_zone ?? zone };
  const refused: Refusal[] = [];
  const attempt = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error);
      return otherwise;
    }
  };
  const rows = meant.flatMap((view) =>
    attempt(() => view.rows.filter((row) => readFilterOf(args.filter, view, views, clocks)(row.data)), []),
  );
  for (const view of meant) {
    attempt(() => checkFields(view, args.fields), undefined);
    attempt(() => checkSort(view, args.sort), undefined);
    attempt(() => checkRelations(view, views, args.expand), []);
  }
  // A filter that cannot be read is refused also where there is nothing to filter.
  for (const view of meant)
    attempt(
      () => readFilterOf(args.filter, view, views, clocks),
      () => true,
    );
  if (refused.length > 0) throw new Refusal(...refused.flatMap((one) => [...one.codes]));

  const order = readOrder(meant, args.sort);
  const sorted = sortRows(meant, rows, order.field, order.down, zone);
  return {
    rows: sorted.map((row) => ({
      id: idOf(row),
      record: project(row, clocks, args.fields),
      ...(args.expand === undefined ? {} : { expanded: expand(row, views, args.expand, clocks) }),
    })),
    count: args.count === undefined ? undefined : rows.length,
  };
}

/** Newest first where the time of all that is read together is granted, else by key upwards. */
function readOrder(meant: readonly View[], sort: string | undefined) {
  if (sort !== undefined) return { field: sort.replace(/^-/, ''), down: sort.startsWith('-') };
  const field = meant.some((view) => view.timeField === undefined) ? undefined : meant[0]?.timeField;
  return { field, down: field !== undefined };
}

function checkFields(view: View, fields: readonly string[] | undefined): void {
  if (fields?.some((name) => !Object.hasOwn(view.kinds, name))) throw new Refusal('unknown_field');
}

function checkSort(view: View, sort: string | undefined): void {
  if (sort === undefined) return;
  const name = sort.replace(/^-/, '');
  const kind = Object.hasOwn(view.kinds, name) ? view.kinds[name] : undefined;
  if (kind === undefined) throw new Refusal('unknown_field');
  if (!isScalar(kind)) throw new Refusal('unsupported_field');
}

/** Relations by name, or fields of what they lead to as `relation.field`. */
function checkRelations(view: View, views: readonly View[], names: readonly string[] = []): string[] {
  for (const name of names) {
    const found = relationsOf(view, views).find(
      ({ relation }) => name === relation.name || name.startsWith(`${relation.name}.`),
    );
    const field = found && name.slice(found.relation.name.length + 1);
    if (found === undefined || (field !== '' && !Object.hasOwn(found.target.kinds, field as string)))
      throw new Refusal('unknown_field');
  }
  return [...names];
}

const SHOWN = 5;

/** Related records: at most five, the oldest first; with how many there are. */
function expand(row: Row, views: readonly View[], asked: readonly string[], clocks: Clocks) {
  const named = relationsOf(row.view, views).filter(({ relation }) =>
    asked.some((name) => name === relation.name || name.startsWith(`${relation.name}.`)),
  );
  return Object.fromEntries(
    named.map(({ relation, target }) => {
      const fields = asked
        .filter((name) => name.startsWith(`${relation.name}.`))
        .map((name) => name.slice(relation.name.length + 1));
      const key = row.data[relation.foreign_key];
      const rows =
        relation.cardinality === 'has_one'
          ? target.rows.filter((one) => one.key === key)
          : target.rows.filter((one) => one.data[relation.foreign_key] === row.key);
      const shown = sortRows([target], rows, target.timeField, false, clocks.stored).slice(0, SHOWN);
      const records = shown.map((one) => ({
        id: idOf(one),
        record: project(one, clocks, fields.length === 0 ? undefined : fields),
      }));
      if (relation.cardinality === 'has_one') return [relation.name, records[0] ?? null];
      return [relation.name, { records, total: rows.length, has_more: rows.length > shown.length }];
    }),
  );
}

/** By connection and key: what is visible now and was not so then, and what was visible then and is gone. */
function changes(situation: Situation, views: readonly View[], args: Arguments) {
  const meant = resolve(views, args.stream, args.connection_id);
  for (const view of meant) checkFields(view, args.fields);
  const clocks = { stored: situation.zone, shown: args.time_zone ?? situation.zone };
  const before = args.changes_since === 'beginning' ? new Map() : situation.before;
  const then = seeThrough(situation.terms, before, situation.zone);
  const rows = meant.flatMap((view) => {
    const old = then.find((one) => one.place === view.place)?.rows ?? [];
    const keys = [...new Set([...old, ...view.rows].map((row) => row.key))].sort(compareText);
    return keys.flatMap((key): object[] => {
      const was = old.find((row) => row.key === key);
      const is = view.rows.find((row) => row.key === key);
      if (is === undefined) return [{ id: idOf(was as Row), removed: true }];
      if (
        was !== undefined &&
        !hasLeft(situation, view, key) &&
        sameJson(project(was, clocks), project(is, clocks))
      )
        return [];
      return [{ id: idOf(is), record: project(is, clocks, args.fields) }];
    });
  });
  return { rows, count: undefined };
}

/** What was out of view for a while is told as changed when it is back: whether it was deleted there must not show. */
function hasLeft({ later, zone }: Situation, view: View, key: string): boolean {
  return later.some(
    (step) =>
      step.key === key &&
      placeName(step.place) === placeName(view.place) &&
      (step.data === undefined || !isVisible(view, key, step.data, zone)),
  );
}

function sameJson(a: Data, b: Data): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function fetch(views: readonly View[], args: Arguments, zone: string) {
  const parts = String(args.id).split('/');
  const [connection, stream, ...rest] = parts.length === 2 ? [args.connection_id, ...parts] : parts;
  const decoded = [connection, stream].map((part) => part && decodeURIComponent(part));
  const view =
    decoded[0] === undefined
      ? resolve(views, decoded[1] as string, undefined)[0]
      : views.find((one) => one.place.connection === decoded[0] && one.place.spec.name === decoded[1]);
  if (view === undefined) throw new Refusal('not_found');
  const raw = rest.join('/');
  const key = decodeURIComponent(raw);
  const exact = view.rows.find((row) => row.key === key) ?? view.rows.find((row) => row.key === raw);
  const begun = key.length < 4 ? [] : view.rows.filter((row) => row.key.startsWith(key));
  const row = exact ?? (begun.length === 1 ? begun[0] : undefined);
  if (row === undefined) throw new Refusal('not_found');
  checkFields(view, args.fields);
  if (args.field !== undefined) checkFields(view, [args.field]);
  const names = checkRelations(view, views, args.expand);
  const clocks = { stored: zone, shown: zone };
  return {
    id: idOf(row),
    text:
      args.field === undefined
        ? write(project(row, clocks, args.fields), view.kinds)
        : show(project(row, clocks)[args.field]),
    time: view.timeField === undefined ? undefined : timeOf(row, view.timeField, zone),
    expanded: names.length === 0 ? undefined : expand(row, views, names, clocks),
  };
}

function timeOf(row: Row, field: string, zone: string): unknown {
  const value = fieldValue(row, field, zone);
  return value === undefined ? undefined : showValue(row.view.kinds[field] as 'date', value, zone);
}

/** A line per field; text of several lines stands indented under its name. Prose comes last, behind an empty line. */
function write(record: Data, kinds: Readonly<Record<string, Kind>>): string {
  const lines = (isProse: boolean) =>
    Object.entries(record)
      .filter(([name]) => (kinds[name] === 'text') === isProse)
      .map(([name, value]) => {
        const text = show(value);
        return text.includes('\n') ? `${name}:\n  ${text.replaceAll('\n', '\n  ')}` : `${name}: ${text}`;
      })
      .join('\n');
  return [lines(false), lines(true)].filter((part) => part !== '').join('\n\n');
}

function show(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Every granted stream with its records and time span; with a stream also its fields. */
function expectSchema(views: readonly View[], args: Arguments, zone: string) {
  const names: string[] = args.stream === undefined ? [] : [args.stream].flat();
  if (args.detail === 'full') {
    if (names.length !== 1) throw new Refusal('invalid_argument');
    const narrowed = args.connection_id === '*' ? undefined : args.connection_id;
    const meant = resolve(views, names[0] as string, narrowed);
    if (meant.length > 1) throw new Refusal('ambiguous_connection');
    return [describe(meant[0] as View, zone, false)];
  }
  if (names.some((name) => !views.some((one) => one.place.spec.name === name)))
    throw new Refusal('unknown_stream');
  const named =
    args.stream === undefined ? views : views.filter((one) => names.includes(one.place.spec.name));
  return narrow(named, args.connection_id).map((view) => describe(view, zone, args.stream === undefined));
}

/** Spans are told in days by the owner's clock. */
function describe(view: View, zone: string, inIndex: boolean) {
  const { timeField } = view;
  const times =
    timeField === undefined
      ? []
      : view.rows.map((row) => fieldValue(row, timeField, zone)).filter((time) => typeof time === 'number');
  const kind = view.kinds[timeField ?? ''] as Kind;
  const show = (time: number) =>
    kind === 'date-time'
      ? new Date(time + clockOffset(time, zone)).toISOString().slice(0, 10)
      : showValue(kind, time, zone);
  return {
    connection: view.place.connection,
    stream: view.place.spec.name,
    records: view.rows.length,
    first: times.length === 0 ? undefined : show(Math.min(...times)),
    last: times.length === 0 ? undefined : show(Math.max(...times)),
    fields: inIndex ? undefined : Object.keys(view.kinds).sort(),
    used: new Set(Object.keys(view.kinds).filter((name) => view.rows.some((row) => holds(row, name, zone)))),
  };
}

/** What is not a time is no value of a field that holds times. */
function holds(row: Row, name: string, zone: string): boolean {
  return isScalar(row.view.kinds[name] as Kind)
    ? fieldValue(row, name, zone) !== undefined
    : row.data[name] != null;
}
