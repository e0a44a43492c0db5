import { readTime, type TimeOptions } from '../../import/read/read-time.ts';
import { toLocal } from '../../time/instant.ts';
import { dropEmpty } from '../values/json.ts';
import { cellInteger, type Get } from '../values/table-cells.ts';

export interface NetflixTable {
  readonly stream: string;
  readonly columns: readonly string[];
  readonly read: (get: Get, options: TimeOptions) => Record<string, unknown> | undefined;
}

/** All times are UTC; older headers do not say so. */
const readUtc = (text: string | undefined) =>
  text === undefined ? undefined : readTime(text, { timeZone: 'UTC' });

export const NETFLIX_TABLES: readonly NetflixTable[] = [
  {
    stream: 'viewing',
    columns: ['profile name', 'title', 'device type', 'bookmark'],
    read(get, { timeZone, onLocalTime }) {
      const started_at = readUtc(get('start time (utc)', 'start time'));
      if (started_at === undefined) return undefined;
      const latest = get('latest bookmark');
      const dayIn = (zone: string) =>
        new Date(toLocal(Date.parse(started_at), zone)).toISOString().slice(0, 10);
      const watched_on = dayIn(timeZone);
      onLocalTime?.(watched_on, dayIn, 'derived');
      return dropEmpty({
        ...splitTitle(get('title') ?? ''),
        watched_on,
        started_at,
        duration_s: readSeconds(get('duration (h:mm:ss)', 'duration')),
        profile: get('profile name'),
        device: get('device type'),
        country: get('country'),
        kind: get('supplemental video type')?.toLowerCase(),
        attributes: get('attributes'),
        bookmark_s: readSeconds(get('bookmark')),
        is_latest: latest === undefined ? undefined : !/^not latest/i.test(latest),
      });
    },
  },
  {
    stream: 'ratings',
    columns: ['profile name', 'title name', 'rating type'],
    read: (get) =>
      dropEmpty({
        title: get('title name'),
        rating: cellInteger(get('thumbs value', 'star value')),
        kind: get('rating type'),
        rated_at: readUtc(get('event utc ts')),
        profile: get('profile name'),
        device: get('device model'),
      }),
  },
  {
    stream: 'my_list',
    columns: ['profile name', 'title name', 'utc title add date'],
    read: (get) =>
      dropEmpty({
        title: get('title name'),
        added_at: readUtc(get('utc title add date')),
        profile: get('profile name'),
        country: get('country'),
      }),
  },
  {
    stream: 'searches',
    columns: ['profile name', 'query typed', 'utc timestamp'],
    read: (get) =>
      dropEmpty({
        query: get('query typed'),
        chosen: get('displayed name'),
        action: get('action'),
        searched_at: readUtc(get('utc timestamp')),
        profile: get('profile name'),
        device: get('device'),
        country: get('country iso code'),
      }),
  },
];

/** Words for seasons, by language. */
const SEASON =
  /^(.+?): ((?:Season|Staffel|Saison|Temporada|Stagione|Seizoen|S[äa]song|Sezon|Part|Teil|Partie|Parte|Volume|Chapter|Book|Series|Limited Series|Miniserie|Mini-s[ée]rie|Collection)\b[^:]*|[^:]+ \d+|\d+\. \p{L}+): (.+)$/iu;

/**
 * Splits `Dark: Season 1: Secrets` into series, season and episode. A title without a season is a film or
 * unknown.
 */
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
