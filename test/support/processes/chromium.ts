import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** A browser that talks to nobody but the pages under test. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const LOCK = fileURLToPath(new URL('../../../node_modules/.cache/pdpp-chromium', import.meta.url));
const INSTALL_MS = 5 * 60_000;

/** Starts the Chromium that is there, or installs one first and says so. */
export async function startChromium(): Promise<Browser> {
  const executablePath = findChromium() ?? (await installChromium());
  return chromium.launch({ executablePath, args: flags });
}

function findChromium(): string | undefined {
  return [...places, chromium.executablePath()].find((path) => existsSync(path));
}

/** Several test files may need it at once: the first installs, the others wait. */
async function installChromium(): Promise<string> {
  mkdirSync(dirname(LOCK), { recursive: true });
  try {
    mkdirSync(LOCK);
  } catch {
    return waitForChromium();
  }
  try {
    runInstaller();
  } finally {
    rmdirSync(LOCK);
  }
  return waitForChromium();
}

async function waitForChromium(): Promise<string> {
  const deadline = Date.now() + INSTALL_MS;
  for (;;) {
    const found = existsSync(LOCK) ? undefined : findChromium();
    if (found !== undefined) return found;
    if (Date.now() > deadline || !existsSync(LOCK)) {
      throw new Error('Chromium could not be installed. Install it, then run the tests again.');
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function runInstaller(): void {
  const note = (text: string) => process.stderr.write(`browser tests: no Chromium found, ${text}\n`);
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    note('installing it with apt-get');
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    execFileSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'inherit' });
  } else {
    note('installing it with playwright-core');
    execFileSync('npx', ['playwright-core', 'install', 'chromium'], { stdio: 'inherit' });
  }
}
