import { describe, expect, it, onTestFinished } from 'vitest';
import type { Importer } from '../../src/import/importer.ts';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { runImport } from '../../src/import/run-import.ts';
import { googleKeepImporter } from '../../src/sources/google-keep/google-keep-importer.ts';
import { telegramImporter } from '../../src/sources/telegram/telegram-importer.ts';
import { whatsappImporter } from '../../src/sources/whatsapp/whatsapp-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { createWorld, NOW } from '../support/world.ts';
import { readCorpus } from './make-mail.ts';

const letter = readCorpus().find(({ name }) => name === 'letter-german.pdf')?.bytes as Buffer;

const cases: [importer: Importer, files: Record<string, string | Buffer>][] = [
  [
    whatsappImporter,
    {
      'WhatsApp Chat with Anna/_chat.txt':
        '[01.05.24, 10:00:00] Anna: Hallo\n\u200e[01.05.24, 10:01:00] Anna: \u200e<attached: 00000002-Brief.pdf>\n[14.05.24, 10:02:00] Bea: Danke\n',
      'WhatsApp Chat with Anna/00000002-Brief.pdf': letter,
      'elsewhere/00000002-Brief.pdf': 'not this one',
    },
  ],
  [
    telegramImporter,
    {
      'export/result.json': JSON.stringify({
        name: 'Anna',
        type: 'personal_chat',
        id: 1,
        messages: [
          {
            id: 1,
            type: 'message',
            date: '2024-05-01T10:00:00',
            date_unixtime: '1714557600',
            from: 'Anna',
            from_id: 'user1',
            file: 'files/Brief.pdf',
            text: '',
            text_entities: [],
          },
          {
            id: 2,
            type: 'message',
            date: '2024-05-01T10:00:00',
            date_unixtime: '1714557600',
            from: 'Anna',
            from_id: 'user1',
            file: '../../../etc/passwd',
            text: 'x',
            text_entities: [],
          },
        ],
      }),
      'export/files/Brief.pdf': letter,
    },
  ],
  [
    googleKeepImporter,
    {
      'Keep/Brief.json': JSON.stringify({
        color: 'DEFAULT',
        isTrashed: false,
        isPinned: false,
        isArchived: false,
        title: 'Brief',
        textContent: 'x',
        attachments: [{ filePath: 'Brief.pdf', mimetype: 'application/pdf' }],
        userEditedTimestampUsec: 1714557600000000,
        createdTimestampUsec: 1714557600000000,
      }),
      'Keep/Brief.pdf': letter,
    },
  ],
];

describe('a file beside the messages or notes of an export', () => {
  it.each(cases)('becomes one record with its text', async (importer, files) => {
    const world = await createWorld();
    onTestFinished(() => world.close());
    const inputs = Object.entries(files).map(([path, content]) => makeInputFile(path, content));
    const { found } = await recogniseInputs([importer], inputs);
    const run = { options: { timeZone: 'UTC' }, now: () => NOW };
    const foretold = await runImport(world.store, found[0] as (typeof found)[0], { ...run, dryRun: true });
    const { report } = await runImport(world.store, found[0] as (typeof found)[0], run);
    expect(report.streams.attachments).toEqual({ new: 1, changed: 0, same: 0, skipped: 0 });
    expect(foretold.report.streams).toEqual(report.streams);
    const again = await runImport(world.store, found[0] as (typeof found)[0], run);
    expect(again.report.streams.attachments).toMatchObject({ new: 0, changed: 0, same: 1 });
    const { token } = await world.grant([{ connection_id: report.connection_id, stream: 'attachments' }]);
    const { structuredContent } = await world.call(token, 'search', {
      query: 'Grundstücksverkehrsgenehmigung',
    });
    expect(JSON.stringify(structuredContent)).toContain('Brief.pdf');
  });
});
