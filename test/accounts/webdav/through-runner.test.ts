import { describe, expect, it } from 'vitest';
import { webdavSource } from '../../../src/accounts/webdav/webdav-source.ts';
import { useFakeServer } from '../support/fake-server.ts';
import { openAccount } from '../support/run-account.ts';

const fake = useFakeServer();

const calendar = (...uids: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${uids.map((uid) => `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:20240102T100000Z\r\nSUMMARY:${uid}\r\nEND:VEVENT\r\n`).join('')}END:VCALENDAR\r\n`;

function serve(text: string, etag: string): void {
  const file = `<response><href>/files/work.ics</href><propstat><prop><resourcetype/><getetag>${etag}</getetag><getcontentlength>${text.length}</getcontentlength></prop><status>HTTP/1.1 200 OK</status></propstat></response>`;
  fake.handle = ({ method }, response) => {
    if (method === 'GET') response.writeHead(200).end(text);
    else response.writeHead(207).end(`<multistatus xmlns="DAV:">${file}</multistatus>`);
  };
}

describe('a folder of exports in a store', () => {
  it('imports new and changed exports once', async () => {
    const settings = webdavSource.parseSettings({ user: 'anna', server: `${fake.url}files/` });
    const account = await openAccount('webdav', settings, 'secret', fake.createNetwork());
    serve(calendar('a', 'b', 'c', 'd'), '1');
    expect(await account.sync()).toMatchObject({ state: 'synced', changes: { new: 4 } });
    expect(await account.sync()).toMatchObject({ state: 'synced', changes: { new: 0 } });
    serve(calendar('a', 'b', 'c', 'd', 'e'), '2');
    expect(await account.sync()).toMatchObject({ state: 'synced', changes: { new: 1 } });
    expect((await account.count()).events).toBe(5);
    expect(fake.seen.filter(({ request }) => request.startsWith('GET'))).toHaveLength(2);
  });
});
