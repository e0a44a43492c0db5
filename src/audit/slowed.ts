import type { WriteEvent } from './events.ts';

interface App {
  readonly grantId: string;
  readonly clientId: string | undefined;
  readonly clientName: string;
}

const EVERY_MS = 60_000;
const MOST_KEPT = 1_000;

/** Notes that an app was refused at the door, once a minute: a flood of calls must not be a flood of lines. */
export function createSlowedNote(writeEvent: WriteEvent) {
  const noted = new Map<string, number>();
  return (app: App | undefined, now: Date): void => {
    const key = app?.grantId ?? 'owner';
    const passed = now.getTime() - (noted.get(key) ?? Number.NEGATIVE_INFINITY);
    // A last time that is yet to come was written by a clock that was wrong.
    if (passed >= 0 && passed < EVERY_MS) return;
    noted.delete(key);
    noted.set(key, now.getTime());
    if (noted.size > MOST_KEPT) noted.delete(noted.keys().next().value as string);
    writeEvent(
      { kind: 'rate_limited', grantId: app?.grantId, clientId: app?.clientId, client: app?.clientName },
      now,
    );
  };
}
