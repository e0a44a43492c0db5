import { describe, expect, it } from 'vitest';
import { formActionFor } from '../../src/http/page-headers.ts';

describe('the form-action of the consent page', () => {
  it.each<[redirect: string | undefined, places: string[]]>([
    [undefined, []],
    ['https://app.example/cb', ['https://app.example']],
    ['https://app.example:8443/cb?x=1', ['https://app.example:8443']],
    ['http://127.0.0.1:5555/callback', ['http://127.0.0.1:5555']],
    ['http://localhost/callback', ['http://localhost']],
    ['http://[::1]:5555/callback', ['http://*:5555']],
    ['http://[::1]/callback', ['http://*:80']],
    ['cursor://anysphere.cursor-mcp/oauth/callback', ['cursor:']],
    ['com.example.app:/cb', ['com.example.app:']],
    [
      'https://vscode.dev/redirect',
      ['https://vscode.dev', 'vscode:', 'http://127.0.0.1:*', 'http://localhost:*'],
    ],
    // Neither a second directive nor a second policy.
    ['https://a;sandbox/cb', []],
    ['https://a,b/cb', []],
  ])('I-03 for %s is our own pages and %j', (redirect, places) => {
    expect(formActionFor(redirect)).toBe(["'self'", ...places].join(' '));
  });
});
