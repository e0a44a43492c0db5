import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { AttachedFile } from '../../attachments/attached-file.ts';
import type { InputFile } from '../../import/importer.ts';
import { parseExactJson } from '../../import/read/read-json.ts';
import { listOf, textOf } from '../values/json.ts';

/** Columns of the table of files, in the order in which `readMessageFiles` expects them. */
export const FILE_COLUMNS = ['transfer_name', 'filename', 'mime_type'];

export interface MessageFile {
  readonly name: string | undefined;
  /** Where the file was on the Mac or the iPhone. */
  readonly path: string | undefined;
  readonly type: string | undefined;
}

/** Reads the files of a message: a JSON list of rows. */
export function readMessageFiles(written: unknown): MessageFile[] {
  const parsed = parseExactJson(textOf(written) ?? '[]');
  const rows = parsed.kind === 'broken' ? [] : listOf(parsed.value);
  return rows.map((row) => {
    const [name, path, type] = listOf(row).map(textOf);
    return { name: textOf((name ?? path)?.split('/').at(-1)), path, type };
  });
}

/** The name of the database in a backup of an iPhone, which names files by a hash of their path. */
const BACKUP_NAME = /(?:^|\/)3d\/3d0d7e5fb2ce288813306e4d4636395e047a3d28$/;

/** Finds a file in the folder `Attachments` beside the database, or in a backup. */
export function locateFile({ name, path = '', type }: MessageFile, database: InputFile): AttachedFile {
  const facts = { name, mediaType: type };
  const folder = posix.dirname(database.path);
  if (!BACKUP_NAME.test(database.path)) {
    const below = /(?:^|\/)(Attachments\/.+)$/.exec(path)?.[1];
    return below === undefined ? facts : { ...facts, path: below };
  }
  const inHome = /(?:^~\/|^\/var\/mobile\/)(Library\/SMS\/.+)$/.exec(path)?.[1];
  if (inHome === undefined) return facts;
  const hash = createHash('sha1').update(`MediaDomain-${inHome}`).digest('hex');
  return { ...facts, path: `${hash.slice(0, 2)}/${hash}`, folders: [posix.dirname(folder)] };
}
