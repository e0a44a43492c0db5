import { appleHealth } from './sources/apple-health.ts';
import { bank } from './sources/bank.ts';
import { chatgpt } from './sources/chatgpt.ts';
import { github } from './sources/github.ts';
import { gmail } from './sources/gmail.ts';
import { googleCalendar } from './sources/google-calendar.ts';
import { slack } from './sources/slack.ts';
import { spotify } from './sources/spotify.ts';
import type { GeneratedSource } from './types.ts';

/**
 * One person's life by source, and the share of the whole demo that each gets. The shares leave a fifth
 * for the example systems. A fifth is bank transactions, so that there is one stream large enough to add up.
 */
const shares: [GeneratedSource, number][] = [
  [gmail, 0.08],
  [googleCalendar, 0.02],
  [slack, 0.09],
  [spotify, 0.14],
  [bank, 0.21],
  [chatgpt, 0.04],
  [github, 0.02],
  [appleHealth, 0.2],
];

export const personalSources: GeneratedSource[] = shares.map(([source]) => source);

/** Connector key to share of all records; together 0.8. */
export const personalShares: Record<string, number> = Object.fromEntries(
  shares.map(([source, share]) => [source.declaration.connector_key as string, share]),
);
