import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../../.clients/', import.meta.url));

/** A package as it was published, at the version that was tried. */
export interface Pinned {
  readonly package: string;
  readonly version: string;
  /** Packages whose install step puts the program in place. */
  readonly scripts?: readonly string[];
}

/** Versions are exact: a client that changes its manners is a change here, not a red test on some other day. */
const pinned = {
  'claude-code': {
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    scripts: ['@anthropic-ai/claude-code'],
  },
  codex: { package: '@openai/codex', version: '0.166.0' },
  mcporter: { package: 'mcporter', version: '0.12.3' },
  inspector: { package: '@modelcontextprotocol/inspector', version: '2.12.0' },
  opencode: { package: 'opencode-ai', version: '1.18.33', scripts: ['opencode-ai'] },
  'gemini-cli': { package: '@google/gemini-cli', version: '0.61.0' },
  'copilot-cli': { package: '@github/copilot', version: '1.0.102' },
  conformance: { package: '@modelcontextprotocol/conformance', version: '0.2.0-alpha.12' },
} as const satisfies Record<string, Pinned>;

export type PinnedName = keyof typeof pinned;

export interface Installed {
  readonly version: string;
  /** Where the programs of the package are: goes into PATH. */
  readonly bin: string;
  readonly packageFolder: string;
}

/** Installs a package into a folder of its own, unless that very version is there already. */
export async function install(name: PinnedName): Promise<Installed> {
  const wanted: Pinned = pinned[name];
  const folder = join(FOLDER, name);
  const packageFolder = join(folder, 'node_modules', wanted.package);
  const installed = {
    version: wanted.version,
    bin: join(folder, 'node_modules', '.bin'),
    packageFolder,
  };
  if (readVersion(packageFolder) === wanted.version) return installed;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: { [wanted.package]: wanted.version },
      allowScripts: Object.fromEntries((wanted.scripts ?? []).map((one) => [one, true])),
    }),
  );
  await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: folder,
    maxBuffer: 16 * 1024 * 1024,
  });
  if (readVersion(packageFolder) !== wanted.version) throw new Error(`${wanted.package} was not installed`);
  return installed;
}

/** The version of a package that the project itself depends on. */
export function dependencyVersion(name: string): string {
  return readVersion(join(FOLDER, '..', 'node_modules', name)) ?? '';
}

function readVersion(packageFolder: string): string | undefined {
  const file = join(packageFolder, 'package.json');
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
    : undefined;
}
