import { copyFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import type { InputFile } from '../../../src/import/importer.ts';
import { assistantVariations } from '../../sources/variations/assistant-variations.ts';
import { bankVariations } from '../../sources/variations/bank-variations.ts';
import { chatVariations } from '../../sources/variations/chat-variations.ts';
import { gatheredVariations } from '../../sources/variations/gathered-variations.ts';
import { genericVariations } from '../../sources/variations/generic-variations.ts';
import { lifeVariations } from '../../sources/variations/life-variations.ts';
import { mailVariations } from '../../sources/variations/mail-variations.ts';
import { mediaVariations } from '../../sources/variations/media-variations.ts';
import { programVariations } from '../../sources/variations/program-variations.ts';
import { socialVariations } from '../../sources/variations/social-variations.ts';
import { worldBankVariations } from '../../sources/variations/world-bank-variations.ts';
import { makeInputFile, readInputFolder } from '../input-file.ts';
import { makeFolder } from '../temp-folder.ts';

const FIXTURES = fileURLToPath(new URL('../../sources/fixtures/', import.meta.url));

const variations = [
  ...[assistantVariations, bankVariations, chatVariations, gatheredVariations, genericVariations],
  ...[lifeVariations, mailVariations, mediaVariations, programVariations, socialVariations],
  worldBankVariations,
].flat();

export interface OneExport {
  readonly name: string;
  readonly files: readonly InputFile[];
}

/** Replaces words in every file and in its path. */
async function replaceWords(
  files: readonly InputFile[],
  words: Readonly<Record<string, string>>,
): Promise<InputFile[]> {
  const replace = (text: string) =>
    Object.entries(words).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
  return Promise.all(
    files.map(async (file) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of file.open()) pieces.push(piece);
      return makeInputFile(replace(file.path), replace(Buffer.concat(pieces).toString()));
    }),
  );
}

/** A few records each of one owner, for every format: a folder of the fixtures. */
export function listFirstExports(format: string): OneExport[] {
  return readdirSync(FIXTURES + format).map((name) => ({
    name,
    files: readInputFolder(join(FIXTURES, format, name)),
  }));
}

/** Exports of the same format that other tests have, most of them of other people. */
export async function listOtherExports(format: string): Promise<OneExport[]> {
  const others = variations
    // Files of any kind share only their names, and then their columns differ.
    .filter((variation) => variation.format === format && format !== 'generic')
    .map(({ name, files }) => ({
      name,
      files: Object.entries(files).map(([path, content]) => makeInputFile(path, content)),
    }));
  const words = OTHER_WORDS[format] ?? (others.length === 0 ? OTHER_TIMES : undefined);
  if (words !== undefined)
    for (const { name, files } of listFirstExports(format))
      others.push({ name: `${name} of another owner`, files: await replaceWords(files, words) });
  if (format === 'imessage') others.push({ name: 'another Mac', files: [makeOtherMessages()] });
  if (format === 'apple-notes') others.push({ name: 'another Mac', files: [makeOtherNotes()] });
  return others;
}

/** Other years, other numbers and other places: enough for formats that give each record a time or an id. */
const OTHER_TIMES: Readonly<Record<string, string>> = {
  '2026': '2012',
  '2025': '2011',
  '2024': '2010',
  '2023': '2009',
  '2022': '2008',
  '2021': '2007',
  '17': '13',
  '16': '12',
  example: 'sample',
  '://': '://other.',
};

/** Makes the export of another owner out of a fixture. */
const OTHER_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'google-calendar': { 'anna@': 'ben@', 'UID:': 'UID:other-', '2024': '2023' },
  pinboard: { '2015-': '2011-', '"9c1"': '"4d4"', '"77"': '"55"', 'https://': 'https://other.' },
  listenbrainz: { '17': '13', ana: 'ben', '"m1"': '"m8"', '"r1"': '"r8"', '"r9"': '"r7"' },
  mt940: { '0001234567': '0009876543', ',50N': ',70N', ',00N': ',10N', '1200,N': '900,N' },
  generic: { '2024-': '2019-', log: 'sign', Lauf: 'Schwimmen' },
  gmail: { 'anna@': 'ben@', '@mail.example': '@post.example', '17900': '16900', Anna: 'Ben' },
  'google-keep': { Shopping: 'Ideas', Milk: 'Paint', '16': '15', '2017-03': '2015-02' },
  'google-photos': { IMG_: 'DSC_', 'Photos from 2023': 'Photos from 2019', '169': '155', Alps: 'Lake' },
  tiktok: {
    anna: 'ben',
    '2023-': '2019-',
    '2024-': '2018-',
    '2022-': '2017-',
    '2025-': '2016-',
    '://': '://other.',
  },
  'day-one': { '"uuid": "': '"uuid": "0', '"uuid":"': '"uuid":"0', '20': '19' },
  reddit: { anna: 'ben', abc: 'xyz', '2026-01': '2024-05', loaf: 'cake' },
};

function makeOtherMessages(): InputFile {
  return changeDatabase(
    'imessage/export/chat.db',
    `update message set guid = 'other-' || guid, account = 'E:ben@example.org';
     update chat set guid = guid || '2', chat_identifier = chat_identifier || '2'`,
  );
}

function makeOtherNotes(): InputFile {
  return changeDatabase(
    'apple-notes/store/NoteStore.sqlite',
    `update ZICCLOUDSYNCINGOBJECT set ZIDENTIFIER = 'other-' || ZIDENTIFIER, ZTITLE1 = 'Other ' || ZTITLE1,
       ZMODIFICATIONDATE1 = ZMODIFICATIONDATE1 - 100000000, ZCREATIONDATE1 = ZCREATIONDATE1 - 100000000,
       ZCREATIONDATE3 = ZCREATIONDATE3 - 100000000`,
  );
}

/** A copy of a database of the fixtures, changed. */
function changeDatabase(fixture: string, change: string): InputFile {
  const path = join(makeFolder(), basename(fixture));
  copyFileSync(join(FIXTURES, fixture), path);
  const database = new Database(path);
  database.exec(change);
  database.close();
  return { ...(readInputFolder(join(path, '..'))[0] as InputFile) };
}
