import { listConnectionFiles, listFilesIn } from './connection-file.ts';

/** Where access to servers is kept: for a folder and those below it, and for every folder of this user. */
export interface Places {
  readonly folder: string;
  /** Left out where only the folder counts. */
  readonly user?: string | undefined;
}

/** The files that count here, the nearer before the farther. */
export function listKnown({ folder, user }: Places): { near: string[]; far: string[] } {
  const near = listConnectionFiles(folder);
  const far = user === undefined ? [] : listFilesIn(user);
  return { near, far: far.filter((file) => !near.includes(file)) };
}
