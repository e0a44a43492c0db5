import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config.ts';

const URL = 'postgres://pdpp:secret@db.example:5432/pdpp';

describe('settings of the database', () => {
  it('name PostgreSQL by DATABASE_URL, and nothing without it', () => {
    expect(loadConfig({}, { DATABASE_POOL_SIZE: '5' }).database).toBeUndefined();
    expect(loadConfig({ 'call-timeout': '7' }, { DATABASE_URL: URL }).database).toEqual({
      url: URL,
      poolSize: 10,
      statementTimeoutMs: 7_000,
      pooler: 'none',
    });
    const given = {
      DATABASE_URL: URL.replace('postgres:', 'postgresql:'),
      DATABASE_POOL_SIZE: '3',
      DATABASE_STATEMENT_TIMEOUT: '60',
      DATABASE_POOLER: 'transaction',
      DATABASE_REPLICA_URL: 'postgres://pdpp@replica/pdpp',
    };
    expect(loadConfig({}, given).database).toMatchObject({
      poolSize: 3,
      statementTimeoutMs: 60_000,
      pooler: 'transaction',
      replicaUrl: 'postgres://pdpp@replica/pdpp',
    });
  });

  it.each([
    { DATABASE_URL: 'mysql://db/pdpp' },
    { DATABASE_URL: 'db.example' },
    { DATABASE_URL: 'postgres://one,two:port/pdpp' },
    { DATABASE_REPLICA_URL: 'replica.example' },
    { DATABASE_POOL_SIZE: '1' },
    { DATABASE_POOLER: 'session' },
    { PDPP_SERVER_SECRET: 'short' },
  ])('are refused by name: %j', (environment) => {
    const [name, value] = Object.entries(environment)[0] as [string, string];
    try {
      loadConfig({}, environment);
      expect.unreachable();
    } catch (error) {
      const problems = (error as { details: { problems: string[] } }).details.problems.join();
      expect(problems).toContain(name);
      // A URL holds a password.
      expect(problems).not.toContain(value);
    }
  });

  it('take the server secret as text or from a file', () => {
    const bytes = Buffer.alloc(32, 7);
    for (const text of [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')])
      expect(loadConfig({}, { PDPP_SERVER_SECRET: text }).secret).toEqual({ bytes });
    expect(loadConfig({}, { PDPP_SERVER_SECRET_FILE: '/run/secret' }).secret).toEqual({
      file: '/run/secret',
    });
    expect(loadConfig({}, {}).secret).toBeUndefined();
  });
});
