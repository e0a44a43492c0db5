import { posix } from 'node:path';
import { readHtmlText } from '../../import/read/html-text.ts';
import { type TextContext, Unreadable } from '../file-text.ts';
import type { Parts } from '../unzip-parts.ts';
import { decodeBytes } from './plain-text.ts';
import { readXmlPart } from './read-xml-part.ts';

/** Reads EPUB: its chapters in reading order. */
export async function readBookText(parts: Parts, context: TextContext): Promise<void> {
  // A license file means that the chapters are encrypted.
  if (parts.has('META-INF/rights.xml') || parts.has('META-INF/license.lcpl'))
    throw new Unreadable('encrypted');
  for (const name of await listChapters(parts)) {
    context.out.add(readHtmlText(await decodeBytes(await parts.readAll(name), 'html')));
    context.out.add('\n\n');
  }
}

async function listChapters(parts: Parts): Promise<string[]> {
  let index: string | undefined;
  await readXmlPart(parts.open('META-INF/container.xml'), {
    open(name, attributes) {
      if (name === 'rootfile') index ??= attributes['full-path'];
    },
  });
  if (index === undefined) throw new Unreadable('damaged');
  const folder = posix.dirname(index);
  const items = new Map<string, string>();
  const chapters = new Set<string>();
  await readXmlPart(parts.open(index), {
    open(name, { id, href, idref }) {
      if (name === 'item' && id !== undefined && href !== undefined) items.set(id, href);
      else if (name === 'itemref' && idref !== undefined) chapters.add(items.get(idref) ?? '');
    },
  });
  return [...chapters].map((href) => posix.join(folder, decodePath(href))).filter((name) => parts.has(name));
}

function decodePath(href: string): string {
  try {
    return decodeURIComponent(href.replace(/#.*$/, ''));
  } catch {
    return href;
  }
}
