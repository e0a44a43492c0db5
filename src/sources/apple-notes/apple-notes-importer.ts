import { posix } from 'node:path';
import { gunzipSync, inflateSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import type { Importer, ImportItem, InputFile, Recognised } from '../../import/importer.ts';
import { formatTime } from '../../import/read/read-time.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { makeNote, makeProblem, makeRecord, withFiles } from '../files/import-items.ts';
import { attachIndexed, type FileIndex, indexFiles } from '../files/index-files.ts';
import { listColumns, listTables, openDatabase } from '../files/open-database.ts';
import { findProtobuf, readProtobuf } from '../files/protobuf.ts';
import { declareNotes } from '../notes/notes-declaration.ts';
import { dropEmpty, type JsonObject, textOf } from '../values/json.ts';

const OBJECTS = 'ZICCLOUDSYNCINGOBJECT';
const BODIES = 'ZICNOTEDATA';
/** Apple counts seconds from the beginning of 2001. */
const APPLE_EPOCH_MS = Date.UTC(2001, 0, 1);
const TABLE = 'com.apple.notes.table';

/** Reads the database of Apple Notes. Texts are compressed, and columns differ between system versions. */
export const appleNotesImporter: Importer = {
  format: 'apple-notes',
  title: 'Apple Notes database',
  guide: {
    steps: [
      'On a Mac, quit Notes and open the Finder.',
      'Choose “Go”, “Go to Folder…” and enter ~/Library/Group Containers/group.com.apple.notes.',
      'Drop the file NoteStore.sqlite here, or the whole folder if you want the text of attached files.',
    ],
    waiting: 'None.',
  },
  async recognise(files) {
    const found: Recognised[] = [];
    for (const file of files)
      if (await isNoteStore(file))
        found.push({
          files: [file],
          certainty: 'certain',
          attachmentFolders: [posix.join(posix.dirname(file.path), 'Accounts')],
        });
    return found;
  },
  declare: async () => declareAttachments(declareNotes('apple_notes', 'Apple Notes'), 'notes'),
  async *read({ files, listFiles }) {
    for (const file of files) {
      const database = await openDatabase(file);
      if (database === undefined) continue;
      try {
        const media = indexFiles(listFiles, posix.dirname(file.path), findMediaId);
        yield* readNotes(database, file, media);
      } catch {
        yield makeProblem(file, 'is damaged; only the part before the damage was imported');
      } finally {
        database.close();
      }
    }
  },
};

async function isNoteStore(file: InputFile): Promise<boolean> {
  const database = await openDatabase(file);
  if (database === undefined) return false;
  const tables = new Set(listTables(database));
  database.close();
  return tables.has(OBJECTS) && tables.has(BODIES);
}

/** Returns an SQL expression for the first of these columns that exists and is not empty. */
type FirstOf = (alias: string, ...names: readonly string[]) => string;

function createFirstOf(columns: ReadonlySet<string>): FirstOf {
  return (alias, ...names) => {
    const known = names.filter((name) => columns.has(name)).map((name) => `${alias}.${name}`);
    return `coalesce(${[...known, 'null', 'null'].join(', ')})`;
  };
}

function prepareNotes(database: Database.Database, first: FirstOf): Database.Statement {
  return database.prepare(
    `select n.Z_PK pk, ${first('n', 'ZIDENTIFIER')} identifier, ${first('n', 'ZTITLE1', 'ZTITLE')} title,
       ${first('n', 'ZSNIPPET')} snippet, ${first('n', 'ZCREATIONDATE3', 'ZCREATIONDATE2', 'ZCREATIONDATE1')} created,
       ${first('n', 'ZMODIFICATIONDATE1')} edited, ${first('n', 'ZISPASSWORDPROTECTED')} locked,
       ${first('n', 'ZISPINNED')} pinned, ${first('n', 'ZMARKEDFORDELETION')} trashed,
       ${first('f', 'ZTITLE2')} folder, ${first('a', 'ZNAME')} account, d.ZDATA data
     from ${BODIES} d join ${OBJECTS} n on n.Z_PK = d.ZNOTE
       left join ${OBJECTS} f on f.Z_PK = ${first('n', 'ZFOLDER')}
       left join ${OBJECTS} a on a.Z_PK = ${first('n', 'ZACCOUNT7', 'ZACCOUNT4', 'ZACCOUNT3', 'ZACCOUNT2')}
     order by n.Z_PK`,
  );
}

function* readNotes(database: Database.Database, file: InputFile, media: FileIndex): Generator<ImportItem> {
  const columns = listColumns(database, OBJECTS);
  const first = createFirstOf(columns);
  const listAttachments = columns.has('ZTYPEUTI') ? prepareAttachments(database, first) : () => [];
  let [locked, tables] = [0, 0];
  for (const row of prepareNotes(database, first).iterate() as Iterable<JsonObject>) {
    const body = Buffer.isBuffer(row.data) && row.locked !== 1 ? readAppleNoteBody(row.data) : undefined;
    const place = `note ${String(row.pk)}`;
    if (row.locked === 1) locked += 1;
    else if (body === undefined && row.data !== null) yield makeProblem(file, 'has unreadable text', place);
    const attached = listAttachments(row.pk);
    tables += attached.filter(({ name }) => name === TABLE).length;
    const data = dropEmpty({
      id: textOf(row.identifier) ?? String(row.pk),
      title: textOf(row.title) ?? body?.text.split('\n', 1)[0],
      text: body?.text || (row.locked === 1 ? undefined : textOf(row.snippet)),
      folder: textOf(row.folder),
      account: textOf(row.account),
      created_at: readAppleTime(row.created),
      edited_at: readAppleTime(row.edited) ?? readAppleTime(row.created),
      is_pinned: row.pinned === 1 || undefined,
      is_trashed: row.trashed === 1 || undefined,
      is_locked: row.locked === 1 || undefined,
      attachments: attached.map(({ name }) => name),
      links: body?.links ?? [],
    });
    yield withFiles(
      makeRecord(file, 'notes', data, place),
      attached.flatMap(({ name, id }) => attachIndexed(media, id ?? undefined, name)),
    );
  }
  if (locked > 0) yield makeNote(file, `${locked} notes are locked; their text was not imported`);
  if (tables > 0) yield makeNote(file, `${tables} tables inside notes were not imported`);
}

/** `Accounts/LocalAccount/Media/3F2504E0-…/photo.jpg`: returns the id of the media. */
const findMediaId = (path: string) => /(?:^|\/)Media\/([\dA-Fa-f-]{36})\//.exec(path)?.[1];

interface NoteFile {
  readonly name: string;
  readonly id: string | null;
}

/** Returns the names of attachments, and the ids of their files. An attachment without a name is listed by its type. */
function prepareAttachments(database: Database.Database, first: FirstOf): (note: unknown) => NoteFile[] {
  const list = database.prepare(
    `select coalesce(${first('o', 'ZFILENAME')}, ${first('m', 'ZFILENAME')}, o.ZTYPEUTI) name, ${first('m', 'ZIDENTIFIER')} id
       from ${OBJECTS} o left join ${OBJECTS} m on m.Z_PK = ${first('o', 'ZMEDIA')}
       where o.ZTYPEUTI is not null and ${first('o', 'ZNOTE', 'ZNOTE1')} = ? order by o.Z_PK`,
  );
  return (note) => list.all(note) as NoteFile[];
}

const readAppleTime = (seconds: unknown): string | undefined =>
  typeof seconds === 'number' ? formatTime(APPLE_EPOCH_MS + Math.round(seconds * 1_000)) : undefined;

const MAX_BODY_BYTES = 64 * 2 ** 20;
/** The field numbers that lead to the text: document, then note. */
const [DOCUMENT, NOTE, TEXT, RUN, LINK] = [2, 3, 2, 5, 9];
/** Placeholder in the text for a picture, a table or another file. */
const PLACEHOLDER = /\ufffc/g;

/** Decodes the text of a note: a gzipped protobuf message. Returns undefined for other content. */
export function readAppleNoteBody(data: Buffer) {
  const note = findProtobuf(unpack(data) ?? Buffer.alloc(0), DOCUMENT, NOTE);
  if (note === undefined) return undefined;
  const links = new Set<string>();
  let text: string | undefined;
  for (const { number, value } of readProtobuf(note)) {
    if (typeof value === 'number') continue;
    if (number === TEXT) text ??= value.toString('utf8');
    const link = number === RUN ? findProtobuf(value, LINK)?.toString('utf8') : undefined;
    if (link !== undefined && /^https?:/i.test(link)) links.add(link);
  }
  // A note may be empty: then the message has no text field.
  return { text: (text ?? '').replace(PLACEHOLDER, '').replaceAll('\u2028', '\n').trim(), links: [...links] };
}

function unpack(data: Buffer): Buffer | undefined {
  const options = { maxOutputLength: MAX_BODY_BYTES };
  try {
    return data[0] === 0x1f && data[1] === 0x8b ? gunzipSync(data, options) : inflateSync(data, options);
  } catch {
    return undefined;
  }
}
