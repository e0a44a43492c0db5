import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteEvent } from '../../audit/events.ts';
import type { BackupSchedule, Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import { backUpInBackground, type RunningBackup } from '../../store/sqlite/backup/backup-in-background.ts';
import { findLastScheduled } from '../../store/sqlite/backup/scheduled-backups.ts';
import { readOwners } from '../../store/sqlite/folder/owners-file.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../time/durations.ts';
import { version } from '../../version.ts';

/** A data folder and the folder for its backups. */
interface Target {
  readonly owner?: string;
  readonly directory: string;
  readonly parent: string;
}

/** When a backup of a target failed, and when the owner was alerted. */
interface Failure {
  readonly at: number;
  readonly reportedAt: number;
}

export interface Backups {
  stop(): Promise<void>;
}

/**
 * Backs up each owner when the newest backup is older than the interval. A failed backup shows an alarm on every page, at
 * most once a day, and is retried after an hour.
 */
export function startBackups(
  { mainDirectory }: Pick<Config, 'mainDirectory'>,
  schedule: BackupSchedule,
  { log, writeEvent }: { readonly log: Log; readonly writeEvent: WriteEvent },
): Backups {
  const failures = new Map<string, Failure>();
  let running: RunningBackup | undefined;
  let isStopped = false;

  const run = async ({ owner, directory, parent }: Target) => {
    const now = Date.now();
    const failure = failures.get(directory);
    if (isStopped || !isDue(now, directory, parent, schedule, failure)) return;
    running = backUpInBackground(directory, parent, { keep: schedule.keep, version });
    const result = await running.result;
    running = undefined;
    if (isStopped) return;
    const about = owner === undefined ? {} : { owner };
    if ('made' in result) {
      failures.delete(directory);
      return log('backup made', { ...about, ...result.made });
    }
    log('backup failed', { ...about, folder: parent, message: result.failed });
    const isReported = failure !== undefined && now - failure.reportedAt < DAY_MS;
    failures.set(directory, { at: now, reportedAt: isReported ? failure.reportedAt : now });
    if (!isReported)
      await writeEvent(
        { kind: 'backup_failed', ...(owner === undefined ? {} : { detail: owner }) },
        new Date(),
      );
  };

  const runAll = async () => {
    for (const target of listTargets(mainDirectory, schedule.folder)) await run(target);
  };
  let work: Promise<void> | undefined;
  const check = () => {
    work ??= runAll()
      .catch((error) => log('backup failed', { message: String(error) }))
      .finally(() => {
        work = undefined;
      });
  };
  check();
  const timer = setInterval(check, Math.min(schedule.everyMs, MINUTE_MS)).unref();
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      running?.stop();
      await work;
    },
  };
}

/** The other owners have data folders of their own. */
function listTargets(mainDirectory: string, folder: string): Target[] {
  const others = readOwners(mainDirectory).map(({ name, folder: directory }) => ({
    owner: name,
    directory,
    parent: join(folder, 'owners', name),
  }));
  // The store of a new owner is created by the first request.
  return [{ directory: mainDirectory, parent: folder }, ...others].filter(({ directory }) =>
    existsSync(join(directory, 'store.sqlite')),
  );
}

function isDue(
  now: number,
  directory: string,
  parent: string,
  { everyMs }: BackupSchedule,
  failure: Failure | undefined,
): boolean {
  if (failure !== undefined && now - failure.at < Math.min(everyMs, HOUR_MS)) return false;
  const last = findLastScheduled(directory, parent)?.getTime();
  // A backup from the future was made while the clock was wrong.
  return last === undefined || last > now || now - last >= everyMs;
}
