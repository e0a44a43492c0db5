import { readFileSync } from 'node:fs';

/** The version in package.json, which is one level up in a checkout and two in a build. */
export const version: string = readVersion();

function readVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const { name, version: found } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      if (name === 'pdpp') return found;
    } catch {
      // Not found: tries the next path.
    }
  }
  return '0.0.0';
}
