import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import { checkPages } from './check-file.ts';
import { isDamage } from './is-damage.ts';
import { openToRead } from './open-to-read.ts';
import { findServer, shareFolder } from '../folder/folder-lock.ts';
import { showMinute } from '../../../cli/print/format.ts';
import type { Finding } from '../../../cli/print/print.ts';
import { formatForTerminal } from '../../../cli/print/terminal-words.ts';
import { formatCommand } from '../../../cli/run/how-started.ts';
import { examineReach } from '../../../cli/doctor/examine-server.ts';

/** What to do about damage, wherever it is found. */
const REPAIR = `Stop the server and restore a backup: ${formatCommand('restore', 'BACKUP --force')} (the old files are kept aside).`;

/** Looks; whatever is thrown on the way is a finding too, never a crash. */
export async function examine(
  check: string,
  look: () => Finding | Finding[] | Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    return [{ check, fine: false, say: describe(error) }];
  }
}

function describe(error: unknown): string {
  if (error instanceof AppError) {
    const { message, hint = REPAIR } = error.parts;
    return `${formatForTerminal(message)} ${formatForTerminal(hint)}`;
  }
  if (isDamage(error)) return `cannot be read, the file is damaged. ${REPAIR}`;
  const { code = '' } = error as { code?: string };
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return 'could not be looked at now, another process writes. Try again.';
  throw error;
}

/** Every page of each database file that is there. */
export async function examinePages(directory: string): Promise<Finding[]> {
  const files = ['store.sqlite', 'audit.sqlite'].filter((name) => existsSync(join(directory, name)));
  const findings = files.map((name) =>
    examine(name, () => {
      const lock = shareFolder(directory);
      const database = openToRead(join(directory, name));
      try {
        checkPages(database);
      } catch (error) {
        if (error instanceof AppError) return { check: name, fine: false, say: `damaged. ${REPAIR}` };
        throw error;
      } finally {
        database.close();
        lock.release();
      }
      return { check: name, fine: true, say: 'every page is sound' };
    }),
  );
  return (await Promise.all(findings)).flat();
}

/** Whether a server runs on the folder, where, since when, and whether its clients find it. */
export async function examineServer(directory: string): Promise<Finding[]> {
  const server = findServer(directory);
  const check = 'server';
  if (server === undefined)
    return [{ check, fine: true, say: `not running on this folder. Start it: ${formatCommand('serve')}` }];
  if (server === 'unknown') return [{ check, fine: true, say: 'running on this folder' }];
  const say = `running at ${server.url} since ${showMinute(server.started_at)} UTC (process ${server.pid})`;
  return [{ check, fine: true, say }, await examineReach(server)];
}
