import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Connection,
  connectionFile,
  listConnectionFiles,
  makeConnectionFolder,
  readConnection,
  removeConnection,
  writeConnection,
} from '../../src/client/connection-file.ts';
import { getConnection } from '../../src/client/find-connection.ts';
import { makeFolder } from '../support/temp-folder.ts';

const connection: Connection = {
  server: 'https://data.example/mcp',
  issuer: 'https://data.example',
  resource: 'https://data.example/mcp',
  client: { client_id: 'client' },
  tokens: { access_token: 'access', token_type: 'Bearer', refresh_token: 'refresh' },
  connected_at: '2026-11-16T12:00:00.000Z',
};

function store(directory: string, name: string, server = connection.server): string {
  const file = connectionFile(directory, name);
  makeConnectionFolder(file);
  writeConnection(file, { ...connection, server });
  return file;
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const unusable = expect.objectContaining({ code: 'file_unusable' });

describe('a connection file', () => {
  it('S-06 is readable by its owner only, under any umask', () => {
    const before = process.umask(0);
    try {
      const directory = makeFolder();
      const file = store(directory, 'data.example');
      expect(file).toBe(join(directory, '.pdpp', 'client', 'data.example.json'));
      expect([modeOf(join(directory, '.pdpp')), modeOf(dirname(file)), modeOf(file)]).toEqual([
        '700',
        '700',
        '600',
      ]);
      writeConnection(file, connection);
      expect(modeOf(file)).toBe('600');
    } finally {
      process.umask(before);
    }
  });

  it('S-06 is never committed: its folder ignores all its files', () => {
    const directory = makeFolder();
    store(directory, 'a');
    const ignore = join(directory, '.pdpp', '.gitignore');
    expect(readFileSync(ignore, 'utf8')).toBe('*\n');
    writeFileSync(ignore, '# mine\n*\n');
    store(directory, 'b');
    expect(readFileSync(ignore, 'utf8')).toBe('# mine\n*\n');
  });

  it('is read back unchanged', () => {
    const file = store(makeFolder(), 'a');
    expect(readConnection(file)).toEqual(connection);
  });

  it('leaves a data folder in the same place unchanged', () => {
    const directory = makeFolder();
    mkdirSync(join(directory, '.pdpp'), { mode: 0o700 });
    writeFileSync(join(directory, '.pdpp', 'store.sqlite'), 'data');
    store(directory, 'a');
    expect(readFileSync(join(directory, '.pdpp', 'store.sqlite'), 'utf8')).toBe('data');
    expect(listConnectionFiles(directory)).toHaveLength(1);
  });

  it.each([
    ['readable by others', (file: string) => chmodSync(file, 0o644)],
    ['readable by the group', (file: string) => chmodSync(file, 0o640)],
    ['in a folder that others can enter', (file: string) => chmodSync(dirname(file), 0o755)],
    ['not JSON', (file: string) => writeFileSync(file, '{')],
    ['something else', (file: string) => writeFileSync(file, '{"server":"https://data.example/mcp"}')],
    [
      'a link to elsewhere',
      (file: string) => {
        renameSync(file, `${file}.moved`);
        symlinkSync(`${file}.moved`, file);
      },
    ],
    [
      'in a folder that is a link',
      (file: string) => {
        const folder = dirname(file);
        renameSync(folder, `${folder}-moved`);
        symlinkSync(`${folder}-moved`, folder);
      },
    ],
  ])('that is %s is not used', (_, spoil) => {
    const file = store(makeFolder(), 'a');
    spoil(file);
    expect(() => readConnection(file)).toThrow(unusable);
  });

  it('S-06 is not written through a symbolic link', () => {
    const directory = makeFolder();
    const elsewhere = makeFolder();
    symlinkSync(elsewhere, join(directory, '.pdpp'));
    expect(() => makeConnectionFolder(connectionFile(directory, 'a'))).toThrow(unusable);
    expect(() => listConnectionFiles(directory)).not.toThrow();
    mkdirSync(join(elsewhere, 'client'), { mode: 0o700 });
    expect(() => listConnectionFiles(directory)).toThrow(unusable);
  });

  it('in a folder that others can write to is not used', () => {
    const directory = makeFolder();
    store(directory, 'a');
    chmodSync(join(directory, '.pdpp'), 0o777);
    expect(() => listConnectionFiles(directory)).toThrow(unusable);
    expect(() => store(directory, 'b')).toThrow(unusable);
  });

  it.each(['', '.', '..', '../up', 'a/b', '.hidden', 'a b', 'a\0', 'x'.repeat(81)])(
    'cannot be named %j',
    (name) => {
      expect(() => connectionFile('/somewhere', name)).toThrow(
        expect.objectContaining({ code: 'wrong_use' }),
      );
    },
  );

  it('reports a folder that cannot be created', () => {
    const directory = makeFolder();
    writeFileSync(join(directory, 'file'), '');
    expect(() => store(join(directory, 'file'), 'a')).toThrow(unusable);
  });
});

describe('choosing a connection', () => {
  it('searches parent folders and uses the nearest connection', () => {
    const top = makeFolder();
    const below = join(top, 'project', 'src');
    mkdirSync(below, { recursive: true });
    const far = store(top, 'far');
    expect(getConnection({ folder: below }, undefined).file).toBe(far);
    const near = store(join(top, 'project'), 'near');
    expect(getConnection({ folder: below }, undefined).file).toBe(near);
    expect(() => getConnection({ folder: below }, 'far')).toThrow(
      expect.objectContaining({ code: 'not_connected' }),
    );
    removeConnection(near);
    expect(getConnection({ folder: below }, undefined).file).toBe(far);
  });

  it('uses the only connection, a name or an address', () => {
    const directory = makeFolder();
    expect(() => getConnection({ folder: directory }, undefined)).toThrow(
      expect.objectContaining({ code: 'not_connected', hint: expect.stringContaining('pdpp connect') }),
    );
    store(directory, 'work', 'https://work.example/mcp');
    expect(getConnection({ folder: directory }, undefined).name).toBe('work');
    store(directory, 'home', 'http://127.0.0.1:7733/mcp');
    expect(() => getConnection({ folder: directory }, undefined)).toThrow(
      expect.objectContaining({ code: 'wrong_use', details: { connected: ['home', 'work'] } }),
    );
    expect(getConnection({ folder: directory }, 'work').name).toBe('work');
    expect(getConnection({ folder: directory }, 'work.example').name).toBe('work');
    expect(getConnection({ folder: directory }, '127.0.0.1:7733').name).toBe('home');
    expect(() => getConnection({ folder: directory }, 'http://work.example')).toThrow(
      expect.objectContaining({ code: 'not_connected' }),
    );
  });

  it('works although another connection is broken', () => {
    const directory = makeFolder();
    store(directory, 'good');
    writeFileSync(store(directory, 'bad'), 'x');
    expect(getConnection({ folder: directory }, 'good').name).toBe('good');
  });
});
