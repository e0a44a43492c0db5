import { describe, expect, it } from 'vitest';
import { contactsImporter } from '../../src/sources/contacts-importer.ts';
import { collect, makeInputFile } from '../support/input-file.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('vCards', async () => {
  const found = await readFixture(contactsImporter, 'vcards');

  it('of all versions become people, once where two files have the same', () => {
    expect(countRecords(found)).toEqual({ people: 3 });
    expect(found.notes).toEqual(['1 entries stand word for word in another file and are kept once']);
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

  it('of version 2.1 are read through quoted-printable and its encodings', () => {
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

  it('of Google, old and new, and of Outlook become people', () => {
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

  it('are told from other lists of people', async () => {
    const others = [
      'First Name,Last Name,URL,Email Address,Company,Position,Connected On\nA,B,u,e,c,p,01 Jan 2024\n',
      'name,email,phone\nA,a@b.c,1\n',
    ];
    for (const text of others)
      expect((await collect(contactsImporter, [makeInputFile('contacts.csv', text)])).recognised).toEqual([]);
  });
});
