import { describe, expect, it } from 'vitest';
import { checkDocument, clientGrantTypes } from '../../../src/oauth/documents/check-document.ts';

const ID = 'https://doc.example/client.json';
const redirect_uris = ['https://doc.example/cb'];
const check = (members: Record<string, unknown>) =>
  checkDocument(ID, { client_id: ID, redirect_uris, ...members });

describe('A-09 client metadata document', () => {
  it('is normalised to what the authorization server uses', () => {
    expect(
      check({
        client_name: 'Doc',
        client_uri: 'https://doc.example/about#us',
        redirect_uris: ['http://127.0.0.1/cb', 'http://127.0.0.1/cb', 'https://doc.example/cb'],
        grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'refresh_token', 7, 'implicit'],
        response_types: ['token', 'code id_token'],
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        logo_uri: 'javascript:alert(1)',
        scope: 'everything',
        trusted: true,
        jwks_uri: 'https://doc.example/jwks.json',
        jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] },
      }),
    ).toEqual({
      client_id: ID,
      client_name: 'Doc',
      client_uri: 'https://doc.example/about#us',
      redirect_uris: ['http://127.0.0.1/cb', 'https://doc.example/cb'],
      grant_types: clientGrantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    });
  });

  it('may be minimal', () => {
    expect(check({})).toEqual({
      client_id: ID,
      redirect_uris,
      grant_types: clientGrantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'web',
    });
  });

  it.each([['refresh_token'], [[]], ['implicit'], ['text'], [null]])(
    'may use the same grant types for any list: %j',
    (grant_types) => expect(check({ grant_types }).grant_types).toEqual(clientGrantTypes),
  );

  it.each([
    [['https://doc.example/cb'], 'web'],
    [['https://doc.example/cb', 'http://[::1]/cb'], 'native'],
    [['https://doc.example/cb', 'com.example.app:/cb'], 'native'],
    [['cursor://anysphere.cursor-mcp/oauth/callback'], 'native'],
  ])('with %j is %s', (uris, type) => expect(check({ redirect_uris: uris }).application_type).toBe(type));

  it.each([
    {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    },
    {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods: ['private_key_jwt', 'none'],
    },
    { token_endpoint_auth_methods_supported: ['none'] },
    { token_endpoint_auth_method: 'none' },
  ])('is a public client when it says %j', (members) => {
    expect(check(members).token_endpoint_auth_method).toBe('none');
  });

  it.each([7, '', null, ['Doc']])('ignores the name %j', (client_name) => {
    expect(check({ client_name })).not.toHaveProperty('client_name');
  });

  it.each<[string, Record<string, unknown>]>([
    ['a private_key_jwt client', { token_endpoint_auth_method: 'private_key_jwt' }],
    [
      'a plural without none',
      { token_endpoint_auth_method: 'none', token_endpoint_auth_methods: ['private_key_jwt'] },
    ],
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['client_secret_post', { token_endpoint_auth_method: 'client_secret_post' }],
    ['client_secret_jwt', { token_endpoint_auth_method: 'client_secret_jwt' }],
    [
      'a symmetric method beside none',
      { token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'] },
    ],
    ['an unknown method', { token_endpoint_auth_method: 'magic' }],
    ['a method that is no text', { token_endpoint_auth_method: ['none'] }],
    ['a secret', { client_secret: 's' }],
    ['an empty secret', { client_secret: null }],
    ['the expiry of a secret', { client_secret_expires_at: 0 }],
    ['a private EC key', { jwks: { keys: [{ kty: 'EC', x: 'x', y: 'y', d: 'd' }] } }],
    [
      'a symmetric key',
      {
        jwks: {
          keys: [
            { kty: 'RSA', n: 'n', e: 'e' },
            { kty: 'oct', k: 'k' },
          ],
        },
      },
    ],
    ['the primes of an RSA key', { jwks: { keys: [{ kty: 'RSA', n: 'n', e: 'e', p: 'p', q: 'q' }] } }],
    ['keys that are no key set', { jwks: 'keys' }],
    ['no redirect URIs', { redirect_uris: undefined }],
    ['an empty list of redirect URIs', { redirect_uris: [] }],
    ['redirect URIs that are no list', { redirect_uris: 'https://doc.example/cb' }],
    [
      'one bad redirect URI among good ones',
      { redirect_uris: ['https://doc.example/cb', 'http://doc.example/cb'] },
    ],
    ['a script as redirect URI', { redirect_uris: ['javascript:alert(1)'] }],
    ['a plain client_uri', { client_uri: 'http://doc.example' }],
    ['a script as client_uri', { client_uri: '\tjavascript:alert(1)' }],
    ['a client_uri that is no address', { client_uri: 'https://:' }],
  ])('is refused with %s', (_what, members) => {
    expect(() => check(members)).toThrow();
  });

  it.each([
    'https://doc.example:443/client.json',
    'https://DOC.example/client.json',
    'https://doc.example/client.json/',
    'https://doc.example/client.json?x=1',
  ])('is not the document of %s', (clientId) => {
    expect(() => checkDocument(clientId, { client_id: ID, redirect_uris })).toThrow('another one');
  });

  it.each([null, [], 'text', 7])('is refused when it is %j', (document) => {
    expect(() => checkDocument(ID, document)).toThrow();
  });

  it('does not read members from a prototype', () => {
    expect(() =>
      checkDocument(
        ID,
        JSON.parse(`{"__proto__":{"client_id":"${ID}","redirect_uris":["https://a.example"]}}`),
      ),
    ).toThrow();
  });
});
