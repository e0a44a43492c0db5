import { describe, expect, it, onTestFinished } from 'vitest';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { type RunOptions, runImport } from '../../src/import/run-import.ts';
import { undoImport } from '../../src/import/undo-import.ts';
import { mailImporter } from '../../src/sources/mail/mail-importer.ts';
import { makeInputFile } from '../support/input-file.ts';
import { createWorld, NOW, type World } from '../support/world.ts';
import { makeMailbox, readCorpus } from './make-mail.ts';

let clock = NOW.getTime();

async function importMailbox(world: World, mailbox: Buffer, run: Partial<RunOptions> = {}) {
  const { found } = await recogniseInputs([mailImporter], [makeInputFile('inbox.mbox', mailbox, 65_536)]);
  clock += 1_000;
  const at = new Date(clock);
  return runImport(world.store, found[0] as (typeof found)[0], {
    options: { timeZone: 'UTC' },
    now: () => at,
    ...run,
  });
}

async function setUp() {
  const world = await createWorld();
  onTestFinished(() => world.close());
  return world;
}

describe('a file attached to a mail', async () => {
  const corpus = readCorpus();
  const mailbox = makeMailbox(corpus);

  it('becomes a record with its text, which search finds', async () => {
    const world = await setUp();
    const { report } = await importMailbox(world, mailbox);
    expect(report.streams.attachments).toEqual({ new: corpus.length, changed: 0, same: 0, skipped: 0 });
    const connection = report.connection_id;
    const { token } = await world.grant([{ connection_id: connection, stream: 'attachments' }]);
    const rows = world.store.read.raw
      .prepare("select data from records join streams using (stream_id) where stream = 'attachments'")
      .all()
      .map((row) => JSON.parse((row as { data: string }).data) as { name: string; text_status: string });
    const statuses = Object.fromEntries(rows.map((row) => [row.name, row.text_status]));
    expect(statuses).toEqual(Object.fromEntries(corpus.map(({ name, status }) => [name, status])));
    for (const { name, words } of corpus)
      for (const word of words) {
        const { structuredContent } = await world.call(token, 'search', { query: word, limit: 50 });
        const found = JSON.stringify(structuredContent);
        expect(found, `${word} in ${name}`).toContain(name);
      }
  });

  it('changes nothing when it is imported again, as a dry run predicts, and goes with an undo', async () => {
    const world = await setUp();
    const some = makeMailbox(corpus.filter(({ name }) => /german/.test(name)));
    const foretold = await importMailbox(world, some, { dryRun: true });
    const first = await importMailbox(world, some);
    expect(foretold.report.streams).toEqual(first.report.streams);
    const again = await importMailbox(world, some);
    expect(again.report.streams.attachments).toMatchObject({ new: 0, changed: 0, skipped: 0 });
    clock += 1_000;
    await undoImport(world.store, first.import_id as number, new Date(clock));
    const left = world.store.read.raw.prepare('select count(*) from records').pluck().get();
    expect(left).toBe(0);
  });

  it('can be reached from its mail, and its mail from it', async () => {
    const world = await setUp();
    const { report } = await importMailbox(world, makeMailbox(corpus.slice(0, 2)));
    const connection = report.connection_id;
    const { token } = await world.grant([
      { connection_id: connection, stream: 'messages' },
      { connection_id: connection, stream: 'attachments' },
    ]);
    const mails = await world.call(token, 'query_records', {
      ...{ stream: 'messages', expand: ['attached_files.name'], fields: ['subject'] },
    });
    const files = await world.call(token, 'query_records', {
      ...{ stream: 'attachments', expand: ['parent.subject'], fields: ['name'] },
    });
    for (const { name } of corpus.slice(0, 2)) {
      expect(JSON.stringify(mails.structuredContent)).toContain(`"name":"${name}"`);
      expect(JSON.stringify(files.structuredContent)).toContain(`"subject":"${name}"`);
    }
  });

  const hidden = { text: 'Grundstücksverkehrsgenehmigung', name: 'letter-german.pdf' };

  /** Everything that an app can see of a mailbox with a grant of one stream. */
  async function look(mailbox: Buffer, stream: string): Promise<unknown[]> {
    const world = await setUp();
    // Keys depend on the secret of a store, which is the same in both worlds.
    await world.store.write.catalog.addKeySecret('same');
    const { report } = await importMailbox(world, mailbox);
    const { token } = await world.grant([{ connection_id: report.connection_id, stream }]);
    const message = { stream: 'messages', connection_id: report.connection_id };
    const file = { stream: 'attachments', connection_id: report.connection_id };
    const calls: [tool: string, args: unknown][] = [
      ['schema', {}],
      ['schema', { stream: 'messages' }],
      ['schema', { stream: 'attachments' }],
      ['query_records', { stream: 'messages', limit: 5 }],
      ['query_records', { stream: 'attachments', limit: 5, count: 'exact' }],
      ['query_records', { ...message, expand: ['attached_files'] }],
      ['query_records', { ...message, filter: { 'attached_files.name': hidden.name } }],
      ['query_records', { ...file, expand: ['parent'] }],
      ['query_records', { ...file, filter: { 'parent.subject': hidden.name } }],
      ['aggregate', { stream: 'messages' }],
      ['aggregate', { stream: 'attachments', group_by: ['media_type'] }],
      ['aggregate', { stream: 'attachments', group_by: ['parent.subject'] }],
      ['search', { query: hidden.text }],
      ['search', { query: 'Grundstucksverkehrsgenehmigun' }],
      ['search', { query: 'secret lighthouse' }],
      ['fetch', { id: `${report.connection_id}/attachments/${hidden.name}@example.org/1-x` }],
      [
        'fetch',
        { id: `${report.connection_id}/messages/${hidden.name}@example.org`, expand: ['attached_files'] },
      ],
    ];
    const answers: unknown[] = [];
    for (const [tool, args] of calls) {
      const { content, isError } = await world.call(token, tool, args);
      answers.push([
        tool,
        args,
        isError,
        content[0]?.text
          .replace(/req_[0-9a-f]+/g, 'req')
          .replace(/"[\w.-]{80,}"/g, ({ length }) => `cursor of ${length}`),
      ]);
    }
    return answers;
  }

  it('is not readable for an app that has only the mails', async () => {
    // The same mails, with files of the same names and sizes that hold something else.
    const others = corpus.map((file) => ({ ...file, bytes: Buffer.alloc(file.bytes.length, 7) }));
    const answers = await look(makeMailbox(corpus), 'messages');
    expect(answers).toEqual(await look(makeMailbox(others), 'messages'));
    expect(JSON.stringify(answers)).not.toContain('überfällig');
  });

  it('shows nothing of its mail to an app that has only the attachments', async () => {
    const few = makeMailbox(corpus.slice(0, 12));
    const other = few
      .toString('latin1')
      .replace(/^Subject: .*$/gm, 'Subject: a secret lighthouse')
      .replace(/^From: .*$/gm, 'From: other@example.net\nTo: nobody@example.net')
      .replaceAll('\nHello\n', '\nMeet me at the secret lighthouse.\n');
    const answers = await look(few, 'attachments');
    expect(answers).toEqual(await look(Buffer.from(other, 'latin1'), 'attachments'));
    expect(JSON.stringify(answers)).toContain('.docx');
  });
});
