import type { AttachedFile } from '../../attachments/attached-file.ts';
import type { Importer, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readXmlPieces } from '../../import/read/read-xml.ts';
import { addRelation, hasOne } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { openBase64, replaceBase64 } from '../files/base64-parts.ts';
import { makeNote, makeRecord, withFiles } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { readXmlTrees } from '../files/xml-tree.ts';
import { declareNotes } from '../notes/notes-declaration.ts';
import { findResource } from './find-resource.ts';
import { makeNoteKey, type Resource, readEvernoteNote } from './note-record.ts';

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

/** The stream before files had text. */
const fields = {
  note_id: 'text, required',
  name: 'text, search, sensitive: File name',
  type: 'text: Such as image/png, as the export states it',
  bytes: 'integer',
  width: 'integer',
  height: 'integer',
  source_url: 'text',
  created_at: 'time',
  parent_id: 'text: The note that it came with',
} as const;

const declaration = declareAttachments(notes, 'notes', { fields, cursor: 'created_at' });

const evernoteDeclaration = {
  ...declaration,
  streams: declaration.streams.map((stream) =>
    stream.name === 'attachments' ? addRelation(stream, hasOne('note', 'notes', 'note_id')) : stream,
  ),
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
      const parts = readXmlTrees(readXmlPieces(replaceBase64(file, findResource)), (name) => name === 'note');
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
        yield withFiles(
          makeRecord(file, 'notes', { id, ...note.data }, place),
          note.attachments.map((resource, index) => describeResource(file, resource, id, index)),
        );
      }
      for (const note of describeCounts(counts)) yield makeNote(file, note);
    }
  },
};

function describeResource(file: InputFile, resource: Resource, note: string, index: number): AttachedFile {
  const { data, ...facts } = resource;
  const content = openBase64(file, data);
  const fields = { id: hashKey(note, index), note_id: note, ...facts, bytes: content.bytes };
  return { ...content, name: facts.name, mediaType: facts.type, fields };
}

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
