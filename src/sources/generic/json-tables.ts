import { mergeMembers, type ShapeNode } from './json-shape-tree.ts';

/** A table in a document: the elements of a list, or the members of an object whose keys are data. */
export interface JsonTable {
  readonly name: string;
  readonly kind: 'list' | 'map';
  /** Columns that identify parent rows, filled while rows are read. */
  readonly references: Set<string>;
  readonly texts?: readonly string[];
}

/** The tables by node, and the node for everything else. */
export interface JsonPlan {
  readonly root: ShapeNode;
  readonly tables: ReadonlyMap<ShapeNode, JsonTable>;
  /** Scalar values outside of all tables: one row each. */
  readonly details: JsonTable | undefined;
  /** All tables, in display order. */
  readonly list: readonly JsonTable[];
}

/** Objects with more members of one shape than this have keys that are data. */
const MAX_NAMES = 20;
/** Shorter lists of scalars are one value of the details. */
const MAX_INLINE_ITEMS = 20;
/** Keys that are data, not member names: `2024-01-31`, `4711`, `anna@example.org`, `Chat with Ben:`. */
const DATA_KEY = /^\d+$|\d{4}-\d\d|\d{5}|@|:$|^[0-9a-f]{8}-[0-9a-f]{4}-|^.{61,}$/i;

interface FoundTable {
  readonly node: ShapeNode;
  readonly kind: JsonTable['kind'];
  readonly names: readonly string[];
  /** Whether it is a list under member names only. Earlier versions read only these, so their names are fixed. */
  readonly isPlain: boolean;
}

/** Decides what is a table: every list that holds objects, at any depth, and every object whose keys are data. */
export function planTables(root: ShapeNode): JsonPlan {
  const found: FoundTable[] = [];
  let hasDetails = false;
  const addList = (node: ShapeNode, names: readonly string[], isPlain: boolean) => {
    found.push({ node, kind: 'list', names, isPlain: isPlain && !holdsScalarsOnly(node) });
    if (node.element !== undefined) visitRow(node.element, names);
  };
  const visitRow = (node: ShapeNode, names: readonly string[]) => {
    // A list of lists of objects is one list.
    if (node.lists > 0 && node.element !== undefined && holdsObjects(node)) visitRow(node.element, names);
    if (hasDataKeys(node)) mergeMembers(node);
    const below = node.any === undefined ? [...node.members] : [['', node.any] as const];
    for (const [key, member] of below) {
      const inner = key === '' ? names : [...names, key];
      if (member.lists > 0 && holdsObjects(member)) addList(member, inner, false);
      if (member.objects > 0) visitRow(member, inner);
    }
  };
  const visit = (node: ShapeNode, names: readonly string[], isPlain: boolean) => {
    if (node.lists > 0) {
      const isShort = holdsScalarsOnly(node) && node.elements <= MAX_INLINE_ITEMS && names.length > 0;
      if (isShort) hasDetails = true;
      else if (node.elements > 0) addList(node, names, isPlain);
    }
    if (node.objects === 0) return;
    if (hasDataKeys(node)) mergeMembers(node);
    const { any } = node;
    const isTable = any !== undefined && (any.lists === 0 || any.objects > 0) && !hasNestedValuesOnly(any);
    if (isTable || (any === undefined && isScalarMap(node))) {
      found.push({ node, kind: 'map', names, isPlain: false });
      if (any !== undefined) visitRow(any, names);
      return;
    }
    if (node.scalarNames.size > 0) hasDetails = true;
    if (any !== undefined) visit(any, names, false);
    for (const [key, member] of node.members) visit(member, [...names, key], isPlain);
  };
  visit(root, [], true);
  if (found.length === 0 && isMapOfObjects(root)) {
    mergeMembers(root);
    found.push({ node: root, kind: 'map', names: [], isPlain: false });
    visitRow(root.any as ShapeNode, []);
  }
  return nameTables(root, found, hasDetails);
}

/**
 * Names the tables. The topmost lists come first, with their own names or as `rows`. Earlier versions chose the same
 * names, so records stay in their streams.
 */
function nameTables(root: ShapeNode, found: readonly FoundTable[], hasDetails: boolean): JsonPlan {
  const depths = found.filter(({ isPlain }) => isPlain).map(({ names }) => names.length);
  const top = depths.length === 0 ? 0 : depths.reduce((a, b) => Math.min(a, b));
  const isFirst = ({ isPlain, names }: FoundTable) => isPlain && names.length === top;
  const first = found.filter(isFirst);
  const tables = new Map<ShapeNode, JsonTable>();
  const taken = new Set<string>();
  const create = (name: string, kind: JsonTable['kind']): JsonTable => {
    let own = name;
    for (let n = 2; taken.has(own); n++) own = `${name} ${n}`;
    taken.add(own);
    return { name: own, kind, references: new Set() };
  };
  for (const one of [...first, ...found.filter((other) => !isFirst(other))]) {
    const isOnly = one.names.length === 0 || (first.length === 1 && one === first[0]);
    tables.set(one.node, create(isOnly ? 'rows' : one.names.join('.'), one.kind));
  }
  const details =
    hasDetails && tables.size > 0 ? { ...create('details', 'list'), texts: ['value'] } : undefined;
  return { root, tables, details, list: [...tables.values(), ...(details === undefined ? [] : [details])] };
}

const holdsScalarsOnly = ({ element }: ShapeNode) =>
  element === undefined || (element.objects === 0 && element.lists === 0);

function holdsObjects({ element }: ShapeNode): boolean {
  return element !== undefined && (element.objects > 0 || (element.lists > 0 && holdsObjects(element)));
}

/** Returns whether a node has neither scalars nor lists, only nested objects. */
const hasNestedValuesOnly = ({ scalars, scalarNames, lists, members, any }: ShapeNode) =>
  scalars === 0 && scalarNames.size === 0 && lists === 0 && (members.size > 0 || any !== undefined);

const isMapOfObjects = ({ members, scalarNames }: ShapeNode) =>
  members.size > 1 &&
  scalarNames.size === 0 &&
  [...members.values()].every(({ lists, objects }) => lists === 0 && objects > 0);

/** Scalars under keys that are data, such as counts per day. */
function isScalarMap({ members, scalarNames }: ShapeNode): boolean {
  if (members.size > 0 || scalarNames.size < 2) return false;
  return scalarNames.size > MAX_NAMES || [...scalarNames].every((name) => DATA_KEY.test(name));
}

/** Returns whether the members of an object are under keys that are data and belong together. */
function hasDataKeys({ members, scalarNames }: ShapeNode): boolean {
  if (members.size === 0 || scalarNames.size > 0) return false;
  const kinds = [...members.values()];
  const isOneKind = kinds.every(({ lists }) => lists > 0) || kinds.every(({ objects }) => objects > 0);
  if (!isOneKind) return false;
  const areData = [...members.keys()].every((key) => DATA_KEY.test(key));
  return areData || (members.size > MAX_NAMES && areAlike(kinds));
}

/** Returns whether these nodes have mostly the same columns. */
function areAlike(nodes: readonly ShapeNode[]): boolean {
  const sets = nodes.map(listColumns).filter((columns) => columns.length > 0);
  const counts = new Map<string, number>();
  for (const column of sets.flat()) counts.set(column, (counts.get(column) ?? 0) + 1);
  const common = [...counts.values()].filter((count) => 2 * count > sets.length).length;
  return common > 0 && 2 * common >= counts.size;
}

function listColumns(node: ShapeNode): string[] {
  const { scalarNames, members } = node.lists > 0 && node.element !== undefined ? node.element : node;
  return [...scalarNames, ...members.keys()];
}
