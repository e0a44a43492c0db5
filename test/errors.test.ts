import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { clientErrorCodes } from '../src/client/client-error.ts';
import { AppError, type ErrorCode, errorBody, errorCodes } from '../src/errors.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

describe('docs/errors.md', () => {
  it.each([
    ['error code, with its status', /^\| `(\w+)` +\| (\d{3}) +\| (.+?) +\|$/gm, errorCodes],
    ["client's code, with its exit code", /^\| `(\w+)` +\| (\d) +\| (.+?) +\|$/gm, clientErrorCodes],
  ])('has one line per %s and meaning, in the same order', (_, line, codes) => {
    const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
    const rows = [...page.matchAll(line)].map(([, code, number, meaning]) => [code, Number(number), meaning]);
    expect(rows).toEqual(Object.entries(codes).map(([code, [number, meaning]]) => [code, number, meaning]));
  });
});

describe('error codes', () => {
  it('are words with a fitting status and a sentence each', () => {
    for (const [code, [status, meaning]] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(meaning).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('are all in use, and no others are', () => {
    const text = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'errors.ts')
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
    const unused = Object.keys(errorCodes).filter((code) => !text.includes(`'${code}'`));
    expect(unused).toEqual([]);
    const thrown = [...text.matchAll(/new AppError\(\s*'(\w+)'/g)].map((match) => match[1] as string);
    expect(thrown.length).toBeGreaterThan(20);
    expect(thrown.filter((code) => !Object.hasOwn(errorCodes, code))).toEqual([]);
  });
});

describe("a client's codes", () => {
  it("are each in use, and none of them is the server's", () => {
    const text = readdirSync(join(ROOT, 'src/client'))
      .filter((name) => name !== 'client-error.ts')
      .map((name) => readFileSync(join(ROOT, 'src/client', name), 'utf8'))
      .join('\n');
    const connect = readFileSync(join(ROOT, 'src/cli/connect.ts'), 'utf8');
    const codes = Object.keys(clientErrorCodes);
    expect(codes.filter((code) => !`${text}${connect}`.includes(`'${code}'`))).toEqual([]);
    expect(codes.filter((code) => Object.hasOwn(errorCodes, code))).toEqual([]);
    // What a server refused is the one thing that has a server's code here.
    expect([...text.matchAll(/new AppError\((\w+|'\w+')/g)].map((match) => match[1])).toEqual(['known']);
    expect(connect).not.toContain('AppError');
  });
});

describe('an error on the wire', () => {
  it('has one shape: code, message and facts to correct the call', () => {
    const error = new AppError('unknown_field' as ErrorCode, 'No such field.', {
      hint: 'Try title.',
      available: ['title'],
      cause: new Error('the inside'),
    });
    expect(error.status).toBe(400);
    const body = errorBody(error, 'req_1');
    expect(body).toEqual({
      error: {
        code: 'unknown_field',
        message: 'No such field.',
        hint: 'Try title.',
        available: ['title'],
        request_id: 'req_1',
      },
    });
    expect(JSON.stringify(body)).not.toContain('the inside');
    expect(errorBody(new AppError('busy', 'Busy.'))).toEqual({ error: { code: 'busy', message: 'Busy.' } });
  });
});
