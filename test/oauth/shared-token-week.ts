import { vi } from 'vitest';
import { createRandom } from '../../bench/generator/random.ts';
import type { OAuthClient, Tokens } from '../support/oauth-client.ts';
import type { LastingServer } from './lasting-server.ts';

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;
/** Claude Code was seen to refresh when so much or less is left. */
const EARLY = 300_000;

interface Kept {
  readonly tokens: Tokens;
  readonly expiresAt: number;
}

/** What became of a week in which several processes of one app shared one stored refresh token. */
export interface WeekReport {
  calls: number;
  refreshes: number;
  /** Refreshes with a token that another process had used before: each would be the end under strict rotation. */
  superseded: number;
  crashes: number;
  restarts: number;
  /** Refusals after which a person would have to sign in again. */
  forcedSignIns: number;
  /** What the shared store holds at the end, and every refresh token there has been. */
  kept: Kept;
  seen: string[];
}

/**
 * Each process keeps what it read from the shared store in memory and goes on with it, as real ones do. They wake
 * every 1 to 20 minutes, so whoever is late with a token is late by less than the grace of half an hour. Some die
 * after they have refreshed and before they have stored what they got; the server is restarted twice a day.
 */
export async function liveThroughWeek(
  server: LastingServer,
  client: OAuthClient,
  first: Tokens,
  { processes, seed }: { processes: number; seed: number },
): Promise<WeekReport> {
  const random = createRandom(seed, 'week');
  const start = Date.now();
  let stored: Kept = { tokens: first, expiresAt: start + first.expires_in * 1_000 };
  const memories: (Kept | undefined)[] = Array.from({ length: processes }, () => undefined);
  const wakes = memories.map(() => start + random.int(1, 20 * 60) * 1_000);
  const used = new Set<string>();
  const seen = new Set([first.refresh_token]);
  const report = { calls: 0, refreshes: 0, superseded: 0, crashes: 0, restarts: 0, forcedSignIns: 0 };

  const refresh = async (kept: Kept): Promise<Kept | undefined> => {
    const token = kept.tokens.refresh_token;
    report.refreshes += 1;
    if (used.has(token)) report.superseded += 1;
    used.add(token);
    const response = await client.refresh(token);
    if (response.status !== 200) {
      report.forcedSignIns += 1;
      return undefined;
    }
    const tokens = (await response.json()) as Tokens;
    seen.add(tokens.refresh_token);
    return { tokens, expiresAt: Date.now() + tokens.expires_in * 1_000 };
  };

  let nextRestart = start + 12 * 60 * MINUTE;
  while (report.forcedSignIns === 0) {
    const turn = wakes.indexOf(Math.min(...wakes));
    const now = wakes[turn] as number;
    if (now > start + WEEK) break;
    vi.setSystemTime(now);
    wakes[turn] = now + random.int(60, 20 * 60) * 1_000;
    if (now > nextRestart) {
      await server.restart();
      report.restarts += 1;
      nextRestart += 12 * 60 * MINUTE;
    }
    let kept = memories[turn] ?? stored;
    if (kept.expiresAt - now <= EARLY) {
      const renewed = await refresh(kept);
      if (renewed === undefined) break;
      if (random.chance(0.1)) {
        report.crashes += 1;
        memories[turn] = undefined;
        continue;
      }
      kept = renewed;
      stored = renewed;
    }
    memories[turn] = kept;
    // Every fifth wake also calls: enough to notice a token that has died.
    if (!random.chance(0.2)) continue;
    report.calls += 1;
    if (!(await server.isLetIn(kept.tokens.access_token))) report.forcedSignIns += 1;
  }
  return { ...report, kept: stored, seen: [...seen] };
}
