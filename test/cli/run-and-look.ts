import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliResult, runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/temp-folder.ts';

const PACKAGE = /\/packages\/(?!chunk-)([^/]+)\.js$|node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//;

/** What a call prints, and the files and packages that it loaded for that. */
export async function runAndLook(
  args: readonly string[],
): Promise<CliResult & { files: number; packages: string[] }> {
  const folder = makeFolder();
  // Node writes down every script it has run, which is a count of work that no other process can slow down.
  const result = await runCli(args, { environment: { NODE_V8_COVERAGE: folder } });
  const loaded = readdirSync(folder).flatMap((name) => {
    const { result: scripts } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return scripts.map(({ url }: { url: string }) => url).filter((url: string) => url.startsWith('file:'));
  }) as string[];
  // A build lies in the cache of node_modules itself, with some packages gathered beside it.
  const packages = loaded.flatMap((url) => PACKAGE.exec(url)?.slice(1).find(Boolean) ?? []);
  return { ...result, files: loaded.length, packages: [...new Set(packages)].sort() };
}
