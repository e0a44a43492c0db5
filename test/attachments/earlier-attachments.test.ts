import { expect, it } from 'vitest';
import type { Importer, ImportItem } from '../../src/import/importer.ts';
import { declareStream, hasOne } from '../../src/sources/declare.ts';
import { evernoteImporter } from '../../src/sources/evernote/evernote-importer.ts';
import { importFiles, letter, listRecords, setUp } from './import-exports.ts';

const files = {
  'Mine.enex': `<en-export application="Evernote"><note><title>Brief</title><created>20240501T100000Z</created><resource><data encoding="base64">${letter.toString('base64')}</data><mime>application/pdf</mime><resource-attributes><file-name>Brief.pdf</file-name></resource-attributes></resource></note></en-export>`,
};

/** The stream as it was before files had text. */
const earlierStream = declareStream('attachments', 'Attachments', {
  description: 'Files in notes: name, type and size. Their content is not stored.',
  cursor: 'created_at',
  relations: [hasOne('note', 'notes', 'note_id')],
  fields: {
    ...{ id: 'text', note_id: 'text, required', name: 'text, search', type: 'text', bytes: 'integer' },
    ...{ width: 'integer', height: 'integer', source_url: 'text', created_at: 'time' },
  },
});

/** The importer as it was: each file was a record without text. */
const earlierImporter: Importer = {
  ...evernoteImporter,
  async declare(recognised, options) {
    const declaration = await evernoteImporter.declare(recognised, options);
    const [notes] = declaration.streams;
    return {
      ...declaration,
      streams: [{ ...notes, relationships: [] }, earlierStream] as typeof declaration.streams,
    };
  },
  async *read(recognised, options): AsyncGenerator<ImportItem> {
    for await (const item of evernoteImporter.read(recognised, options)) {
      if (item.kind !== 'record') continue;
      const { attached = [], ...note } = item;
      yield note;
      for (const { fields = {} } of attached) yield { ...note, stream: 'attachments', data: { ...fields } };
    }
  },
};

it('gives a stored file of Evernote its text with the next import, and does not show it with earlier grants', async () => {
  const world = await setUp();
  const { connection_id } = await importFiles(world, earlierImporter, files);
  const [earlier, ...others] = listRecords(world, 'attachments');
  expect(others).toEqual([]);
  expect(earlier).toMatchObject({ name: 'Brief.pdf', bytes: letter.length });
  const { token } = await world.grant([{ connection_id, stream: 'attachments' }]);

  const { streams } = await importFiles(world, evernoteImporter, files);
  expect(streams.attachments).toEqual({ new: 0, changed: 1, same: 0, skipped: 0 });
  expect(listRecords(world, 'attachments')).toEqual([
    {
      ...earlier,
      ...{ parent_id: earlier?.note_id, media_type: 'application/pdf', size_bytes: letter.length },
      ...{ parent_time: '2024-05-01T10:00:00Z', text_status: 'read', text: expect.any(String) },
    },
  ]);
  const shown = await world.call(token, 'query_records', { stream: 'attachments', connection_id });
  expect(JSON.stringify(shown.structuredContent)).toContain('Brief.pdf');
  expect(JSON.stringify(shown.structuredContent)).not.toContain('Grundst');
});

it('gives an earlier connection the stream with the next import', async () => {
  const world = await setUp();
  const earlier: Importer = {
    ...earlierImporter,
    async declare(recognised, options) {
      const declaration = await earlierImporter.declare(recognised, options);
      return { ...declaration, streams: declaration.streams.slice(0, 1) };
    },
    async *read(recognised, options) {
      for await (const item of earlierImporter.read(recognised, options))
        if (item.kind === 'record' && item.stream === 'notes') yield item;
    },
  };
  await importFiles(world, earlier, files);
  const { streams, connection } = await importFiles(world, evernoteImporter, files);
  expect(connection).toBe('same');
  expect(streams.notes).toMatchObject({ new: 0, changed: 0, same: 1 });
  expect(streams.attachments).toEqual({ new: 1, changed: 0, same: 0, skipped: 0 });
});
