import { type TextContext, Unreadable } from '../file-text.ts';
import type { Parts } from '../unzip-parts.ts';
import { readXmlPart } from './read-xml-part.ts';

const MAX_SPACES = 100;

/** Reads ODT, ODS and ODP (OASIS OpenDocument): the text of `content.xml`, and the first rows of each sheet. */
export async function readOpenDocumentText(parts: Parts, context: TextContext): Promise<void> {
  if (await isEncrypted(parts)) throw new Unreadable('encrypted');
  const { out, limits } = context;
  let bodies = 0;
  let hidden = 0;
  let cells = 0;
  let rows = 0;
  let wasCut = false;
  await readXmlPart(parts.open('content.xml'), {
    open(name, attributes) {
      if (name === 'body') bodies += 1;
      // Text that was deleted while changes were tracked.
      else if (name === 'tracked-changes') hidden += 1;
      else if (name === 'table') rows = 0;
      else if (name === 'table-cell' || name === 'covered-table-cell') cells += 1;
      else if (hidden > 0 || bodies === 0 || rows >= limits.rows) return;
      else if (name === 's')
        out.add(' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, MAX_SPACES)));
      else if (name === 'tab') out.add('\t');
      else if (name === 'line-break') out.add('\n');
    },
    text(text) {
      if (bodies === 0 || hidden > 0) return;
      if (rows < limits.rows) out.add(text);
      else if (text.trim() !== '') wasCut = true;
    },
    close(name) {
      if (name === 'body') bodies -= 1;
      else if (name === 'tracked-changes') hidden -= 1;
      else if (name === 'table-cell' || name === 'covered-table-cell') {
        cells -= 1;
        if (rows < limits.rows) out.add('\t');
      } else if (name === 'table-row') {
        if (rows < limits.rows) out.add('\n');
        rows += 1;
      } else if (name === 'table') rows = 0;
      else if (name === 'p' || name === 'h') {
        if (rows < limits.rows) out.add(cells > 0 ? ' ' : '\n');
      }
    },
  });
  if (wasCut) throw new Unreadable('cut');
}

async function isEncrypted(parts: Parts): Promise<boolean> {
  let found = false;
  await readXmlPart(parts.open('META-INF/manifest.xml'), {
    open(name) {
      if (name === 'encryption-data') found = true;
    },
  });
  return found;
}
