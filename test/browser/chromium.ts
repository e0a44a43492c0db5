import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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

/** Starts the Chromium that is there, or installs one first and says so. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium() ?? installChromium(), args: flags });
}

function findChromium(): string | undefined {
  const bundled = chromium.executablePath();
  return [...places, bundled].find((path) => existsSync(path));
}

function installChromium(): string {
  const note = (text: string) => process.stderr.write(`browser tests: no Chromium found, ${text}\n`);
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    note('installing it with apt-get');
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    execFileSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'inherit' });
  } else {
    note('installing it with playwright-core');
    execFileSync('npx', ['playwright-core', 'install', 'chromium'], { stdio: 'inherit' });
  }
  const found = findChromium();
  if (found === undefined)
    throw new Error('Chromium could not be installed. Install it, then run the tests again.');
  return found;
}
