import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Every file of a folder by name, with its permission bits in octal. */
export function listModes(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));
}

export function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
