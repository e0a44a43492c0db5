import { describe, expect, it } from 'vitest';
import { carddavSource } from '../../../src/accounts/dav/dav-source.ts';
import { contactsImporter } from '../../../src/sources/contacts/contacts-importer.ts';
import { collect, makeInputFile } from '../../support/input-file.ts';
import { PASSWORD, useRadicale } from '../support/radicale.ts';
import { createContext, createTestRunner } from '../support/test-runner.ts';
import { useTlsProxy } from '../support/tls-proxy.ts';

const radicale = useRadicale();
const proxy = useTlsProxy(radicale);

const card = (uid: string, name: string) =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nFN:${name}\r\nN:${name};;;;\r\nEMAIL;TYPE=work:${uid}@example.org\r\nTEL;TYPE=CELL:+49 30 1\r\nBDAY:1970-02-03\r\nNOTE:Two\\nlines\r\nEND:VCARD\r\n`;

describe('CardDAV with Radicale', () => {
  it('stores what an import of the exported address book would, and follows changes', async () => {
    await radicale.makeAddressBook('people');
    await radicale.makeCalendar('work');
    await radicale.put('people/a.vcf', card('a', 'Ann'));
    await radicale.put('people/b.vcf', card('b', 'Bob'));
    const settings = carddavSource.parseSettings({ user: 'anna', server: `${proxy.url}anna/` });
    const context = createContext({ settings, secret: PASSWORD });
    expect((await carddavSource.check(context)).collections.map(({ name }) => name)).toEqual(['people']);
    const runner = createTestRunner(carddavSource, context);
    expect(await runner.run()).toMatchObject({ put: 2, problems: [] });
    const imported = await collect(contactsImporter, [
      makeInputFile('p.vcf', await radicale.export('people')),
    ]);
    const byId = (one: Record<string, unknown>, other: Record<string, unknown>) =>
      String(one.id) < String(other.id) ? -1 : 1;
    expect(runner.records('people').sort(byId)).toEqual(imported.records.people?.sort(byId));

    await radicale.put('people/a.vcf', card('a', 'Ann Other'));
    await radicale.delete('people/b.vcf');
    await radicale.put('people/c.vcf', card('c', 'Cem'));
    expect(await runner.run()).toMatchObject({ put: 2, removed: 1 });
    expect(runner.titles('name')).toEqual(['Ann Other', 'Cem']);
    expect(proxy.seen.filter((request) => !/^(PROPFIND|REPORT) /.test(request))).toEqual([]);
  });
});
