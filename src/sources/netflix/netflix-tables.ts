import { readTime, type TimeOptions } from '../../import/read/read-time.ts';
import { toLocal } from '../../time/instant.ts';
import { dropEmpty } from '../values/drop-empty.ts';
import { type Cells, cellInteger, type createCellFinder } from '../values/table-cells.ts';

type Find = ReturnType<typeof createCellFinder>;

/** A table of the export by its columns, and what a row of it becomes. */
export interface NetflixTable {
  readonly stream: string;
  readonly columns: readonly string[];
  readonly read: (cells: Cells, find: Find, options: TimeOptions) => Record<string, unknown> | undefined;
}

/** All times of the export are in UTC; older headlines do not say so. */
const readUtc = (text: string | undefined) =>
  text === undefined ? undefined : readTime(text, { timeZone: 'UTC' });

export const NETFLIX_TABLES: readonly NetflixTable[] = [
  {
    stream: 'viewing',
    columns: ['profile name', 'title', 'device type', 'bookmark'],
    read(cells, find, { timeZone, onLocalTime }) {
      const started_at = readUtc(find(cells, 'start time (utc)', 'start time'));
      if (started_at === undefined) return undefined;
      const latest = find(cells, 'latest bookmark');
      const dayIn = (zone: string) =>
        new Date(toLocal(Date.parse(started_at), zone)).toISOString().slice(0, 10);
      const watched_on = dayIn(timeZone);
      onLocalTime?.(watched_on, dayIn, 'derived');
      return dropEmpty({
        ...splitTitle(find(cells, 'title') ?? ''),
        watched_on,
        started_at,
        duration_s: readSeconds(find(cells, 'duration (h:mm:ss)', 'duration')),
        profile: find(cells, 'profile name'),
        device: find(cells, 'device type'),
        country: find(cells, 'country'),
        kind: find(cells, 'supplemental video type')?.toLowerCase(),
        attributes: find(cells, 'attributes'),
        bookmark_s: readSeconds(find(cells, 'bookmark')),
        is_latest: latest === undefined ? undefined : !/^not latest/i.test(latest),
      });
    },
  },
  {
    stream: 'ratings',
    columns: ['profile name', 'title name', 'rating type'],
    read: (cells, find) =>
      dropEmpty({
        title: find(cells, 'title name'),
        rating: cellInteger(find(cells, 'thumbs value', 'star value')),
        kind: find(cells, 'rating type'),
        rated_at: readUtc(find(cells, 'event utc ts')),
        profile: find(cells, 'profile name'),
        device: find(cells, 'device model'),
      }),
  },
  {
    stream: 'my_list',
    columns: ['profile name', 'title name', 'utc title add date'],
    read: (cells, find) =>
      dropEmpty({
        title: find(cells, 'title name'),
        added_at: readUtc(find(cells, 'utc title add date')),
        profile: find(cells, 'profile name'),
        country: find(cells, 'country'),
      }),
  },
  {
    stream: 'searches',
    columns: ['profile name', 'query typed', 'utc timestamp'],
    read: (cells, find) =>
      dropEmpty({
        query: find(cells, 'query typed'),
        chosen: find(cells, 'displayed name'),
        action: find(cells, 'action'),
        searched_at: readUtc(find(cells, 'utc timestamp')),
        profile: find(cells, 'profile name'),
        device: find(cells, 'device'),
        country: find(cells, 'country iso code'),
      }),
  },
];

/** How seasons are called where Netflix is. */
const SEASON =
  /^(.+?): ((?:Season|Staffel|Saison|Temporada|Stagione|Seizoen|S[äa]song|Sezon|Part|Teil|Partie|Parte|Volume|Chapter|Book|Series|Limited Series|Miniserie|Mini-s[ée]rie|Collection)\b[^:]*|[^:]+ \d+|\d+\. \p{L}+): (.+)$/iu;

/** `Dark: Season 1: Secrets` is an episode of a series; what has no season is a film, or cannot be told from one. */
export function splitTitle(title: string): {
  title: string;
  series?: string;
  season?: string;
  episode?: string;
} {
  const [, series, season, episode] = SEASON.exec(title) ?? [];
  return series === undefined || season === undefined || episode === undefined
    ? { title }
    : { title, series, season, episode };
}

/** `0:42:10` */
function readSeconds(text: string | undefined): number | undefined {
  const [, hours = '0', minutes, seconds] = /^(?:(\d+):)?(\d{1,2}):(\d\d)$/.exec(text ?? '') ?? [];
  return minutes === undefined ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
