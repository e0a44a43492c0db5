import type { Condition } from '../../filter/filter.ts';
import type { Relationship } from '../../schema-index/declaration.ts';
import type { Field, Metric } from '../../schema-index/field.ts';
import type {
  GroupColumn,
  GroupOrder,
  Groups,
  MeasuredPart,
  MeasureReads,
  Summation,
  TimeParts,
  Total,
} from '../../store/record-reads.ts';
import { fieldOf, type GrantedScopes } from '../granted-scopes.ts';
import type { GrantedStream } from '../granted-stream.ts';

/** The connection of a record as a field. A stream's own field of that name takes precedence. */
const CONNECTION: Field = {
  name: 'connection_id',
  kind: 'string',
  required: true,
  filter: false,
  range: false,
  sort: false,
  group: true,
  metrics: [],
  search: false,
  schema: {},
};

/** An aggregation over streams that share field names. */
export interface Measure {
  readonly streams: readonly GrantedStream[];
  readonly metric: Metric;
  readonly summation: Summation;
  readonly field: string | undefined;
  readonly groupBy: readonly string[];
  readonly conditions: ReadonlyMap<GrantedStream, readonly Condition[]>;
  /** How to group the first field of `groupBy`, which is then a time that every record has. */
  readonly time?: TimeParts;
}

/** Counts, sums and groups over visible records. */
export class GrantedMeasures {
  readonly #reads: MeasureReads;
  readonly #scopes: GrantedScopes;

  constructor(reads: MeasureReads, scopes: GrantedScopes) {
    this.#reads = reads;
    this.#scopes = scopes;
  }

  async total(measure: Measure): Promise<Total> {
    return this.#reads.total(this.#parts(measure), measure);
  }

  /** Returns one total per period of the streams' time field. */
  async periods(measure: Measure, periods: readonly (readonly [number, number])[]): Promise<Total[]> {
    return this.#reads.totalsByPeriod(this.#parts({ ...measure, groupBy: [] }), measure, periods);
  }

  /** Returns one total per range of a field, in a single scan. A range is a list of conditions. */
  async ranges(
    measure: Measure,
    name: string,
    ranges: readonly ReadonlyMap<GrantedStream, readonly Condition[]>[],
  ): Promise<Total[]> {
    const parts = this.#parts({ ...measure, groupBy: [] }).map((part, at) => {
      const stream = measure.streams[at] as GrantedStream;
      return { ...part, ranged: fieldOf(stream, name), ranges: ranges.map((one) => one.get(stream) ?? []) };
    });
    return this.#reads.totalsByRange(parts, measure);
  }

  /** Whether the first field of `groupBy` has several values among measured records. */
  async isMixed(measure: Measure): Promise<boolean> {
    return this.#reads.isMixed(this.#parts(measure));
  }

  /** Returns the minimum or maximum of the measured field, which must be a time. */
  async extreme(measure: Measure, metric: 'min' | 'max'): Promise<number | undefined> {
    return this.#reads.extreme(this.#parts({ ...measure, groupBy: [] }), metric);
  }

  async groups(measure: Measure, order: GroupOrder, limit: number): Promise<Groups> {
    return this.#reads.groups(this.#parts(measure), measure, order, limit);
  }

  /** Returns one total per interval between consecutive edges. The first field of `groupBy` is the time. */
  async buckets(measure: Measure, edges: readonly number[]): Promise<Map<number, Total>> {
    return this.#reads.buckets(this.#parts(measure), measure, edges);
  }

  /** Returns the field to group by: a field of the stream, of its related record, or the connection. */
  groupField(stream: GrantedStream, name: string): Field | undefined {
    const own = stream.fields.get(name);
    if (own !== undefined) return own;
    if (name === CONNECTION.name) return CONNECTION;
    const relation = findRelation(stream, name);
    return relation && this.#scopes.target(stream, relation).fields.get(name.slice(relation.name.length + 1));
  }

  #parts(measure: Measure): MeasuredPart[] {
    return measure.streams.map((stream) => ({
      scope: this.#scopes.of(stream),
      conditions: measure.conditions.get(stream) ?? [],
      field: measure.field === undefined ? undefined : fieldOf(stream, measure.field),
      groupBy: measure.groupBy.map((name) => this.#groupColumn(stream, name)),
    }));
  }

  #groupColumn(stream: GrantedStream, name: string): GroupColumn {
    const field = this.groupField(stream, name);
    if (field === undefined) throw new Error('a field outside the grant reached the reader');
    if (field === CONNECTION) return { kind: 'connection', field };
    const relation = stream.fields.has(name) ? undefined : findRelation(stream, name);
    if (relation === undefined) return { kind: 'own', field };
    const target = this.#scopes.of(this.#scopes.target(stream, relation));
    return { kind: 'related', field, key: fieldOf(stream, relation.foreign_key), target };
  }
}

/** Returns the has_one relation of a name of the form `relation.field`. */
function findRelation(stream: GrantedStream, name: string): Relationship | undefined {
  return stream.relations.find(
    (one) =>
      one.cardinality === 'has_one' &&
      name.startsWith(`${one.name}.`) &&
      stream.fields.get(one.foreign_key)?.group === true,
  );
}
