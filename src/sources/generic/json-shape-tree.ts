/** The values at one path of a document, over all its rows: `orders`, `orders[].lines`. */
export interface ShapeNode {
  objects: number;
  lists: number;
  scalars: number;
  /** Of objects: members that are lists or objects, by key. */
  readonly members: Map<string, ShapeNode>;
  /** Of objects: scalar members. */
  readonly scalarNames: Set<string>;
  /** Of objects whose keys are data, such as names of friends: the shape of every member. */
  any?: ShapeNode;
  element?: ShapeNode;
  /** How many list elements were seen here. */
  elements: number;
}

/** Objects with more nested members than this have keys that are data. */
const MAX_MEMBERS = 200;
const MAX_SCALAR_NAMES = 1_000;
/** Limits the paths of a document that never repeats itself. */
const MAX_NODES = 20_000;

export const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Collects the lists and objects of a document. Memory depends on the number of different paths, not on the length. */
export class ShapeTree {
  readonly root = createNode();
  #nodes = 1;

  /** Adds a value at a path. The nodes above it arrive in parts, because they are too long. */
  addAt(path: readonly (string | number)[], value: unknown): void {
    let node: ShapeNode | undefined = this.root;
    for (const [depth, key] of path.entries()) {
      if (node === undefined) return;
      if (typeof key === 'string') node.objects ||= 1;
      else {
        node.lists ||= 1;
        node.elements ||= 1;
      }
      if (depth === path.length - 1) {
        this.#addMember(node, key, value);
        return;
      }
      node = typeof key === 'number' ? this.#element(node) : this.#member(node, key);
    }
    if (node !== undefined) this.#add(node, value);
  }

  #add(node: ShapeNode, value: unknown): void {
    if (isScalar(value)) node.scalars += 1;
    else if (Array.isArray(value)) {
      node.lists += 1;
      for (const inner of value) this.#addMember(node, 0, inner);
    } else {
      node.objects += 1;
      for (const [key, inner] of Object.entries(value as object)) this.#addMember(node, key, inner);
    }
  }

  #addMember(node: ShapeNode, key: string | number, value: unknown): void {
    if (typeof key === 'number') {
      node.elements += 1;
      const element = this.#element(node);
      if (element !== undefined) this.#add(element, value);
      return;
    }
    if (isScalar(value)) {
      if (node.scalarNames.size < MAX_SCALAR_NAMES) node.scalarNames.add(key);
      return;
    }
    const member = this.#member(node, key);
    if (member !== undefined) this.#add(member, value);
  }

  #element(node: ShapeNode): ShapeNode | undefined {
    const element = node.element ?? this.#create();
    if (element !== undefined) node.element = element;
    return element;
  }

  #member(node: ShapeNode, key: string): ShapeNode | undefined {
    if (node.any !== undefined) return node.any;
    const known = node.members.get(key);
    if (known !== undefined) return known;
    const created = this.#create();
    if (created === undefined) return undefined;
    node.members.set(key, created);
    if (node.members.size > MAX_MEMBERS) mergeMembers(node);
    return node.any ?? created;
  }

  #create(): ShapeNode | undefined {
    if (this.#nodes >= MAX_NODES) return undefined;
    this.#nodes += 1;
    return createNode();
  }
}

function createNode(): ShapeNode {
  return { objects: 0, lists: 0, scalars: 0, members: new Map(), scalarNames: new Set(), elements: 0 };
}

export function findMember(node: ShapeNode, key: string): ShapeNode | undefined {
  return node.any ?? node.members.get(key);
}

/** Treats the keys of an object as data: all members share one shape. */
export function mergeMembers(node: ShapeNode): void {
  const merged = createNode();
  for (const member of node.members.values()) mergeInto(merged, member);
  node.any = merged;
  node.members.clear();
}

function mergeInto(into: ShapeNode, from: ShapeNode): void {
  into.objects += from.objects;
  into.lists += from.lists;
  into.scalars += from.scalars;
  into.elements += from.elements;
  for (const name of from.scalarNames)
    if (into.scalarNames.size < MAX_SCALAR_NAMES) into.scalarNames.add(name);
  const mergeMember = (key: string, member: ShapeNode) => {
    const known = into.any ?? into.members.get(key);
    if (known === undefined) into.members.set(key, member);
    else mergeInto(known, member);
  };
  if (from.any !== undefined && into.any === undefined) mergeMembers(into);
  for (const [key, member] of from.members) mergeMember(key, member);
  if (from.any !== undefined) mergeInto(into.any as ShapeNode, from.any);
  if (from.element !== undefined) {
    if (into.element === undefined) into.element = from.element;
    else mergeInto(into.element, from.element);
  }
}
