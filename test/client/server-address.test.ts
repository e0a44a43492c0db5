import { describe, expect, it } from 'vitest';
import { isSafeUrl, nameOf, parseServerAddress } from '../../src/client/guarded-fetch.ts';

describe('the address of a server', () => {
  it.each([
    ['https://data.example', 'https://data.example/mcp'],
    ['https://data.example/', 'https://data.example/mcp'],
    ['https://data.example/mcp', 'https://data.example/mcp'],
    ['https://data.example/mcp/', 'https://data.example/mcp'],
    ['data.example', 'https://data.example/mcp'],
    ['data.example/mcp', 'https://data.example/mcp'],
    ['data.example:8443', 'https://data.example:8443/mcp'],
    ['  Data.Example ', 'https://data.example/mcp'],
    ['localhost:7733', 'http://localhost:7733/mcp'],
    ['127.0.0.1:7733/mcp', 'http://127.0.0.1:7733/mcp'],
    ['[::1]:7733', 'http://[::1]:7733/mcp'],
    ['http://127.0.0.1:7733', 'http://127.0.0.1:7733/mcp'],
    ['https://localhost:7733', 'https://localhost:7733/mcp'],
  ])('%s is %s', (typed, meant) => {
    expect(parseServerAddress(typed).href).toBe(meant);
  });

  it.each([
    ['http beyond this computer', 'http://data.example'],
    ['a name that only looks like this computer', 'http://127.0.0.1.evil.example'],
    ['another scheme', 'ftp://data.example'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['a user name', 'https://user@data.example'],
    ['a password', 'https://user:secret@data.example'],
    ['a query', 'https://data.example/mcp?x=1'],
    ['a fragment', 'https://data.example/#x'],
    ['nothing', ''],
    ['spaces', 'not an address'],
  ])('is refused with %s', (_, typed) => {
    expect(() => parseServerAddress(typed)).toThrow(expect.objectContaining({ code: 'wrong_use' }));
  });

  it('determines the name of a connection', () => {
    expect(nameOf(new URL('https://data.example/mcp'))).toBe('data.example');
    expect(nameOf(new URL('http://127.0.0.1:7733/mcp'))).toBe('127.0.0.1_7733');
    expect(nameOf(new URL('http://[::1]:7733/mcp'))).toBe('1__7733');
  });
});

describe('an address that a server names', () => {
  const remote = new URL('https://data.example/mcp');
  const local = new URL('http://127.0.0.1:7733/mcp');

  it.each([
    ['https://login.example/token', true, true],
    ['http://127.0.0.1:9000/token', false, true],
    ['http://localhost:9000/token', false, true],
    ['http://login.example/token', false, false],
    ['http://169.254.169.254/latest', false, false],
    ['https://user:secret@login.example/token', false, false],
    ['file:///etc/passwd', false, false],
    ['javascript:alert(1)', false, false],
  ])('%s: safe for a remote server %s, for a local server %s', (url, forRemote, forLocal) => {
    expect(isSafeUrl(new URL(url), remote)).toBe(forRemote);
    expect(isSafeUrl(new URL(url), local)).toBe(forLocal);
  });
});
