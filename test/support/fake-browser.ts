import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A browser whose person approves at once: it writes down what it was asked to open, and follows where
 * the server leads. Its path is what $BROWSER holds.
 */
export function makeFakeBrowser(folder: string): { browser: string; opened: string } {
  const browser = join(folder, 'fake-browser.mjs');
  const opened = join(folder, 'opened.txt');
  writeFileSync(
    browser,
    `#!${process.execPath}
import { appendFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(opened)}, process.argv.slice(2).join(' ') + '\\n');
await fetch(process.argv.at(-1)).then((answer) => answer.text());
`,
  );
  chmodSync(browser, 0o755);
  return { browser, opened };
}
