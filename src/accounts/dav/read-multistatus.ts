import { peekText } from '../../import/read/decode-text.ts';
import { readXmlPieces, type XmlEvent } from '../../import/read/read-xml.ts';
import { findAll, findText, readXmlTrees, type XmlTree } from '../../sources/files/xml-tree.ts';
import { protocolError } from '../network/network-errors.ts';
import { createResponseFile } from '../network/response-file.ts';

export type MultistatusPart =
  | {
      readonly kind: 'resource';
      readonly href: string;
      readonly status: number | undefined;
      readonly properties: readonly XmlTree[];
    }
  | { readonly kind: 'token'; readonly token: string };

const MAX_HREF_CHARACTERS = 2_000;

/** Reads a multistatus response (RFC 4918 §13) one resource at a time. */
export async function* readMultistatus(response: Response): AsyncGenerator<MultistatusPart> {
  const file = createResponseFile(response);
  // WebDAV needs no document type, and attacks use its entities.
  if (/<!DOCTYPE/i.test(await peekText(file)))
    throw protocolError('The server sent XML with a document type.');
  const document = { root: undefined as string | undefined, isComplete: false };
  const isWanted = (name: string) =>
    name === 'response' || (name === 'sync-token' && document.root !== undefined);
  for await (const part of readXmlTrees(watchRoot(readXmlPieces(file), document), isWanted)) {
    if (document.root !== undefined && document.root !== 'multistatus') break;
    if (part.kind !== 'tree') continue;
    const { tree } = part;
    if (tree.name === 'sync-token') yield { kind: 'token', token: tree.text.trim() };
    else {
      const href = findText(tree, 'href');
      if (href === undefined || href.length > MAX_HREF_CHARACTERS) continue;
      const status = readStatus(findText(tree, 'status'));
      yield { kind: 'resource', href, status, properties: listFound(tree) };
    }
  }
  if (document.root !== 'multistatus') throw protocolError('The server sent no multistatus response.');
  // Entries that are missing from a list count as deleted, so half a list must not be used.
  if (!document.isComplete) throw protocolError('The server sent an incomplete response.');
}

async function* watchRoot(
  pieces: AsyncIterable<readonly XmlEvent[]>,
  document: { root: string | undefined; isComplete: boolean },
): AsyncGenerator<readonly XmlEvent[]> {
  let depth = 0;
  for await (const piece of pieces) {
    for (const event of piece) {
      if (event.kind === 'open') {
        document.root ??= event.name.slice(event.name.lastIndexOf(':') + 1);
        depth += 1;
      } else if (event.kind === 'close') {
        depth -= 1;
        if (depth === 0) document.isComplete = true;
      }
    }
    yield piece;
  }
}

function listFound(response: XmlTree): XmlTree[] {
  return findAll(response, 'propstat')
    .filter((propstat) => (readStatus(findText(propstat, 'status')) ?? 200) === 200)
    .flatMap((propstat) => findAll(propstat, 'prop'))
    .flatMap(({ children }) => children);
}

/** `HTTP/1.1 404 Not Found` */
function readStatus(line: string | undefined): number | undefined {
  const status = /^HTTP\/\S+ (\d{3})/.exec(line ?? '')?.[1];
  return status === undefined ? undefined : Number(status);
}

export function findProperty(properties: readonly XmlTree[], name: string): XmlTree | undefined {
  return properties.find((property) => property.name === name);
}

export function readProperty(properties: readonly XmlTree[], name: string): string | undefined {
  const text = findProperty(properties, name)?.text.trim();
  return text === undefined || text === '' ? undefined : text;
}

/** Escapes text for a request. */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
