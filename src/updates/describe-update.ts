import { isNewer } from './compare-versions.ts';

/** Installs the newest version where pdpp was installed with npm. docs/updating.md has the other ways. */
export const UPDATE_COMMAND = 'npm install --global pdpp@latest';

/** The result of a check for updates. */
export interface UpdateCheck {
  readonly version: string;
  /** Null if it could not be found. */
  readonly newest: string | null;
  /** How to update; null if there is nothing newer. */
  readonly command: string | null;
}

/** Where the running program finds a newer version. */
export interface UpdateSource {
  readonly version: string;
  /** Asks a server outside this computer. Returns undefined if there is no answer. */
  findNewest(): Promise<string | undefined>;
}

export function describeUpdate(version: string, newest: string | undefined): UpdateCheck {
  const hasUpdate = newest !== undefined && isNewer(newest, version);
  return { version, newest: newest ?? null, command: hasUpdate ? UPDATE_COMMAND : null };
}
