import type { XmlEvent } from '../../import/read/read-xml.ts';

/** An element with all that is inside of it. Names come without their prefix. */
export interface XmlTree {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlTree[];
  text: string;
}

export type XmlPart =
  | { readonly kind: 'tree'; readonly tree: XmlTree }
  | { readonly kind: 'begin'; readonly name: string; readonly attributes: XmlTree['attributes'] }
  | Extract<XmlEvent, { kind: 'problem' }>;

/** No single entry of a statement holds more. */
const MOST_ELEMENTS = 20_000;

/** Whole elements, one at a time; of the elements around them only that they begin. */
export async function* readXmlTrees(
  events: AsyncIterable<XmlEvent>,
  isWanted: (name: string) => boolean,
): AsyncGenerator<XmlPart> {
  const open: XmlTree[] = [];
  let count = 0;
  for await (const event of events) {
    if (event.kind === 'problem') yield event;
    else if (event.kind === 'open') {
      const name = event.name.replace(/^.*:/, '');
      if (open.length === 0 && !isWanted(name)) {
        yield { kind: 'begin', name, attributes: event.attributes };
        continue;
      }
      count = open.length === 0 ? 1 : count + 1;
      const tree = { name, attributes: event.attributes, children: [], text: '' };
      if (count <= MOST_ELEMENTS) open.at(-1)?.children.push(tree);
      open.push(tree);
    } else if (event.kind === 'text') {
      const inner = open.at(-1);
      if (inner !== undefined) inner.text += event.text;
    } else {
      const closed = open.pop();
      if (closed !== undefined && open.length === 0) yield { kind: 'tree', tree: closed };
    }
  }
}

/** All elements at the end of a way of names. */
export function findAll(tree: XmlTree, ...names: readonly string[]): XmlTree[] {
  return names.reduce<XmlTree[]>(
    (found, name) => found.flatMap((one) => one.children.filter((child) => child.name === name)),
    [tree],
  );
}

/** The text of the first element at the end of the first way that leads to one: `CdtrAcct/Id/IBAN`. */
export function findText(tree: XmlTree, ...ways: readonly string[]): string | undefined {
  for (const way of ways) {
    const text = findAll(tree, ...way.split('/'))[0]?.text.trim();
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}
