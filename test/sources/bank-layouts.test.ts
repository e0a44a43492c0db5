import { describe, expect, it } from 'vitest';
import { cleanData, createKeyMaker } from '../../src/import/make-key.ts';
import { importers } from '../../src/sources/importers.ts';
import { openScratch } from '../../src/store/sqlite/scratch.ts';
import { makeInputFile } from '../support/input-file.ts';

type Data = Record<string, unknown>;

async function read(text: string, timeZone = 'Europe/Berlin') {
  const format = text.startsWith('<?xml') ? 'camt' : 'bank-csv';
  const importer = importers.find((one) => one.format === format) as (typeof importers)[0];
  const options = { timeZone };
  const [recognised] = await importer.recognise([makeInputFile('statement', text)]);
  if (recognised === undefined) throw new Error('not recognised');
  const { streams } = await importer.declare(recognised, options);
  const scratch = openScratch();
  const makeKey = createKeyMaker(scratch, importer.identity);
  const [transactions, accounts, notes]: [Data[], Data[], string[]] = [[], [], []];
  for await (const item of importer.read(recognised, options)) {
    if (item.kind === 'note') notes.push(item.note);
    if (item.kind !== 'record') continue;
    const stream = streams.find(({ name }) => name === item.stream) as (typeof streams)[0];
    const data = cleanData(item.data);
    makeKey(stream, data, item.file.path, item.legacyData);
    (item.stream === 'accounts' ? accounts : transactions).push(data);
  }
  scratch.close();
  return { transactions, accounts, notes, keys: transactions.map(({ id }) => id) };
}

const lines = (...rows: string[]) => `${rows.join('\n')}\n`;

const DKB = lines(
  '"Kontonummer:";"DE02120300000000202051 / EUR"',
  '"Von:";"01.01.2025"',
  '',
  '"Buchungstag";"Wertstellung";"Buchungstext";"Auftraggeber / Begünstigter";"Verwendungszweck";"Kontonummer";"BLZ";"Betrag (EUR)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz"',
  '"03.01.2025";"03.01.2025";"FOLGELASTSCHRIFT";"Film Club";"Abo";"NL91ABNA0417164300";"";"-12,99";"";"F-1";""',
  '"05.01.2025";"05.01.2025";"LASTSCHRIFT";"Music Club";"Premium";"SE4550000000058398257466";"";"-9,99";"";"M-1";""',
);
const ING = lines(
  'IBAN;DE02 5001 0517 0137 0750 30',
  'Saldo;100,00;EUR',
  '',
  'Buchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung',
  '15.04.2024;15.04.2024;Shop;Lastschrift;Einkauf;100,00;EUR;-1.234,50;EUR',
  '02.04.2024;02.04.2024;Ben;Gutschrift;Danke;1.334,50;EUR;20,00;EUR',
);
const VENMO = lines(
  'Account Statement - (@anna-example) ,,,,,,,,,,,,,,,,,,',
  'Account Activity,,,,,,,,,,,,,,,,,,',
  ',ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (tip),Amount (tax),Amount (fee),Tax Rate,Tax Exempt,Funding Source,Destination,Beginning Balance,Ending Balance,Statement Period Venmo Fees',
  ',3100,2024-04-02T10:00:00,Payment,Complete,Rent,Anna Example,Ben Huber,- $220.00,,0,,0,,Visa *1234,,,,',
  ',3101,2024-04-03T11:00:00,Payment,Complete,Dinner,Carla Roth,Anna Example,+ $20.00,,0,,0,,,Venmo balance,,,',
);
const REVOLUT = lines(
  'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
  'CARD_PAYMENT,Current,2024-04-01 09:10:11,2024-04-02 10:00:00,Coffee,-3.20,0.00,EUR,COMPLETED,96.80',
  'EXCHANGE,Current,2024-04-03 12:00:00,2024-04-03 12:00:01,To USD,-50.00,0.50,EUR,COMPLETED,46.30',
  'EXCHANGE,Current,2024-04-03 12:00:00,2024-04-03 12:00:01,From EUR,54.00,0.00,USD,COMPLETED,54.00',
);
const PAYPAL = lines(
  '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Balance","Subject","Note"',
  '"13/04/2024","10:15:00","CEST","Book Shop","Payment","Completed","EUR","-19,99","0,00","-19,99","a@example.org","s@example.org","5AB","80,01","Novel",""',
  '"14/04/2024","11:00:00","CEST","Ben","Payment","Completed","USD","25,00","0,00","25,00","b@example.org","a@example.org","6CD","25,00","","dinner"',
);
const COMDIRECT = lines(
  ';',
  '"Umsätze Girokonto";"Zeitraum: 30 Tage";',
  '',
  '"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";',
  '"15.04.2024";"15.04.2024";"Lastschrift / Belastung";"Auftraggeber: Shop GmbH Buchungstext: Einkauf 123 Ref. X1/2";"-1.234,50";',
  '"02.04.2024";"02.04.2024";"Übertrag / Überweisung";"Empfänger: Ben Huber Kto/IBAN: DE02120300000000202051 BLZ/BIC: BYLADEM1001 Buchungstext: Danke Ref. X2/2";"-20,00";',
  '"01.04.2024";"01.04.2024";"Kartenverfügung";"Buchungstext: Corner Shop Ref. X3/2";"-5,00";',
);
const VOLKSBANK = lines(
  '"Bezeichnung Auftragskonto";"IBAN Auftragskonto";"BIC Auftragskonto";"Bankname Auftragskonto";"Buchungstag";"Valutadatum";"Name Zahlungsbeteiligter";"IBAN Zahlungsbeteiligter";"BIC (SWIFT-Code) Zahlungsbeteiligter";"Buchungstext";"Vorgang/Verwendungszweck";"Umsatz";"Währung"',
  '"Girokonto";"DE02500105170137075030";"GENODEF1XXX";"Volksbank";"03.01.2025";"03.01.2025";"Film Club";"NL91ABNA0417164300";"ABNANL2A";"SEPA-Lastschrift";"Abo Januar";"-12,99";"EUR"',
);
const CAMT = `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Ntry><Amt Ccy="EUR">4.90</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2024-01-02</Dt></BookgDt>
<NtryDtls><TxDtls><RmtInf><Ustrd>
          Rent
          January
        </Ustrd><Ustrd>Flat 2</Ustrd></RmtInf><RltdPties><Cdtr><Nm>
            Anna
            Meier
        </Nm></Cdtr></RltdPties></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
const DOLLARS = lines(
  '"Date","Status","Type","CheckNumber","Description","Withdrawal","Deposit","RunningBalance"',
  '"08/17/2022","Posted","DEPOSIT","","Deposit Mobile Banking","","$20.00","$878.47"',
  '"08/14/2022","Posted","ATM","","Corner Bank","$103.00","","$858.47"',
);

describe('the account of a statement', () => {
  it('is the owner’s in the old DKB layout, not the counterparty’s', async () => {
    const { accounts, transactions } = await read(DKB);
    expect(accounts).toMatchObject([{ iban: 'DE02120300000000202051' }]);
    expect(transactions.map((one) => one.account_id)).toEqual([accounts[0]?.id, accounts[0]?.id]);
    expect(transactions.map((one) => one.counterparty_iban)).toEqual([
      'NL91ABNA0417164300',
      'SE4550000000058398257466',
    ]);
  });

  it.each([
    [
      'N26 of old, which calls that of the other side Account number',
      lines(
        '"Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)","Amount (Foreign Currency)","Type Foreign Currency","Exchange Rate"',
        '"2024-04-15","Shop","","MasterCard Payment","","-1234.5","-1234.5","EUR","1.0"',
        '"2024-04-02","Ben","DE02500105170137075030","Income","dinner","20.0","","",""',
      ),
      undefined,
    ],
    [
      'Sparkasse of old, with an own account and a number before the code of a bank',
      lines(
        '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Begünstigter/Zahlungspflichtiger";"Kontonummer";"BLZ";"Betrag";"Währung";"Info"',
        '"1234567890";"03.04.24";"03.04.24";"LASTSCHRIFT";"Strom";"Stadtwerke";"DE02500105170137075030";"HELADEF1";"-19,50";"EUR";"Umsatz gebucht"',
        '"1234567890";"02.04.24";"02.04.24";"GUTSCHRIFT";"Danke";"Ben";"DE02120300000000202051";"BYLADEM1";"20,00";"EUR";"Umsatz gebucht"',
      ),
      '1234567890',
    ],
  ])('is one for %s', async (_, text, number) => {
    const { accounts, transactions } = await read(text);
    expect(accounts).toHaveLength(1);
    expect(accounts[0]?.iban).toBeUndefined();
    expect(accounts[0]?.account_number).toBe(number);
    expect(transactions.map((one) => one.counterparty_iban)).toContain('DE02500105170137075030');
  });

  it('is that of the row if a statement covers several own accounts', async () => {
    const { accounts } = await read(
      lines(
        '"Rekening","Datum","Naam / Omschrijving","Tegenrekening","Bedrag","Saldo"',
        '"NL91ABNA0417164300","2024-04-15","Shop","","-10,00","100,00"',
        '"NL02ABNA0123456789","2024-04-16","Ben","NL91ABNA0417164300","20,00","120,00"',
      ),
    );
    expect(accounts.map(({ iban }) => iban)).toEqual(['NL91ABNA0417164300', 'NL02ABNA0123456789']);
  });
});

describe('the money of a statement', () => {
  it('has its currency in the ING layout with a date column Valuta', async () => {
    const { transactions, accounts } = await read(ING);
    expect(transactions).toMatchObject([
      { currency: 'EUR', value_date: '2024-04-15' },
      { currency: 'EUR', value_date: '2024-04-02' },
    ]);
    expect(accounts).toMatchObject([{ currency: 'EUR', balance: 100 }]);
  });

  it('has the currency of a dollar sign, which is reported', async () => {
    expect((await read(VENMO)).transactions).toMatchObject([
      { amount: -220, currency: 'USD' },
      { amount: 20, currency: 'USD' },
    ]);
    const { transactions, accounts, notes } = await read(DOLLARS);
    expect(transactions).toMatchObject([{ currency: 'USD' }, { currency: 'USD' }]);
    expect(accounts).toMatchObject([{ currency: 'USD', balance: 878.47 }]);
    expect(notes).toContain('amounts with a $ are taken for USD');
    expect((await read(DOLLARS, 'America/Toronto')).transactions[0]).toMatchObject({ currency: 'CAD' });
    const written = DOLLARS.replaceAll('$', 'A$');
    expect((await read(written)).transactions[0]).toMatchObject({ currency: 'AUD' });
  });

  it.each([
    ['Revolut', REVOLUT, 46.3, 54],
    ['PayPal', PAYPAL, 80.01, 25],
  ])('of %s is an account for each currency, with its own balance', async (_, text, euros, dollars) => {
    const { accounts, transactions } = await read(text);
    expect(accounts).toMatchObject([
      { currency: 'EUR', balance: euros, name: expect.stringMatching(/ EUR$/) },
      { currency: 'USD', balance: dollars, name: expect.stringMatching(/ USD$/) },
    ]);
    for (const { account_id, currency } of transactions)
      expect(accounts.find(({ id }) => id === account_id)?.currency).toBe(currency);
    // The same account when an export has only one of them.
    const one = await read(
      lines(...text.split('\n').filter((line) => !/USD[",]/.test(line) || /To USD/.test(line))),
    );
    expect(one.accounts.map(({ id }) => id)).toEqual([accounts[0]?.id]);
  });

  it('splits comdirect’s cell into counterparty and purpose', async () => {
    expect((await read(COMDIRECT)).transactions).toMatchObject([
      { merchant: 'Shop GmbH', description: 'Einkauf 123', reference: 'X1/2', value_date: '2024-04-15' },
      { merchant: 'Ben Huber', description: 'Danke', counterparty_iban: 'DE02120300000000202051' },
      { merchant: 'Corner Shop', reference: 'X3/2' },
    ]);
  });

  it('has the purpose of Volksbank in its description', async () => {
    const [payment] = (await read(VOLKSBANK)).transactions;
    expect(payment).toMatchObject({ merchant: 'Film Club', description: 'SEPA-Lastschrift\nAbo Januar' });
    expect(payment?.other_columns).not.toHaveProperty('Vorgang/Verwendungszweck');
  });

  it('has texts of CAMT without the indentation of the XML', async () => {
    const [payment] = (await read(CAMT)).transactions;
    expect(payment).toMatchObject({ merchant: 'Anna Meier', description: 'Rent January\nFlat 2' });
  });
});

/** As the version before made them, so that importing over its store doubles nothing. */
it.each([
  ['DKB', DKB, ['xOMu23lIoKGoPtOrusL54A', 'KXLrJPLXeNWS2-fHirqtCA']],
  ['ING', ING, ['9iNLvUTNieBR3N6MMh2SHg', 'j8mXAtIuiJ7d4ov8T8vQmw']],
  ['VENMO', VENMO, ['ST8opscfeTJlpM3dpH2UxA', 'ejUmQ2m5Qv-TkC5CYjpCcg']],
  ['REVOLUT', REVOLUT, ['Iq5hOLpG0z2839zHrCUawQ', 'xSb2Y6U6avYi9zf5gxXaPA', 'eJmXzwQUi6XeNLoP4SV5fQ']],
  ['PAYPAL', PAYPAL, ['-T163I0HqbaTpWG_lXOldQ', 'jk7tEYmpVYZ-PVNuAW27mQ']],
  ['COMDIRECT', COMDIRECT, ['7qQ7Qn2wMriqmBTPmhuPIg', '0rx01Yf65IZjoeshlNu6CQ', 'fZvRX67W7Jq3Q1JUkwWzpQ']],
  ['VOLKSBANK', VOLKSBANK, ['a5qOF6OQ7ToMJm5KHUGmwg']],
  ['CAMT', CAMT, ['irTQRJ4Bk8eKt-2XjG6VJg']],
  ['DOLLARS', DOLLARS, ['siAWetPK0pu13LRLH2y8rQ', 'eZY2YWxn0HdtML2IXgQ6Mg']],
])('keeps the keys of payments of %s', async (_, text, keys) => {
  expect((await read(text)).keys).toEqual(keys);
});
