import { describe, expect, it } from 'vitest';
import { checkRedirectUri } from '../../src/oauth/check-redirect-uri.ts';

const good = [
  'https://app.example/cb',
  'https://app.example',
  'https://app.example:8443/cb?tenant=a@b',
  'https://localhost:3000/cb',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:33418/',
  'http://127.0.0.1:80/callback',
  'http://127.0.0.1',
  'http://[::1]:1455/auth/callback',
  'http://localhost:58135/callback?from=cli',
  'com.example.app:/oauth/callback',
  'com.example.app://callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://publisher.extension/callback',
  'vscode-insiders://publisher.extension/callback',
  `https://app.example/${'a'.repeat(1_980)}`,
];

const bad = {
  'A redirect URI may have at most 2,000 characters.': [`https://app.example/${'a'.repeat(1_981)}`],
  'A redirect URI must be ASCII without spaces or backslashes.': [
    ...[
      '\tjavascript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      'java\u0000script:alert(1)',
    ],
    ...[
      'https://app.example/cb ',
      'https://app.example/a b',
      'https://app.example/\r\nx',
      'https:\\\\app.example/cb',
    ],
    ...['https://app.example\\@evil.example/', 'https://app.example/\u007f', 'https://\u0430pp.example/cb'],
    ...['https://app.example/\u202ecb', '\u00a0javascript:alert(1)', 'http://localhost\\.evil.example/'],
  ],
  'A redirect URI must be an absolute address.': [
    '',
    '/cb',
    'app.example/cb',
    'https://',
    '//app.example/cb',
    'https://[::1/',
    'http://[::1%25lo]/callback',
  ],
  'A redirect URI must not have a fragment.': [
    'https://app.example/cb#x',
    'https://app.example/cb#',
    'com.example.app:/cb#x',
  ],
  'A redirect URI must not have a wildcard.': [
    'https://app.example/*',
    'https://app.example/cb?x=*',
    'com.example.app:/*',
  ],
  'A redirect URI must not have a user name.': [
    ...['https://u@app.example/cb', 'https://u:p@app.example/cb', 'https://@app.example/cb'],
    ...['http://localhost:1@evil.example/callback', 'com.example.app://u@host/cb', 'https://u@@app.example/'],
  ],
  'A web redirect URI must start with https://.': [
    'https:app.example/cb',
    'https:/app.example/cb',
    'HTTPS://app.example/cb',
  ],
  'http is allowed only for 127.0.0.1, [::1] and localhost.': [
    ...['http://app.example/cb', 'http://localhost.evil.example:1/callback', 'http://127.0.0.2:1/callback'],
    ...[
      'http://127.1/cb',
      'http://0x7f000001/cb',
      'http://0.0.0.0/cb',
      'http://192.168.0.2/cb',
      'http:localhost/cb',
    ],
    ...['http://127.0.0.1:/callback', 'http://localhost:/callback', 'http://[::1]:/callback'],
    ...['http://0177.0.0.1/cb', 'http://0x7f.1/cb', 'http://2130706433/cb', 'http://[0:0:0:0:0:0:0:1]/cb'],
    ...['http://localhost./cb', 'http://[::ffff:127.0.0.1]/cb', 'http://LOCALHOST/cb', 'HTTP://localhost/cb'],
  ],
  'A redirect URI must be in the form that browsers use.': [
    ...['http://127.0.0.1:080/callback', 'http://127.0.0.1:0/callback'],
    ...['http://localhost:00080/', 'http://127.0.0.1/a/../callback', 'http://127.0.0.1/%2e%2e/callback'],
    ...['http://127.0.0.1?x=1', 'https://app.example:443/cb', 'https://app.example:/cb'],
    ...['https://APP.example/cb', 'https://app.example./cb', 'https://%61pp.example/cb'],
    ...['https://app.example/cb"x', 'https://0x7f.1/cb', 'https://2130706433/cb'],
    ...['com.example.APP:/cb', 'com.example.app:/a/./cb', 'Cursor://anysphere.cursor-mcp/oauth/callback'],
  ],
  'The scheme of an app must have a dot, as in com.example.app.': [
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'javascript://app.example/%0aalert(1)',
      'data:text/html,x',
    ],
    ...['DATA:text/html,x', 'vbscript:x', 'VBScript:x', 'file:///etc/passwd', 'blob:https://app.example/1'],
    ...[
      'about:blank',
      'view-source:https://app.example/',
      'mailto:a@app.example',
      'ftp://app.example/',
      'ws://localhost/',
    ],
    ...['myapp://cb', 'cursors://cb', 'urn:ietf:wg:oauth:2.0:oob', 'intent://scan/'],
  ],
};

describe('A-11 redirect URI allowlist', () => {
  it.each(good)('allows %s', (uri) => expect(checkRedirectUri(uri)).toBeUndefined());

  for (const [problem, uris] of Object.entries(bad)) {
    it.each(uris)(`refuses %j: ${problem}`, (uri) => expect(checkRedirectUri(uri)).toBe(problem));
  }

  it('refuses a wildcard host by any rule', () => {
    expect(checkRedirectUri('https://*.example/cb')).toBeDefined();
    expect(checkRedirectUri('http://localhost:*/cb')).toBeDefined();
  });
});
