import type { Page } from 'playwright-core';

export const PASSPHRASE = 'four words nobody guesses';

/** The owner comes for the first time: sets the passphrase on the page that is open and is signed in. */
export async function setPassphrase(page: Page): Promise<void> {
  await page.fill('#passphrase', PASSPHRASE);
  await page.fill('#again', PASSPHRASE);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
}

/** Writes down what the browser complains of on this page, from now on. */
export function listComplaints(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
}
