import { describe, expect, it } from 'vitest';
import type { Importer } from '../../src/import/importer.ts';
import { camtImporter } from '../../src/sources/bank/camt-importer.ts';
import { bankCsvImporter } from '../../src/sources/bank/csv-importer.ts';
import { mt940Importer } from '../../src/sources/bank/mt940-importer.ts';
import { ofxImporter } from '../../src/sources/bank/ofx-importer.ts';
import { qifImporter } from '../../src/sources/bank/qif-importer.ts';
import { collect, makeInputFile, readInputFolder } from '../support/input-file.ts';

const read = (importer: Importer, name: string) =>
  collect(importer, readInputFolder(`test/sources/fixtures/${importer.format}/${name}`));
const readText = (importer: Importer, ...texts: string[]) =>
  collect(
    importer,
    texts.map((text, index) => makeInputFile(`file${index}.txt`, text)),
  );
const count = (records: Record<string, unknown[]>) =>
  Object.fromEntries(Object.entries(records).map(([stream, all]) => [stream, all.length]));

describe('OFX', () => {
  it('reads SGML without closing tags', async () => {
    const { recognised, records, problems } = await read(ofxImporter, 'sgml');
    expect(recognised.map(({ account }) => account)).toEqual(['Harbour Bank']);
    expect(count(records)).toEqual({ transactions: 3, balances: 1, accounts: 1 });
    expect(problems).toEqual([
      { path: 'statement.ofx', place: 'item 4', reason: 'has no date, amount or account' },
    ]);
    expect(records.transactions?.[0]).toMatchInlineSnapshot(`
      {
        "account_id": "hKXxGhr6C2LYepVmk6YCVf",
        "account_name": "Harbour Bank …6789",
        "amount": -12.5,
        "booked_at": "2024-04-03T14:30:15Z",
        "currency": "USD",
        "date": "2024-04-03",
        "description": "Bread & rolls",
        "id": "hKXxGhr6C2LYepVmk6YCVf-A1",
        "merchant": "Corner Bakery",
        "method": "card",
        "reference": "A1",
        "status": "booked",
        "type": "POS",
      }
    `);
    expect(records.accounts?.[0]).toMatchInlineSnapshot(`
      {
        "account_number": "000123456789",
        "balance": 87.5,
        "balance_on": "2024-04-30",
        "bank": "Harbour Bank",
        "currency": "USD",
        "id": "hKXxGhr6C2LYepVmk6YCVf",
        "kind": "checking",
        "name": "Harbour Bank …6789",
      }
    `);
  });

  it('separates two payments with the same number', async () => {
    const { records } = await read(ofxImporter, 'sgml');
    expect(records.transactions?.map(({ reference, amount }) => [reference, amount])).toEqual([
      ['A1', -12.5],
      ['A2', -1200],
      ['A2', 300],
    ]);
    expect(records.transactions?.[1]?.id).toMatch(/-A2$/);
    expect(records.transactions?.[2]).not.toHaveProperty('id');
  });

  it('reads XML with CDATA and another currency', async () => {
    const { records, problems } = await read(ofxImporter, 'xml');
    expect(count(records)).toEqual({ transactions: 2, balances: 2, accounts: 1 });
    expect(problems).toEqual([]);
    expect(records.transactions?.[0]).toMatchObject({
      merchant: 'Café <Zoë>',
      amount: -9.99,
      currency: 'EUR',
    });
    expect(records.transactions?.[1]).toMatchObject({
      merchant: 'Refund desk',
      city: 'Lyon',
      currency: 'CHF',
    });
    expect(records.accounts?.[0]).toMatchObject({ balance: -40.01, available_balance: 959.99 });
  });

  it('reads trades, holdings and the names of securities', async () => {
    const { records } = await read(ofxImporter, 'invest');
    expect(count(records)).toEqual({ trades: 2, transactions: 1, holdings: 1, securities: 1, accounts: 1 });
    expect(records.trades?.[0]).toMatchObject({
      security: 'Total Market Fund',
      action: 'buy',
      amount: -251,
      security_id: '922908728',
    });
  });

  it('decodes the declared charset, and detects a wrong one', async () => {
    const text =
      'OFXHEADER:100\nCHARSET:1251\n<OFX><STMTRS><BANKACCTFROM><ACCTID>1</BANKACCTFROM><STMTTRN><DTPOSTED>20240101<TRNAMT>1<NAME>@</STMTTRN></STMTRS></OFX>';
    const [before, after] = text.split('@') as [string, string];
    const cyrillic = Buffer.concat([
      Buffer.from(before),
      Buffer.from([0xcc, 0xe8, 0xf0]),
      Buffer.from(after),
    ]);
    const named = await collect(ofxImporter, [makeInputFile('a', cyrillic)]);
    expect(named.records.transactions?.[0]?.merchant).toBe('Мир');
    const lying = await readText(ofxImporter, text.replace('1251', '1252').replace('@', 'Café'));
    expect(lying.records.transactions?.[0]?.merchant).toBe('Café');
  });

  it('reports an error response of the bank', async () => {
    const text =
      '<?OFX OFXHEADER="200" VERSION="211"?><OFX><BANKMSGSRSV1><STMTTRNRS><STATUS><CODE>2000</CODE></STATUS></STMTTRNRS></BANKMSGSRSV1></OFX>';
    expect((await readText(ofxImporter, text)).problems).toHaveLength(1);
  });

  it('reports a file truncated inside a payment', async () => {
    const text =
      'OFXHEADER:100\n<OFX><BANKACCTFROM><ACCTID>1</BANKACCTFROM><STMTTRN><DTPOSTED>20240101<TRNAMT>1<NAME>x';
    expect((await readText(ofxImporter, text)).problems[0]?.reason).toBe(
      'is cut off: the file ends inside it',
    );
  });
});

describe('QIF', () => {
  it('reads accounts, splits, transfers and trades', async () => {
    const { records, problems, notes } = await read(qifImporter, 'accounts');
    expect(count(records)).toEqual({ transactions: 4, trades: 1, accounts: 3 });
    expect(notes).toEqual(['dates are read day-first; month-first would be impossible']);
    expect(problems.map(({ place, reason }) => [place, reason])).toEqual([
      ['line 49', 'has no date or no amount'],
      ['line 52', 'has no end mark; it may be cut off'],
      [undefined, '1 entries of lists (categories, prices and the like) are not payments and were skipped'],
    ]);
    expect(records.transactions?.slice(0, 2)).toMatchInlineSnapshot(`
      [
        {
          "account_id": "KLMaBwRVzwGGNvPDLuST5f",
          "account_name": "Household",
          "amount": -1250,
          "category": "Housing:Rent",
          "check_number": "1002",
          "date": "2024-01-13",
          "description": "Rent January",
          "merchant": "Landlord",
          "method": "check",
          "status": "booked",
        },
        {
          "account_id": "KLMaBwRVzwGGNvPDLuST5f",
          "account_name": "Household",
          "amount": -60,
          "date": "2024-02-02",
          "merchant": "Supermarket",
          "splits": [
            {
              "amount": -45,
              "category": "Groceries",
              "description": "Food",
            },
            {
              "amount": -15,
              "category": "Household",
            },
          ],
          "status": "booked",
        },
      ]
    `);
    expect(records.trades?.[0]).toMatchObject({ action: 'buy', amount: -251, quantity: 2.5 });
  });

  it('reads years with an apostrophe, month-first dates and CR line ends', async () => {
    const { records } = await readText(
      qifImporter,
      "!Type:CCard\rD12/19'06\rT-1,000.00\rPA\r^\rD1/ 5'06\rT2\r^\r",
    );
    expect(records.transactions?.map(({ date, amount }) => [date, amount])).toEqual([
      ['2006-12-19', -1000],
      ['2006-01-05', 2],
    ]);
  });
});

describe('CAMT.053', () => {
  it('reads entries, their details and balances', async () => {
    const { records, problems } = await read(camtImporter, 'statement');
    expect(count(records)).toEqual({ balances: 2, transactions: 4, accounts: 1 });
    expect(problems.map(({ place }) => place)).toEqual(['entry 6']);
    expect(records.transactions?.[0]).toMatchInlineSnapshot(`
      {
        "account_id": "1awIA6LN0_rDXjH6K5fh5R",
        "account_name": "HARBDEFF …4567",
        "amount": -19.5,
        "counterparty_iban": "DE00999",
        "currency": "EUR",
        "date": "2024-04-03",
        "description": "Abschlag April
      Kunde 42",
        "merchant": "Stadtwerke Köln",
        "method": "direct_debit",
        "reference": "REF-1",
        "status": "booked",
        "type": "PMNT.RDDT.ESDD",
        "value_date": "2024-04-04",
      }
    `);
    expect(
      records.transactions?.slice(1).map(({ merchant, amount, status }) => [merchant, amount, status]),
    ).toEqual([
      ['Anna', -10, 'booked'],
      ['Ben', -20, 'booked'],
      ['Gutschrift', 10, 'pending'],
    ]);
    expect(records.accounts?.[0]).toMatchObject({ balance: 60.5, balance_on: '2024-04-30' });
  });

  it('reads element names with a prefix', async () => {
    const { records } = await readText(
      camtImporter,
      '<n:Document xmlns:n="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"><n:BkToCstmrAcctRpt><n:Rpt><n:Acct><n:Id><n:IBAN>X</n:IBAN></n:Id></n:Acct><n:Ntry><n:Amt Ccy="EUR">1</n:Amt><n:CdtDbtInd>CRDT</n:CdtDbtInd><n:BookgDt><n:Dt>2024-01-02</n:Dt></n:BookgDt></n:Ntry></n:Rpt></n:BkToCstmrAcctRpt></n:Document>',
    );
    expect(records.transactions?.[0]).toMatchObject({ date: '2024-01-02', amount: 1 });
  });
});

describe('MT940', () => {
  it('reads payment details of several countries, and only the balances of whole statements', async () => {
    const { records, problems } = await read(mt940Importer, 'statement');
    expect(problems).toEqual([]);
    expect(records.transactions).toMatchObject([
      {
        merchant: 'Anna Meier Hausverwaltung',
        description: 'Miete und Nebenkosten April',
        date: '2024-04-02',
        amount: -42.5,
        currency: 'EUR',
        method: 'transfer',
        type: 'SEPA-UEBERWEISUNG',
        reference: 'Haus-04',
        counterparty_iban: 'DE02120300000000202051',
      },
      {
        merchant: 'Lamp Company BV',
        description: 'Salary for April',
        date: '2024-04-02',
        value_date: '2024-03-30',
        amount: 1200,
        reference: 'GEHALT-4',
        counterparty_iban: 'NL02ABNA0123456789',
      },
      { merchant: 'Refund taken back', amount: -15, reference: 'B3' },
      { merchant: 'CASH MACHINE HARBOUR STREET WITHDRAWAL', date: '2024-05-02', amount: -8 },
    ]);
    expect(records.balances?.map(({ kind, date, amount }) => [kind, date, amount])).toEqual([
      ['opening', '2024-03-31', 1500],
      ['closing', '2024-04-30', 2634.5],
      ['available', '2024-04-30', 2600],
    ]);
    expect(records.accounts).toMatchObject([
      { name: 'Account …4567', bank: '50010517', currency: 'EUR', balance: 2634.5 },
    ]);
  });

  it('reads the 30th of February, the turn of the year, and expected payments', async () => {
    const text = ':20:X\n:25:NL71RABO0123456789\n:61:2302300102EC1,5NTRFNONREF\n:61:2312310102D2NTRFNONREF\n';
    const { records } = await readText(mt940Importer, text);
    expect(records.transactions).toMatchObject([
      { value_date: '2023-02-28', status: 'pending', amount: 1.5 },
      { value_date: '2023-12-31', date: '2024-01-02', amount: -2 },
    ]);
  });
});

describe('bank CSV', () => {
  const shapes: [string, (string | number | undefined)[][]][] = [
    [
      'dkb',
      [
        ['2024-04-29', -4.5, 'EUR', 'Bäckerei Süß', 'Brot', 'booked'],
        ['2024-04-05', 2500, 'EUR', 'Firma AG', 'Gehalt April', 'pending'],
      ],
    ],
    [
      'sparkasse',
      [
        ['2024-04-03', -1019.5, 'EUR', 'Stadtwerke Köln', 'FOLGELASTSCHRIFT\nStrom April', 'booked'],
        ['2024-04-02', 20, 'EUR', 'Jürgen Müller', 'GUTSCHR. UEBERWEISUNG\nDanke für alles', 'booked'],
      ],
    ],
    [
      'chase',
      [
        ['2024-04-15', -12.5, undefined, 'CORNER BAKERY, NYC', undefined, 'booked'],
        ['2024-04-05', -1200, undefined, 'CHECK 1001', 'CHECK', 'booked'],
        ['2024-04-01', 1300, undefined, 'PAYROLL', undefined, 'booked'],
      ],
    ],
    [
      'paypal',
      [
        ['2024-04-13', -19.99, 'EUR', 'Book Shop', 'Novel', 'booked'],
        ['2024-04-14', 25, 'EUR', 'Ben', 'for dinner', 'pending'],
      ],
    ],
    [
      'revolut',
      [
        ['2024-04-02', -3.2, 'EUR', 'Coffee', undefined, 'booked'],
        ['2024-04-03', -50, 'EUR', 'To USD', undefined, 'booked'],
        ['2024-04-04', -80, 'EUR', 'Hotel', undefined, 'declined'],
      ],
    ],
    [
      'amex',
      [
        ['2024-04-30', -54.2, undefined, 'GROCERY STORE', undefined, 'booked'],
        ['2024-04-12', 100, undefined, 'ONLINE PAYMENT - THANK YOU', undefined, 'booked'],
      ],
    ],
    [
      'ing-nl',
      [
        ['2024-04-12', -23.45, 'EUR', 'Albert Heijn', 'Pasvolgnr: 001', 'booked'],
        ['2024-04-01', 2100, 'EUR', 'Werkgever BV', 'Salaris', 'booked'],
      ],
    ],
  ];
  it.each(shapes)('reads the columns of %s', async (name, rows) => {
    const { records } = await read(bankCsvImporter, name);
    expect(
      records.transactions?.map((one) => [
        one.date,
        one.amount,
        one.currency,
        one.merchant,
        one.description,
        one.status,
      ]),
    ).toEqual(rows);
  });

  it('keeps the whole row, and the account above the table', async () => {
    const { records } = await read(bankCsvImporter, 'dkb');
    expect(records.accounts?.[0]).toMatchObject({
      name: 'Account …4567',
      iban: 'DE00 1001 0000 0001 2345 67',
    });
    expect((await read(bankCsvImporter, 'paypal')).records.transactions?.[1]).toMatchInlineSnapshot(`
      {
        "account_id": "Iq8Kr2NdoF_WDWPY5GTMd3",
        "account_name": "Account EUR",
        "amount": 25,
        "balance": 23.77,
        "booked_at": "2024-04-14T09:00:00Z",
        "currency": "EUR",
        "date": "2024-04-14",
        "description": "for dinner",
        "fee": 1.23,
        "merchant": "Ben",
        "other_columns": {
          "From Email Address": "ben@example.org",
          "Net": "23,77",
          "To Email Address": "anna@example.org",
        },
        "reference": "6CD",
        "status": "pending",
        "type": "Mobile Payment",
      }
    `);
  });

  it('reports unreadable rows and the date order', async () => {
    const { problems } = await read(bankCsvImporter, 'ing-nl');
    expect(problems).toEqual([{ path: 'NL.csv', place: 'line 4', reason: 'has no date or no amount' }]);
    const { notes } = await readText(
      bankCsvImporter,
      'Date,Payee,Amount\n03/04/2024,A,1\n05/04/2024,B,2\n06/04/2024,C,3\n',
    );
    expect(notes).toEqual([expect.stringContaining('day-first')]);
  });

  it('uses the newest balance in either row order', async () => {
    const rows = ['2024-01-02,A,1,11', '2024-01-02,B,2,13', '2024-01-01,C,3,10'];
    const newest = await readText(bankCsvImporter, `Date,Payee,Amount,Balance\n${rows.join('\n')}`);
    expect(newest.records.accounts?.[0]).toMatchObject({ balance: 11, balance_on: '2024-01-02' });
    const oldest = await readText(bankCsvImporter, `Date,Payee,Amount,Balance\n${rows.reverse().join('\n')}`);
    expect(oldest.records.accounts?.[0]).toMatchObject({ balance: 11 });
  });

  it('ignores other tables', async () => {
    const { recognised } = await readText(
      bankCsvImporter,
      'Title,Date\n"The Crown",2024-01-15\n',
      'Name,Year,Rating\nWhiplash,2014,5\n',
      'Date,Symbol,Quantity,Price,Amount,Description\n2024-01-01,ABC,1,2,2,x\n',
      'name,email,amount\nA,a@example.org,5\n',
      'plain words, and more of them\n',
    );
    expect(recognised).toEqual([]);
  });

  it('groups statements by their columns', async () => {
    const one = 'Date,Payee,Amount\n2024-01-01,A,1\n';
    const { recognised } = await readText(bankCsvImporter, one, 'Datum;Betrag;Zweck\n1.1.24;1,00;x\n', one);
    expect(recognised.map(({ files }) => files.map(({ path }) => path))).toEqual([
      ['file0.txt', 'file2.txt'],
      ['file1.txt'],
    ]);
  });
});
