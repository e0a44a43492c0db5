import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliResult, runCli } from '../run-cli.ts';
import { makeFolder } from '../temp-folder.ts';

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//;

/** What a call prints, and what it loaded for that. */
export interface TracedResult extends CliResult {
  files: number;
  kilobytes: number;
  /** Those that are loaded from where npm puts them, and those of which something was gathered into the files of ours. */
  packages: string[];
}

export async function runTraced(args: readonly string[]): Promise<TracedResult> {
  const folder = makeFolder();
  // Node writes down every script it has run, which is a count of work that no other process can slow down.
  const result = await runCli(args, { environment: { NODE_V8_COVERAGE: folder } });
  const loaded = readdirSync(folder).flatMap((name) => {
    const { result: scripts } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return scripts.map(({ url }: { url: string }) => url).filter((url: string) => url.startsWith('file:'));
  }) as string[];
  const texts = loaded.map((url) => readFileSync(new URL(url), 'utf8'));
  // Gathered files say above each piece where it is from; a build itself lies in the cache of node_modules.
  const pieces = texts.flatMap((text) => text.match(/^\/\/ node_modules\/.+$/gm) ?? []);
  const packages = [...loaded, ...pieces].flatMap((place) => PACKAGE.exec(place)?.[1] ?? []);
  return {
    ...result,
    files: loaded.length,
    kilobytes: texts.reduce((sum, { length }) => sum + length, 0) / 1_000,
    packages: [...new Set(packages)].sort(),
  };
}
