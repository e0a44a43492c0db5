import type { Importer, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readXmlPieces } from '../../import/read/read-xml.ts';
import { declareStream, hasOne } from '../declare.ts';
import { makeNote, makeRecord } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { readXmlTrees } from '../files/xml-tree.ts';
import { declareNotes } from '../notes/notes-declaration.ts';
import { makeNoteKey, readEvernoteNote } from './note-record.ts';

const notes = declareNotes('evernote', 'Evernote', {
  author: 'text',
  source: 'text: How it was made: web.clip, desktop.mac, mobile.ios, …',
  source_url: 'text: The page it was clipped from',
  place: 'text',
  latitude: 'number',
  longitude: 'number',
  reminder_at: 'time',
  reminder_done_at: 'time',
});

const evernoteDeclaration = {
  ...notes,
  streams: [
    ...notes.streams,
    declareStream('attachments', 'Attachments', {
      description: 'Files in notes: name, type and size. Their content is not stored.',
      detail: 'Names, types and sizes of files in your notes.',
      cursor: 'created_at',
      relations: [hasOne('note', 'notes', 'note_id')],
      fields: {
        id: 'text',
        note_id: 'text, required',
        name: 'text, search',
        type: 'text: Such as image/png',
        bytes: 'integer',
        width: 'integer',
        height: 'integer',
        source_url: 'text',
        created_at: 'time',
      },
    }),
  ],
};

export const evernoteImporter: Importer = {
  format: 'evernote',
  title: 'Evernote',
  guide: {
    steps: [
      'In Evernote on a computer, right-click a notebook and choose “Export notebook”.',
      'Choose the format ENEX, repeat this for each notebook, and drop all files here.',
    ],
    waiting: 'Immediately.',
  },
  recognise: (files) =>
    recogniseFiles(files, async (file) =>
      /^\s*<[\s\S]{0,2000}?<en-export[\s>]|^\s*<en-export[\s>]/.test(await peekText(file)),
    ),
  declare: async () => evernoteDeclaration,
  async *read({ files }, options) {
    const seen = new Map<string, string>();
    for (const file of files) {
      const counts = { locked: 0, encrypted: 0, again: 0 };
      let position = 0;
      const parts = readXmlTrees(readXmlPieces(stripResources(file)), (name) => name === 'note');
      for await (const part of parts) {
        if (part.kind === 'problem') yield { ...part, file };
        if (part.kind !== 'tree') continue;
        position += 1;
        const note = readEvernoteNote(part.tree, nameOf(file), options);
        const place = `note ${position}`;
        const content = hashKey(JSON.stringify({ ...note.data, folder: '' }));
        const id = findKey(seen, note.guid ?? makeNoteKey(note.data), content);
        if (note.isLocked) counts.locked += 1;
        if (note.hasEncryptedParts) counts.encrypted += 1;
        if (id === undefined) {
          counts.again += 1;
          continue;
        }
        yield makeRecord(file, 'notes', { id, ...note.data }, place);
        for (const [index, attachment] of note.attachments.entries()) {
          const data = { id: hashKey(id, index), note_id: id, ...attachment };
          yield makeRecord(file, 'attachments', data, place);
        }
      }
      for (const note of describeCounts(counts)) yield makeNote(file, note);
    }
  },
};

/** Returns the key of a note, or undefined for a copy. A different note with the same key gets another key. */
function findKey(seen: Map<string, string>, key: string, content: string): string | undefined {
  for (const id of [key, `${key}-${content}`]) {
    const known = seen.get(id);
    if (known === content) return undefined;
    if (known !== undefined) continue;
    seen.set(id, content);
    return id;
  }
  return undefined;
}

function describeCounts({ locked, encrypted, again }: Record<'locked' | 'encrypted' | 'again', number>) {
  return [
    ...(locked > 0 ? [`${locked} notes are encrypted; their text was not imported`] : []),
    ...(encrypted > 0 ? [`${encrypted} notes have encrypted parts, which were not imported`] : []),
    ...(again > 0 ? [`${again} duplicate notes skipped`] : []),
  ];
}

/** The file is named after its notebook; browsers add a number to a second download. */
function nameOf({ path }: InputFile): string {
  return (path.split('/').at(-1) ?? path).replace(/\.(enex|notes|xml)$/i, '').replace(/ \(\d+\)$/, '');
}

const DATA = Buffer.from('<data');
/** No tag is longer. Text after `<data` without an end is not a tag. */
const MAX_TAG_BYTES = 200;

/** Replaces each resource by its size. An XML parser would hold a resource of 200 MB as one text. */
function stripResources(file: InputFile): InputFile {
  return {
    ...file,
    head: () => file.head(),
    diskPath: () => file.diskPath(),
    open: () => strip(file.open()),
  };
}

async function* strip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending = Buffer.alloc(0);
  /** Base64 characters of the current resource; undefined outside of one. */
  let dropped: number | undefined;
  for await (const chunk of chunks) {
    let bytes = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
    pending = Buffer.alloc(0);
    while (bytes.length > 0) {
      if (dropped !== undefined) {
        const end = bytes.indexOf('<');
        dropped += countBase64(end === -1 ? bytes : bytes.subarray(0, end));
        if (end === -1) break;
        yield Buffer.from(String(Math.floor((dropped * 3) / 4)));
        dropped = undefined;
        bytes = bytes.subarray(end);
      }
      const tag = findDataTag(bytes);
      yield bytes.subarray(0, tag.end);
      bytes = bytes.subarray(tag.end);
      if (tag.kind === 'base64') dropped = 0;
      if (tag.kind === 'unfinished') {
        pending = Buffer.from(bytes);
        break;
      }
    }
  }
  if (dropped !== undefined) yield Buffer.from(String(Math.floor((dropped * 3) / 4)));
  yield pending;
}

type Found = { readonly kind: 'none' | 'base64' | 'unfinished'; readonly end: number };

/** Finds the first resource tag: where copying ends, and what follows. */
function findDataTag(bytes: Buffer): Found {
  for (let at = bytes.indexOf(DATA); at !== -1; at = bytes.indexOf(DATA, at + 1)) {
    const end = bytes.indexOf('>', at);
    if (end === -1)
      return bytes.length - at > MAX_TAG_BYTES
        ? { kind: 'none', end: bytes.length }
        : { kind: 'unfinished', end: at };
    const tag = bytes.toString('latin1', at, Math.min(end, at + MAX_TAG_BYTES));
    if (/^<data\s[^<]*base64["']\s*$/.test(tag)) return { kind: 'base64', end: end + 1 };
  }
  // A piece may end inside a tag.
  for (let length = Math.min(DATA.length - 1, bytes.length); length > 0; length--)
    if (bytes.subarray(bytes.length - length).equals(DATA.subarray(0, length)))
      return { kind: 'unfinished', end: bytes.length - length };
  return { kind: 'none', end: bytes.length };
}

function countBase64(bytes: Buffer): number {
  let count = 0;
  // Everything above a space except padding.
  for (const byte of bytes) if (byte > 0x20 && byte !== 0x3d) count += 1;
  return count;
}
