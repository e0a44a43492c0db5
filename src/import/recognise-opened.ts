import type { Importer, InputFile } from './importer.ts';
import type { Opened } from './open/opened.ts';
import { peekText } from './read/decode-text.ts';
import { type FoundExports, recogniseInputs } from './recognise-inputs.ts';

/** Recognises what was opened. Of files that nobody reads for a reason of ours, the reason is among the problems. */
export async function recogniseOpened(
  importers: readonly Importer[],
  opened: Opened,
  format?: string,
): Promise<FoundExports> {
  const { found, leftovers } = await recogniseInputs(importers, opened.files, format);
  const unread: InputFile[] = [];
  const told = new Set<string>();
  for (const file of leftovers) {
    if (await isEmpty(file)) {
      opened.refuse(file.path, 'is empty');
      continue;
    }
    const reason = (await hasOwnEntities(file))
      ? 'is XML with entities of its own, which is not read'
      : await explain(importers, file);
    // There may be thousands of pages of one export; why they are not read is said once.
    if (reason === undefined || told.has(reason)) unread.push(file);
    else opened.refuse(file.path, reason);
    if (reason !== undefined) told.add(reason);
  }
  return { found, leftovers: unread };
}

async function explain(importers: readonly Importer[], file: InputFile): Promise<string | undefined> {
  for (const importer of importers) {
    const reason = await importer.explain?.(file);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether there is nothing in a file but blanks. One that breaks off in its pack has a reason of its own. */
async function isEmpty(file: InputFile): Promise<boolean> {
  if (file.bytes !== undefined && file.bytes > 1_000) return false;
  const text = await peekText(file);
  return /^[\s\ufeff]*$/.test(text) && (file.bytes === undefined || text.length > 0 || file.bytes === 0);
}

/** Entities can make a gigabyte of a kilobyte, or name files of this machine; no export needs them. */
async function hasOwnEntities(file: InputFile): Promise<boolean> {
  const begun = Buffer.from((await file.head()).subarray(0, 4)).toString('latin1');
  // Looked for by the first bytes first: there may be a hundred thousand photos.
  if (!/^(?:\s*<|\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.test(begun)) return false;
  return /^\s*<(?:\?xml|!)[\s\S]*<!ENTITY\s/.test(await peekText(file));
}
