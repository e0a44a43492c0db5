import type { AnyRow } from '../../import/guess/guess-stream.ts';
import { ID_NAME } from '../../import/guess/unique-columns.ts';
import { isValue } from '../../import/read/sniff-table.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { findMember, isScalar, type ShapeNode } from './json-shape-tree.ts';
import type { JsonPlan, JsonTable } from './json-tables.ts';

/** Nested objects become columns, so that they can be searched and compared. Larger ones stay whole. */
const [MAX_KEYS, MAX_DEPTH] = [20, 3];

type Path = readonly (string | number)[];
type Key = string | number | undefined;
type EmitRow = (table: JsonTable, row: AnyRow) => void;
/** Members of objects that arrive in parts, by path. */
type KnownMembers = ReadonlyMap<string, JsonObject>;

/** The position of a value. */
interface Position {
  readonly node: ShapeNode | undefined;
  readonly key: Key;
  /** Keys on the path, without keys that are data. */
  readonly names: readonly string[];
  /** Identifying values of the rows around it. */
  readonly context: RowContext;
  /** The table that this value is a row of. */
  readonly rowOf: JsonTable | undefined;
  /** Whether the value is inside a row: a column, or a list of nested rows. */
  readonly isInRow: boolean;
}

/** A row, or an object inside one, that arrives in parts. */
interface PartialRow {
  readonly row: Record<string, unknown>;
  readonly position: Position;
}

export const pathKey = (path: Path): string => JSON.stringify(path);

export class JsonShredder {
  readonly #plan: JsonPlan;
  readonly #known: KnownMembers;
  readonly #emit: EmitRow;
  readonly #partials = new Map<string, PartialRow>();
  readonly #headers = new Map<JsonTable, readonly unknown[]>();
  /** The number of values that fit in no table. */
  skippedValues = 0;

  /** `known` has ids and names, because they may come after the lists that need them. */
  constructor(plan: JsonPlan, known: KnownMembers, emit: EmitRow) {
    this.#plan = plan;
    this.#known = known;
    this.#emit = emit;
  }

  /** Adds a value whose parents arrive in parts. */
  take(path: Path, value: unknown): void {
    let position: Position = {
      node: this.#plan.root,
      key: undefined,
      names: [],
      context: {},
      rowOf: undefined,
      isInRow: false,
    };
    let partial: PartialRow | undefined;
    for (const [depth, key] of path.entries()) {
      partial = undefined;
      if (typeof key === 'string' && (position.rowOf !== undefined || position.isInRow)) {
        const partialKey = pathKey(path.slice(0, depth));
        partial = this.#partials.get(partialKey) ?? { row: {}, position };
        this.#partials.set(partialKey, partial);
        if (position.rowOf !== undefined)
          position = this.#enterRow(position, this.#known.get(partialKey) ?? {});
      }
      position = this.#child(position, key);
    }
    if (partial === undefined) this.#read(value, position);
    else {
      partial.row[String(path.at(-1))] = value;
      this.#readInside(value, position);
    }
  }

  /** Ends a list or an object that arrived in parts. */
  end(path: Path): void {
    const key = pathKey(path);
    const partial = this.#partials.get(key);
    if (partial === undefined) return;
    this.#partials.delete(key);
    const { row, position } = partial;
    if (position.rowOf !== undefined) this.#emitObject(position.rowOf, row, position);
    else {
      const around = this.#partials.get(pathKey(path.slice(0, -1)));
      if (around !== undefined) around.row[String(path.at(-1))] = row;
    }
  }

  #child(position: Position, key: string | number): Position {
    const { node, names, context } = position;
    const table = node === undefined ? undefined : this.#plan.tables.get(node);
    const isInRow = position.isInRow || position.rowOf !== undefined;
    if (typeof key === 'number') {
      // Elements of a nested list are read as elements of the outer list.
      const rowOf = table ?? position.rowOf;
      return { node: node?.element, key: undefined, names, context, rowOf, isInRow };
    }
    const rowOf = table?.kind === 'map' ? table : undefined;
    const isData = node?.any !== undefined;
    return {
      node: node === undefined ? undefined : findMember(node, key),
      key,
      names: isData ? names : [...names, key],
      context: isData && rowOf === undefined ? { ...context, [names.at(-1) ?? 'list']: key } : context,
      rowOf,
      isInRow,
    };
  }

  /** The position for values inside this row. */
  #enterRow(position: Position, row: JsonObject): Position {
    const own = { ...(position.key === undefined ? {} : { key: position.key }), ...pickContext(row) };
    const context = addContext(own, position.context, position.names.at(-2) ?? 'outer');
    return { ...position, context, rowOf: undefined, isInRow: true };
  }

  #read(value: unknown, position: Position): void {
    if (position.rowOf !== undefined) this.#readRow(position.rowOf, value, position);
    else if (position.isInRow) {
      if (isScalar(value)) this.skippedValues += 1;
      else this.#readInside(value, position);
    } else if (isScalar(value)) this.#addDetail(position, value);
    else if (position.node === undefined) this.skippedValues += 1;
    else if (!Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value as JsonObject))
        this.#read(inner, this.#child(position, key));
    } else if (this.#plan.tables.has(position.node)) {
      for (const inner of value) this.#read(inner, this.#child(position, 0));
    } else this.#addDetail(position, value.map(String).join('; '));
  }

  #readRow(table: JsonTable, value: unknown, position: Position): void {
    if (isObject(value)) {
      this.#emitObject(table, value, position);
      this.#readInside(value, this.#enterRow(position, value));
    } else if (!Array.isArray(value)) this.#emitObject(table, { value }, position);
    else if (value.some((one) => !isScalar(one))) {
      for (const inner of value) this.#readRow(table, inner, { ...this.#child(position, 0), rowOf: table });
    } else this.#emitCells(table, value, position);
  }

  /** Finds lists of rows inside a row. Other values are columns. */
  #readInside(value: unknown, position: Position): void {
    if (isScalar(value) || position.node === undefined) return;
    if (!Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value as JsonObject))
        if (!isScalar(inner)) this.#readInside(inner, this.#child(position, key));
    } else if (this.#plan.tables.has(position.node)) {
      for (const inner of value) this.#read(inner, this.#child(position, 0));
    }
  }

  /** Reads a row that is a list. The first one may name the columns. */
  #emitCells(table: JsonTable, cells: readonly unknown[], position: Position): void {
    const names = this.#headers.get(table);
    if (names === undefined) {
      const header = isHeader(cells) ? cells : [];
      this.#headers.set(table, header);
      if (header.length > 0) return;
    }
    const named = cells.map((cell, index) => [String(names?.[index] ?? `Column ${index + 1}`), cell]);
    this.#emitObject(table, Object.fromEntries(named), position);
  }

  #emitObject(table: JsonTable, value: JsonObject, { key, context, names }: Position): void {
    const row = flatten(key === undefined ? value : { key, ...value });
    const note = (name: string) => table.references.add(name);
    this.#emit(table, addContext(row, context, names.at(-2) ?? 'outer', note));
  }

  #addDetail({ names, key }: Position, value: unknown): void {
    const { details } = this.#plan;
    if (value === null || value === '') return;
    if (details === undefined) this.skippedValues += 1;
    else
      this.#emit(details, { key: names.length === 0 ? String(key) : names.join('.'), value: String(value) });
  }
}

/** Column names are distinct words. A list with a time or an amount is a row. */
const isHeader = (cells: readonly unknown[]) =>
  cells.every((cell) => typeof cell === 'string' && !isValue(cell)) && new Set(cells).size === cells.length;

/** Flattens `{ user: { name } }` to `user.name`. */
function flatten(value: JsonObject, depth = 1): AnyRow {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const isSmall = isObject(inner) && depth < MAX_DEPTH && Object.keys(inner).length <= MAX_KEYS;
      if (!isSmall) return [[name, inner]];
      return Object.entries(flatten(inner, depth + 1)).map(([key, one]) => [`${name}.${key}`, one]);
    }),
  );
}

/** Identifies the parent of a nested row: `match_id`, the name of a friend. */
type RowContext = Readonly<Record<string, unknown>>;

const MAX_CHARACTERS = 200;
const MAX_IDS = 5;
const MAX_TEXTS = 3;
const LABEL =
  /^(?:(?:user|display|full|friend|chat|channel|thread|group|list|playlist|contact)[ _-]?)?(?:name|title)$|^(?:user|username|email|chat|conversation|thread|channel|with|subject|label)$/i;

/**
 * Returns the ids and names of a row for its nested rows, or its first text. Counts and times are left out: they change
 * between exports, and a row's key may contain all its values.
 */
function pickContext(row: AnyRow): RowContext {
  const short = Object.entries(row).filter(
    ([, value]) => isScalar(value) && hasContent(value) && String(value).length <= MAX_CHARACTERS,
  );
  const ids = short.filter(([name]) => ID_NAME.test(name) || LABEL.test(name)).slice(0, MAX_IDS);
  const texts = short.filter(([, value]) => typeof value === 'string').slice(0, MAX_TEXTS);
  return Object.fromEntries(ids.length > 0 ? ids : texts);
}

const hasContent = (value: unknown) =>
  typeof value === 'string' ? value.trim() !== '' : typeof value === 'number';

/**
 * Adds the values of the parent rows to a row. Its own columns keep their names; `prefix` distinguishes the
 * others. `onColumn` receives their names.
 */
function addContext(
  row: AnyRow,
  context: RowContext,
  prefix: string,
  onColumn?: (name: string) => void,
): AnyRow {
  const around = Object.entries(context).map(([name, value]) => [
    Object.hasOwn(row, name) ? `${prefix}.${name}` : name,
    value,
  ]);
  for (const [name] of around) onColumn?.(name as string);
  return around.length === 0 ? row : { ...row, ...Object.fromEntries(around) };
}
