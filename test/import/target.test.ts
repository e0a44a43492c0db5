import { hash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { type RunOptions, runImport } from '../../src/import/run-import.ts';
import { undoImport } from '../../src/import/undo-import.ts';
import { importers } from '../../src/sources/importers.ts';
import { makeInputFile } from '../support/input-file.ts';
import { createWorld, NOW } from '../support/world.ts';

async function setUp() {
  const world = await createWorld({ timeZone: 'Europe/Berlin' });
  onTestFinished(() => world.close());
  let clock = NOW.getTime();
  const bring = async (path: string, text: string, run: Partial<RunOptions> = {}) => {
    const { found } = await recogniseInputs(importers, [makeInputFile(path, text)]);
    clock += 1_000;
    const at = new Date(clock);
    const whole = { options: { timeZone: 'Europe/Berlin' }, now: () => at, ...run };
    const one = found[0] as (typeof found)[0];
    const foretold = await runImport(world.store, one, { ...whole, dryRun: true });
    const done = await runImport(world.store, one, whole);
    const { connection_id, connection, matched_by, streams } = done.report;
    expect(foretold.report).toMatchObject({ connection_id, connection, streams });
    return { ...done, id: connection_id, connection, matched_by };
  };
  const undo = (id: number | undefined) => {
    clock += 1_000;
    return undoImport(world.store, id as number, new Date(clock));
  };
  const connections = () =>
    world.store.read.raw
      .prepare('select connection_id as id, display_name as name, account, self from connections order by 1')
      .all();
  return { store: world.store, bring, undo, connections };
}

const schwab = [
  '"Date","Status","Type","CheckNumber","Description","Withdrawal","Deposit","RunningBalance"',
  '"08/17/2022","Posted","DEPOSIT","","Deposit Mobile Banking","","$20.00","$878.47"',
  '"08/14/2022","Posted","ATM","","Corner Bank","$103.00","","$858.47"',
].join('\n');
const n26 = [
  '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"',
  '2020-03-07,,"Rosa Baker",DE27100110000000000000,"Credit Transfer",Rent,"Main Account",328.00,,,',
  '2020-03-08,,"Corner Shop",,"Presentment",,"Main Account",-8.00,,,',
].join('\n');
const camt = (iban: string, day: string, amount: string) => `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt>
<AddtlNtryInf>Fee</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>`;
const mail = (id: string, from: string, folder: string) =>
  `From ${from} Mon Jan 01 10:00:00 2024\nX-Gmail-Labels: ${folder}\nX-GM-THRID: 1\nMessage-ID: <${id}>\nFrom: ${from}\nDate: 01 Jan 2024 10:00:00 +0000\nSubject: ${id}\n\nText ${id}\n\n`;

describe('the connection of an import', () => {
  it('has an id that no guess of the account name can be checked against', async () => {
    const { store, connections } = await setUp();
    const bring = async (account: string, dryRun = false) => {
      const { found } = await recogniseInputs(importers, [makeInputFile('schwab.csv', schwab)]);
      const one = found[0] as (typeof found)[0];
      const recognised = { ...one.recognised, account };
      const run = { options: { timeZone: 'UTC' }, now: () => NOW, dryRun };
      return (await runImport(store, { ...one, recognised }, run)).report;
    };
    for (const account of ['Мария', '山田太郎', 'Мария']) {
      const expected = await bring(account, true);
      const { connection_id, connection } = await bring(account);
      expect(expected).toMatchObject({ connection_id, connection });
    }
    expect(connections()).toMatchObject([
      { id: 'bank', account: 'Мария' },
      { id: 'bank-2', account: '山田太郎' },
    ]);
  });

  it('keeps the id that an earlier version made of a hash', async () => {
    const { store, bring } = await setUp();
    const id = `bank-${hash('sha256', 'Мария', 'hex').slice(0, 6)}`;
    await bring('schwab.csv', schwab, { connectionId: id });
    store.write.raw.prepare('update connections set account = ?').run('Мария');
    const { found } = await recogniseInputs(importers, [makeInputFile('schwab.csv', schwab)]);
    const one = found[0] as (typeof found)[0];
    const recognised = { ...one.recognised, account: 'Мария' };
    const run = { options: { timeZone: 'UTC' }, now: () => NOW };
    const { report } = await runImport(store, { ...one, recognised }, run);
    expect(report).toMatchObject({ connection_id: id, connection: 'same', matched_by: 'account' });
  });

  it('is new for another bank, and the requested name renames no existing one', async () => {
    const { bring, connections } = await setUp();
    await bring('schwab.csv', schwab, { name: 'Schwab' });
    const second = await bring('n26.csv', n26, { name: 'N26' });
    expect(second.connection).toBe('new');
    expect(second.report.other_connections).toEqual([{ connection_id: 'bank', name: 'Schwab' }]);
    expect(connections()).toMatchObject([
      { id: 'bank', name: 'Schwab' },
      { id: 'bank-2', name: 'N26' },
    ]);
    const again = await bring('schwab.csv', schwab, { name: 'Other' });
    expect(again).toMatchObject({ id: 'bank', connection: 'same', matched_by: 'records' });
    expect(again.report.notes).toContainEqual(expect.stringContaining('keeps its name, Schwab'));
    expect(connections()).toMatchObject([{ name: 'Schwab' }, { name: 'N26' }]);
  });

  it('is the one with the same account number, even without a common record', async () => {
    const { bring } = await setUp();
    const [first, second] = ['DE02120300000000202051', 'DE02500105170137075030'];
    expect((await bring('a.xml', camt(first, '2024-01-31', '4.90'))).connection).toBe('new');
    expect(await bring('b.xml', camt(first, '2024-02-29', '4.90'))).toMatchObject({
      id: 'bank',
      matched_by: 'account_number',
    });
    // The bank takes the same fee on the same day from another account.
    expect(await bring('c.xml', camt(second, '2024-01-31', '4.90'))).toMatchObject({
      id: 'bank-2',
      connection: 'new',
    });
  });

  it('is separate for each account of statements imported together', async () => {
    const [first, second] = ['DE02120300000000202051', 'DE02500105170137075030'];
    const files = [
      makeInputFile('a.xml', camt(first, '2024-01-31', '4.90')),
      makeInputFile('b.xml', camt(second, '2024-01-31', '7.90')),
      makeInputFile('c.xml', camt(first, '2024-02-29', '4.90')),
    ];
    const { found } = await recogniseInputs(importers, files);
    expect(found.map(({ recognised }) => recognised.files.map(({ path }) => path))).toEqual([
      ['a.xml', 'c.xml'],
      ['b.xml'],
    ]);
  });

  it('is the one of the same owner for parts of a mailbox without common mail', async () => {
    const { bring } = await setUp();
    const gmail = (id: string, from: string) =>
      mail(id, from, 'Sent') + mail(`${id}2`, 'c@example.org', 'Inbox');
    await bring('All mail.mbox', gmail('a', 'anna@example.org'));
    expect(await bring('All mail.mbox', gmail('b', 'Anna@example.org'))).toMatchObject({
      connection: 'same',
      matched_by: 'owner',
    });
    // Both have the mails that they wrote to each other.
    expect(await bring('All mail.mbox', gmail('a', 'ben@example.org'))).toMatchObject({ connection: 'new' });
  });

  it('is the requested one, or a new one on request', async () => {
    const { bring } = await setUp();
    await bring('schwab.csv', schwab);
    expect(await bring('n26.csv', n26, { connectionId: 'bank' })).toMatchObject({
      connection: 'same',
      matched_by: 'request',
    });
    expect(await bring('schwab.csv', schwab, { isNew: true })).toMatchObject({ id: 'bank-2' });
    await bring('a.vcf', 'BEGIN:VCARD\nVERSION:3.0\nUID:1\nFN:Rosa\nEND:VCARD\n');
    await expect(bring('schwab.csv', schwab, { connectionId: 'contacts' })).rejects.toThrow('another source');
  });

  it('is found for imports of an earlier version, which stored neither zone nor reason', async () => {
    const { store, bring } = await setUp();
    await bring('schwab.csv', schwab);
    const forget = `update imports set report = json_remove(report, '$.key_zone', '$.matched_by', '$.added')`;
    store.write.raw.exec(forget);
    const again = await bring(
      'schwab.csv',
      `${schwab}\n"08/18/2022","Posted","ATM","","Baker","$3.00","","$875.47"`,
    );
    expect(again).toMatchObject({ id: 'bank', connection: 'same' });
    expect(again.report.streams.transactions).toMatchObject({ new: 1, same: 2 });
  });

  it('is found where an earlier version stored accounts of others as the owner’s', async () => {
    const { store, bring } = await setUp();
    const dkb = [
      '"Kontonummer:";"DE02120300000000202051 / EUR"',
      '',
      '"Buchungstag";"Wertstellung";"Buchungstext";"Auftraggeber / Begünstigter";"Verwendungszweck";"Kontonummer";"BLZ";"Betrag (EUR)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"',
      '"03.01.2025";"03.01.2025";"LASTSCHRIFT";"Film Club";"Abo";"NL91ABNA0417164300";"";"-12,99";"";"F-1";""',
      '"05.01.2025";"05.01.2025";"LASTSCHRIFT";"Music Club";"Abo";"SE4550000000058398257466";"";"-9,99";"";"M-1";""',
    ].join('\n');
    await bring('dkb.csv', dkb);
    const accounts = `where stream_id = (select stream_id from streams where stream = 'accounts')`;
    store.write.raw.exec(`update facets set key = 'other' ${accounts};
      update records set key = 'other', data = json_set(data, '$.id', 'other', '$.iban', 'NL91ABNA0417164300') ${accounts}`);
    const again = await bring('dkb.csv', dkb);
    expect(again).toMatchObject({ connection: 'same', matched_by: 'records' });
    expect(again.report.streams.transactions).toMatchObject({ new: 0, same: 2 });
    const other = await bring(
      'other.csv',
      dkb.replace('0000202051', '0000202077').replaceAll('Club', 'Shop'),
    );
    expect(other.connection).toBe('new');
  });

  it('is as before after an import into it is undone', async () => {
    const { bring, undo, connections } = await setUp();
    const chat = (name: string, text: string) =>
      `01/02/2024, 10:00 - ${name}: ${text}\n01/02/2024, 10:05 - Bo: Yes\n`;
    await bring('WhatsApp Chat with Bo.txt', chat('Anna Weber', 'Are you there?'), { name: 'My chats' });
    const before = connections();
    const second = await bring('WhatsApp Chat with Bo.txt', chat('Ben Huber', 'Hello'), {
      connectionId: 'whatsapp',
      name: 'Other name',
    });
    expect(connections()).not.toEqual(before);
    await undo(second.import_id);
    expect(connections()).toEqual(before);
  });
});
