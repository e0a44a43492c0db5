import type { Page } from 'playwright-core';

/** Presses a button that sends a form, and waits for the page that comes: half of one would be counted as all of it. */
export async function press(page: Page, button: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.click(button)]);
}
