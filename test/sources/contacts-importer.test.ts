import { describe, expect, it } from 'vitest';
import { contactsImporter } from '../../src/sources/contacts/contacts-importer.ts';
import { collect, makeInputFile } from '../support/input-file.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('vCards', async () => {
  const found = await readFixture(contactsImporter, 'vcards');

  it('of all versions become contacts, once if two files are equal', () => {
    expect(countRecords(found)).toEqual({ people: 3 });
    expect(found.notes).toEqual(['1 entries are also in another file and were imported once']);
    expect(found.problems).toEqual([
      { path: 'All Contacts.vcf', place: 'line 30', reason: 'has neither a name nor an address' },
      { path: 'My Contacts.vcf', place: 'line 9', reason: 'ends in the middle of a card' },
    ]);
  });

  it('keep grouped labels, several values, folded lines', () => {
    expect(pickRecord(found, 'people', 0)).toMatchInlineSnapshot(`
      {
        "birthday": "--09-10",
        "dates": [
          "Anniversary: 2001-02-03",
        ],
        "emails": [
          "ann@example.org",
          "ann@work.example",
        ],
        "family_name": "Lee",
        "given_name": "Ann",
        "groups": [
          "friends",
          "my, own",
        ],
        "has_photo": true,
        "id": "-1VATAhhvEzw_HBKaAE4mM",
        "job_title": "Owner",
        "labelled_emails": [
          "home: ann@example.org",
          "work: ann@work.example",
        ],
        "labelled_phones": [
          "Boat: +1 555 0100",
        ],
        "name": "Ann Lee",
        "note": "Likes tea
      and a long walk",
        "organization": "Lee & Sons, Sales",
        "phones": [
          "+1 555 0100",
        ],
        "related": [
          "Spouse: Bo",
        ],
        "updated_at": "2024-05-01T10:00:00Z",
      }
    `);
  });

  it('of version 2.1 are decoded from quoted-printable', () => {
    expect(found.records.people?.[2]).toMatchObject({
      name: 'Jürgen Müller',
      phones: ['+49 30 123'],
      addresses: ['Straße 1, Berlin, 10115, Germany'],
      has_photo: true,
    });
  });
});

describe('contact lists', async () => {
  const found = await readFixture(contactsImporter, 'tables');

  it('of Google, old and new, and of Outlook become contacts', () => {
    expect(countRecords(found)).toEqual({ people: 3 });
    expect(found.records.people?.map(({ name }) => name)).toEqual(['Bo M Berg', 'Ann Lee', 'Cy Dale']);
    expect(found.problems).toEqual([
      { path: 'outlook.csv', place: 'line 3', reason: 'has neither a name nor an address' },
    ]);
    expect(pickRecord(found, 'people', 1)).toMatchInlineSnapshot(`
      {
        "addresses": [
          "1 Road Town",
        ],
        "birthday": "1980-01-02",
        "emails": [
          "ann@example.org",
          "ann@work.example",
        ],
        "family_name": "Lee",
        "given_name": "Ann",
        "groups": [
          "myContacts",
          "Choir",
        ],
        "id": "-1VATAhhvEzw_HBKaAE4mM",
        "job_title": "Owner",
        "labelled_emails": [
          "home: ann@example.org",
          "home: ann@work.example",
        ],
        "labelled_phones": [
          "mobile: +1 555 0100",
        ],
        "name": "Ann Lee",
        "note": "Tea, black",
        "organization": "Lee & Sons",
        "phones": [
          "+1 555 0100",
        ],
        "related": [
          "Spouse: Bo",
        ],
      }
    `);
  });

  it('are distinguished from other lists of people', async () => {
    const others = [
      'First Name,Last Name,URL,Email Address,Company,Position,Connected On\nA,B,u,e,c,p,01 Jan 2024\n',
      'name,email,phone\nA,a@b.c,1\n',
    ];
    for (const text of others)
      expect((await collect(contactsImporter, [makeInputFile('contacts.csv', text)])).recognised).toEqual([]);
  });
});

describe('labels', () => {
  const read = async (path: string, text: string) => {
    const { records } = await collect(contactsImporter, [makeInputFile(path, text)]);
    const [person] = records.people ?? [];
    return [person?.labelled_phones, person?.labelled_emails, person?.labelled_addresses];
  };
  const card = (...lines: string[]) => ['BEGIN:VCARD', 'FN:Ann', ...lines, 'END:VCARD', ''].join('\r\n');

  it.each([
    ['TEL;TYPE=CELL,VOICE,PREF:1', 'mobile: 1'],
    ['TEL;TYPE=cell;TYPE=pref:1', 'mobile: 1'],
    ['TEL;TYPE="work,fax":1', 'work fax: 1'],
    ['TEL;HOME;VOICE:1', 'home: 1'],
    ['TEL;VALUE=uri;TYPE=home:tel:1', 'home: 1'],
    ['item1.TEL:1\r\nitem1.X-ABLabel:_$!<HomeFAX>!$_', 'HomeFAX: 1'],
    ['item1.TEL:1\r\nitem1.X-ABLabel:Summer house', 'Summer house: 1'],
    ['TEL;TYPE=voice:1', undefined],
    ['TEL:1', undefined],
  ])('of a number on a card are kept: %s', async (line, labelled) => {
    const [phones] = await read('a.vcf', card(line));
    expect(phones).toEqual(labelled === undefined ? undefined : [labelled]);
  });

  it('of mail and postal addresses on a card are kept', async () => {
    const text = card(
      'EMAIL;TYPE=INTERNET;TYPE=WORK:ann@work.example',
      'EMAIL:ann@example.org',
      'ADR;TYPE=HOME:;;1 Road;Town;;;',
    );
    expect(await read('a.vcf', text)).toEqual([
      undefined,
      ['work: ann@work.example'],
      ['home: 1 Road, Town'],
    ]);
  });

  it('of lists are kept, beside the value or in the column name', async () => {
    const found = await readFixture(contactsImporter, 'tables');
    expect(
      found.records.people?.map(({ labelled_phones, labelled_emails, labelled_addresses }) => [
        labelled_phones,
        labelled_emails,
        labelled_addresses,
      ]),
    ).toEqual([
      [undefined, ['work: bo@example.org'], undefined],
      [['mobile: +1 555 0100'], ['home: ann@example.org', 'home: ann@work.example'], undefined],
      [['mobile: 555 0101'], undefined, ['work: 2 Lane, Ville']],
    ]);
  });
});
