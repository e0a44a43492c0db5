import { describe, expect, it } from 'vitest';
import type { ImportItem } from '../../../src/import/importer.ts';
import { recogniseInputs } from '../../../src/import/recognise.ts';
import { importers } from '../../../src/sources/importers.ts';
import { makeInputFile } from '../../support/input-file.ts';
import { assistantVariations } from './assistant-variations.ts';
import { bankVariations } from './bank-variations.ts';
import { chatVariations } from './chat-variations.ts';
import { gatheredVariations } from './gathered-variations.ts';
import { genericVariations } from './generic-variations.ts';
import { lifeVariations } from './life-variations.ts';
import { localeVariations } from './locale-variations.ts';
import { mailVariations } from './mail-variations.ts';
import { mediaVariations } from './media-variations.ts';
import { programVariations } from './program-variations.ts';
import { socialVariations } from './social-variations.ts';
import type { Variation } from './variation.ts';
import { worldBankVariations } from './world-bank-variations.ts';

const options = { timeZone: 'Europe/Berlin' };

async function readVariation({ files }: Variation) {
  const given = Object.entries(files).map(([path, content]) => makeInputFile(path, content, 97));
  const { found } = await recogniseInputs(importers, given);
  const yielded: ImportItem[] = [];
  for (const { importer, recognised } of found)
    for await (const item of importer.read(recognised, options)) yielded.push(item);
  return { formats: [...new Set(found.map(({ importer }) => importer.format))], yielded };
}

describe.each([
  ['chats', chatVariations],
  ['assistants', assistantVariations],
  ['networks and messengers', socialVariations],
  ['mail, calendars and contacts', mailVariations],
  ['banks', bankVariations],
  ['banks elsewhere', worldBankVariations],
  ['films, books and music', mediaVariations],
  ['other parts of a life', lifeVariations],
  ['files of any kind', genericVariations],
  ['what other programs make of a source', programVariations],
  ['what was found in public places', gatheredVariations],
  ['other languages and newer programs', localeVariations],
])('%s', (_, variations) => {
  it.each(variations.map((variation) => [`${variation.format}: ${variation.name}`, variation] as const))(
    '%s',
    async (_name, variation) => {
      const { formats, yielded } = await readVariation(variation);
      expect(formats).toEqual([variation.format]);
      for (const [stream, expected] of Object.entries(variation.has)) {
        const records = yielded.flatMap((item) =>
          item.kind === 'record' && item.stream === stream ? [JSON.parse(JSON.stringify(item.data))] : [],
        );
        expect(records).toMatchObject(expected);
        expect(records).toHaveLength(expected.length);
      }
    },
  );
});
