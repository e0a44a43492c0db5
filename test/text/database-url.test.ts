import { describe, expect, it } from 'vitest';
import { describeDatabaseUrl, splitDatabaseUrl } from '../../src/text/database-url.ts';

describe('the URL of a database', () => {
  it.each([
    ['postgres://db/pdpp', ['postgres://db/pdpp']],
    ['postgresql://u:p%40@db:1/pdpp?sslmode=require', ['postgresql://u:p%40@db:1/pdpp?sslmode=require']],
    [
      'postgres://u@a:1,b:2,[::1]:3/d',
      ['postgres://u@a:1/d', 'postgres://u@b:2/d', 'postgres://u@[::1]:3/d'],
    ],
    ['postgres://u@%2Frun%2Fa,b/d', ['postgres://u@%2Frun%2Fa/d', 'postgres://u@b/d']],
    ['postgres://a,b/d?target_session_attrs=read-write', ['postgres://a/d', 'postgres://b/d']],
    [
      'postgres://a,b/d?target_session_attrs=any&sslmode=require',
      ['postgres://a/d?sslmode=require', 'postgres://b/d?sslmode=require'],
    ],
    [
      'postgres://a,b/d?sslmode=require&target_session_attrs=any',
      ['postgres://a/d?sslmode=require', 'postgres://b/d?sslmode=require'],
    ],
  ])('names its servers: %s', (url, servers) => {
    expect(splitDatabaseUrl(url)).toEqual(servers);
  });

  it.each(['mysql://a/d', 'a', 'postgres://a:b/d', 'postgres://a,b:port/d'])('is refused: %s', (url) => {
    expect(() => splitDatabaseUrl(url)).toThrow();
  });

  it('is described without user and password', () => {
    expect(describeDatabaseUrl('postgres://u:secret@a:1,b:2/pdpp?x=y')).toBe('a:1,b:2/pdpp');
  });
});
