import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { findPublishedName, listDirect, RELEASES_FILE } from './list-packages.ts';

/** Asks npm for the newest release of every direct dependency, and writes scripts/package-releases.json. */
const releases = Object.fromEntries(
  listDirect().map((name) => {
    const answer = execFileSync(
      'npm',
      ['view', findPublishedName(name), 'dist-tags.latest', 'time', '--json'],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        maxBuffer: 64 * 2 ** 20,
      },
    );
    const { 'dist-tags.latest': version, time } = JSON.parse(answer);
    return [name, { version, day: time[version].slice(0, 10) }];
  }),
);
writeFileSync(new URL(`../${RELEASES_FILE}`, import.meta.url), `${JSON.stringify(releases, undefined, 2)}\n`);
