import type { ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readXmlPieces } from '../../import/read/read-xml.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { readXmlTrees } from '../files/xml-tree.ts';
import { dropEmpty } from '../values/json.ts';
import type { AccountBook } from './account-book.ts';
import { defineBankImporter, recogniseByNumber } from './bank-importer.ts';
import { readCamtAccount, readCamtBalance, readCamtEntry } from './camt-records.ts';

export const camtImporter = defineBankImporter({
  format: 'camt',
  title: 'Bank statement (CAMT.053)',
  guide: {
    steps: [
      'Sign in at your bank and open Statements, Documents or Export.',
      'Choose CAMT.053 (also called ISO 20022 or XML) and the period.',
    ],
    waiting: 'Immediately.',
    choose: 'CAMT.053, the booked statement. CAMT.052 and CAMT.054 work as well.',
  },
  recognise: (files) => recogniseByNumber(files, (head) => STATEMENT_ELEMENT.test(head), ACCOUNT_NUMBER),
  async *read(files, book, options) {
    for (const file of files) yield* readFile(file, book, options);
  },
});

/** The root element of a statement. Its namespace differs by version. */
const STATEMENT_ELEMENT = /<(?:[\w-]+:)?(BkToCstmrStmt|BkToCstmrAcctRpt|BkToCstmrDbtCdtNtfctn)[\s>]/;

/** The account of the statement, not the accounts of its payments. */
const ACCOUNT_NUMBER =
  /<(?:[\w-]+:)?Acct>\s*<(?:[\w-]+:)?Id>\s*<(?:[\w-]+:)?(?:IBAN|Othr>\s*<(?:[\w-]+:)?Id)>([^<]+)/g;

const isPart = (name: string) => name === 'Acct' || name === 'Bal' || name === 'Ntry';

async function* readFile(
  file: InputFile,
  book: AccountBook,
  options: ImportOptions,
): AsyncGenerator<ImportItem> {
  let account: string | undefined;
  let count = 0;
  yield* readEach(file, readXmlTrees(readXmlPieces(file), isPart), function* (part) {
    if (part.kind === 'begin') account = /^(Stmt|Rpt|Ntfctn)$/.test(part.name) ? undefined : account;
    else if (part.tree.name === 'Acct') {
      const found = readCamtAccount(part.tree);
      book.add(found);
      account = found.id;
    } else {
      count += 1;
      const place = `entry ${count}`;
      if (account === undefined) {
        yield makeProblem(file, 'comes before its account', place);
      } else if (part.tree.name === 'Bal') {
        const balance = readCamtBalance(part.tree);
        if (balance === undefined) return yield makeProblem(file, 'has no date or no amount', place);
        book.addBalance(account, balance);
        const data = dropEmpty({
          id: `${account}-${balance.date}-${balance.kind}`,
          account_id: account,
          ...balance,
        });
        yield makeRecord(file, 'balances', data, place);
      } else {
        const payments = readCamtEntry(part.tree, account, options);
        if (payments.length === 0) yield makeProblem(file, 'has no date or no amount', place);
        const named = { account_name: book.nameOf(account) };
        for (const { data, legacyData } of payments)
          yield {
            kind: 'record',
            stream: 'transactions',
            data: { ...data, ...named },
            ...(legacyData === undefined ? {} : { legacyData }),
            place,
            file,
          };
      }
    }
  });
}
