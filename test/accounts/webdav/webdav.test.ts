import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { webdavSource } from '../../../src/accounts/webdav/webdav-source.ts';
import { AppError } from '../../../src/errors.ts';
import { useFakeServer } from '../support/fake-server.ts';
import { createContext, createTestRunner } from '../support/test-runner.ts';

const fake = useFakeServer();

interface File {
  readonly text: string;
  readonly etag: string;
  readonly length?: number;
}

/** Serves a folder as a WebDAV server does. */
function serveFolder(files: Readonly<Record<string, File>>, more = ''): void {
  const list = Object.entries(files).map(
    ([name, { text, etag, length = text.length }]) =>
      `<d:response><d:href>/files/${encodeURIComponent(name)}</d:href><d:propstat><d:prop><d:resourcetype/><d:getetag>${etag}</d:getetag><d:getcontentlength>${length}</d:getcontentlength></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
  );
  const folder = (path: string) =>
    `<d:response><d:href>${path}</d:href><d:propstat><d:prop><d:resourcetype><d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
  fake.handle = ({ method, url = '' }, response) => {
    const file = files[decodeURIComponent(url.replace('/files/', ''))];
    if (method === 'PROPFIND')
      response
        .writeHead(207)
        .end(
          `<d:multistatus xmlns:d="DAV:">${folder('/files/')}${folder('/files/sub/')}${list.join('')}${more}</d:multistatus>`,
        );
    else if (method === 'GET' && file !== undefined) response.writeHead(200).end(file.text);
    else response.writeHead(404).end();
  };
}

function createTrial() {
  const settings = webdavSource.parseSettings({ user: 'anna', server: `${fake.url}files/` });
  const context = createContext({ settings, secret: 'secret', network: fake.createNetwork() });
  return { context, runner: createTestRunner(webdavSource, context) };
}

describe('a folder on a WebDAV server', () => {
  it('downloads new and changed files together, and deletes the copies', async () => {
    serveFolder({
      'a b.ics': { text: 'one', etag: '1' },
      'b.zip': { text: 'two', etag: '1' },
      '.hidden': { text: 'x', etag: '1' },
      'c.part': { text: 'x', etag: '1' },
    });
    const { context, runner } = createTrial();
    expect(await webdavSource.check(context)).toMatchObject({
      account: expect.stringContaining('files'),
      notes: ['The folder contains 2 files.'],
    });
    const texts: string[] = [];
    const first = await runner.run({}, (item) => {
      if (item.kind === 'exports') texts.push(...item.paths.map((path) => readFileSync(path, 'utf8')));
    });
    expect(texts).toEqual(['one', 'two']);
    expect(first.exports.map((path) => path.split('/').at(-1))).toEqual(['a b.ics', 'b.zip']);
    expect(first.exports.filter((path) => existsSync(path))).toEqual([]);
    expect((await runner.run()).exports).toEqual([]);
    serveFolder({ 'a b.ics': { text: 'one', etag: '1' }, 'b.zip': { text: 'new', etag: '2' } });
    expect((await runner.run()).exports.map((path) => path.split('/').at(-1))).toEqual(['b.zip']);
    expect(fake.seen.filter(({ request }) => !/^(GET|PROPFIND) /.test(request))).toEqual([]);
  });

  it('skips a file that is longer than announced, and one that vanished', async () => {
    serveFolder(
      { 'a.zip': { text: 'x'.repeat(100_000), etag: '1', length: 10 }, 'b.zip': { text: 'ok', etag: '1' } },
      '<d:response><d:href>/files/gone.zip</d:href><d:propstat><d:prop><d:getetag>1</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>',
    );
    const { runner } = createTrial();
    const { exports, problems } = await runner.run();
    expect(exports.map((path) => path.split('/').at(-1))).toEqual(['b.zip']);
    expect(problems).toHaveLength(2);
    expect((await runner.run()).problems).toHaveLength(1);
  });

  it('downloads nothing from elsewhere, and no name leads out of the folder', async () => {
    const hrefs = [
      'https://other.test/files/a.zip',
      '/other/b.zip',
      '/files/../c.zip',
      '/files/%2e%2e%2fd.zip',
      '/files/sub/e.zip',
      '/files/f%5c..%5cg.zip',
      '/files/%00h.zip',
    ];
    serveFolder(
      {},
      hrefs
        .map(
          (href) =>
            `<d:response><d:href>${href}</d:href><d:propstat><d:prop><d:getetag>1</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
        )
        .join(''),
    );
    expect((await createTrial().runner.run()).exports).toEqual([]);
    expect(fake.seen.map(({ request }) => request)).toEqual(['PROPFIND /files/']);
  });

  it('needs the address of a folder', () => {
    for (const server of ['', fake.url, 'ftp://a/b', 'https://u:p@a/b'])
      expect(() => webdavSource.parseSettings({ user: 'anna', server })).toThrow(AppError);
  });
});
