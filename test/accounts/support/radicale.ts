import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { useFolder } from '../../support/temp-folder.ts';

const USER = 'anna';
export const PASSWORD = 'secret';

/** Radicale from Debian, with the user anna. */
export interface Radicale {
  readonly port: number;
  stop(): Promise<void>;
  start(): Promise<void>;
  makeCalendar(name: string, displayName?: string): Promise<void>;
  makeAddressBook(name: string): Promise<void>;
  /** Stores an object, such as `work/a.ics`. */
  put(path: string, text: string): Promise<void>;
  delete(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  /** Writes many objects directly to its files. */
  fill(collection: string, objects: ReadonlyMap<string, string>): void;
  /** Forgets all sync tokens. */
  forgetTokens(): void;
  /** Returns what Radicale exports for a collection. */
  export(collection: string): Promise<string>;
}

/** Starts Radicale for the tests of a file. */
export function useRadicale(): Radicale {
  const folder = useFolder();
  const users = join(folder, 'users');
  const data = join(folder, 'data');
  let port = 0;
  let process: ChildProcess | undefined;
  const send = async (method: string, path: string, init: RequestInit = {}) => {
    const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
    const response = await fetch(`http://127.0.0.1:${port}/${USER}/${path}`, {
      method,
      ...init,
      headers: { authorization, ...init.headers },
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return response;
  };
  const makeCollection = async (name: string, displayName: string, type: string) => {
    const [prefix, kind] = type.split(':');
    const space = `xmlns:${prefix}="urn:ietf:params:xml:ns:${prefix === 'C' ? 'caldav' : 'carddav'}"`;
    const body = `<mkcol xmlns="DAV:" ${space}><set><prop><resourcetype><collection/><${prefix}:${kind}/></resourcetype><displayname>${displayName}</displayname></prop></set></mkcol>`;
    await send('MKCOL', `${name}/`, { body, headers: { 'content-type': 'application/xml' } });
  };
  const files = (collection: string) => join(data, 'collection-root', USER, collection);
  const radicale: Radicale = {
    get port() {
      return port;
    },
    async start() {
      port ||= await findPort();
      writeFileSync(users, `${USER}:${PASSWORD}\n`);
      const config = join(folder, 'config');
      writeFileSync(
        config,
        `[server]\nhosts = 127.0.0.1:${port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = ${users}\nhtpasswd_encryption = plain\ndelay = 0\n[storage]\nfilesystem_folder = ${data}\n`,
      );
      process = spawn('radicale', ['--config', config], { stdio: 'ignore' });
      for (let attempt = 0; ; attempt += 1) {
        const answer = await fetch(`http://127.0.0.1:${port}/.web/`).catch(() => undefined);
        await answer?.body?.cancel();
        if (answer !== undefined) return;
        if (attempt === 300 || process.exitCode !== null) throw new Error('Radicale did not start.');
        await wait(100);
      }
    },
    async stop() {
      if (process === undefined || process.exitCode !== null) return;
      const ended = new Promise((resolve) => process?.once('exit', resolve));
      process?.kill('SIGKILL');
      await ended;
    },
    makeCalendar: (name, displayName = name) => makeCollection(name, displayName, 'C:calendar'),
    makeAddressBook: (name) => makeCollection(name, name, 'R:addressbook'),
    async put(path, body) {
      const type = path.endsWith('.vcf') ? 'text/vcard' : 'text/calendar';
      await send('PUT', path, { body, headers: { 'content-type': `${type}; charset=utf-8` } });
    },
    async delete(path) {
      await send('DELETE', path);
    },
    async move(from, to) {
      await send('MOVE', from, { headers: { destination: `http://127.0.0.1:${port}/${USER}/${to}` } });
    },
    fill(collection, objects) {
      mkdirSync(files(collection), { recursive: true });
      for (const [name, text] of objects) writeFileSync(join(files(collection), name), text);
    },
    forgetTokens() {
      for (const collection of readdirSync(files('.')))
        rmSync(join(files(collection), '.Radicale.cache', 'sync-token'), { recursive: true, force: true });
    },
    export: async (collection) => (await send('GET', `${collection}/`)).text(),
  };
  beforeAll(() => radicale.start());
  afterAll(() => radicale.stop());
  return radicale;
}

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
