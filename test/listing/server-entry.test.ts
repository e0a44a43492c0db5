import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { makeServerEntry, readListing, SERVER_FILE } from '../../scripts/listing.ts';
import { DEFAULT_PORT } from '../../src/guide/command-name.ts';

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const entry = JSON.parse(readFileSync(SERVER_FILE, 'utf8'));
const ajv = new Ajv({
  strict: false,
  formats: { uri: (text: string) => URL.canParse(text), 'uri-template': true },
});
const isValid = ajv.compile(read('server-2025-12-11.schema.json'));

describe('server.json', () => {
  it('is written from package.json: npm run listing', () => {
    expect(entry).toEqual(makeServerEntry());
  });

  it('has the form that the MCP registry publishes', () => {
    expect([isValid(entry), isValid.errors]).toEqual([true, null]);
    for (const wrong of [
      { ...entry, name: 'pdpp' },
      { ...entry, description: 'x'.repeat(101) },
      { ...entry, packages: [{ ...entry.packages[0], version: 'latest' }] },
      { ...entry, packages: [{ ...entry.packages[0], transport: { type: 'http' } }] },
    ])
      expect(isValid(wrong)).toBe(false);
  });

  it('names the package and the owner of the repository as package.json does', () => {
    const { mcpName, name, version, description } = readListing();
    expect(mcpName).toMatch(/^io\.github\.[\w-]+\/pdpp$/);
    expect(entry.packages[0]).toMatchObject({ identifier: name, version });
    expect(description.length).toBeLessThan(100);
  });

  it('starts the server where it says', () => {
    const [{ packageArguments, transport }] = entry.packages;
    expect(packageArguments[0].value).toBe('serve');
    expect(new URL(transport.url).port).toBe(String(DEFAULT_PORT));
  });
});
