import type { XmlEvent } from '../../import/read/read-xml.ts';

/** An element with its content. Names have no prefix. */
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

/** Limits the memory of one tree. No entry of a bank statement has more elements. */
const MAX_ELEMENTS = 20_000;

/** Yields each wanted element as a tree. Of the elements around it, only the beginning is reported. */
export async function* readXmlTrees(
  ...[pieces, isWanted]: Parameters<typeof readXmlTreePieces>
): AsyncGenerator<XmlPart> {
  for await (const parts of readXmlTreePieces(pieces, isWanted)) yield* parts;
}

export async function* readXmlTreePieces(
  pieces: AsyncIterable<readonly XmlEvent[]>,
  isWanted: (name: string) => boolean,
): AsyncGenerator<readonly XmlPart[]> {
  const open: XmlTree[] = [];
  let count = 0;
  let parts: XmlPart[] = [];
  const take = (event: XmlEvent) => {
    if (event.kind === 'problem') parts.push(event);
    else if (event.kind === 'open') {
      const { name: written, attributes } = event;
      const name = written.slice(written.lastIndexOf(':') + 1);
      if (open.length === 0 && !isWanted(name)) return void parts.push({ kind: 'begin', name, attributes });
      count = open.length === 0 ? 1 : count + 1;
      const tree = { name, attributes, children: [], text: '' };
      if (count <= MAX_ELEMENTS) open.at(-1)?.children.push(tree);
      open.push(tree);
    } else if (event.kind === 'text') {
      const inner = open.at(-1);
      if (inner !== undefined) inner.text += event.text;
    } else {
      const closed = open.pop();
      if (closed !== undefined && open.length === 0) parts.push({ kind: 'tree', tree: closed });
    }
  };
  for await (const piece of pieces) {
    for (const event of piece) take(event);
    yield parts;
    parts = [];
  }
}

export function findAll(tree: XmlTree, ...names: readonly string[]): XmlTree[] {
  return names.reduce<XmlTree[]>(
    (found, name) => found.flatMap((one) => one.children.filter((child) => child.name === name)),
    [tree],
  );
}

/** Returns the text at the first path that has one: `CdtrAcct/Id/IBAN`. */
export function findText(tree: XmlTree, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = findAll(tree, ...path.split('/'))[0]?.text.trim();
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}
