import type { TimeOptions } from '../../import/read/read-time.ts';
import { toLocal } from '../../time/instant.ts';
import type { JsonObject } from '../values/json.ts';
import type { Get } from '../values/table-cells.ts';

/** Required columns by stream. */
export const NETFLIX_TABLES = {
  viewing: ['profile name', 'title', 'device type', 'bookmark'],
  ratings: ['profile name', 'title name', 'rating type'],
  my_list: ['profile name', 'title name', 'utc title add date'],
  searches: ['profile name', 'query typed', 'utc timestamp'],
};
export type NetflixStream = keyof typeof NETFLIX_TABLES;

/** Reads the columns of a play that need more than a conversion. All times are UTC; older headers do not say so. */
export function readViewing(
  get: Get,
  started_at: string,
  { timeZone, onLocalTime }: TimeOptions,
): JsonObject {
  const latest = get('latest bookmark');
  const dayIn = (zone: string) => new Date(toLocal(Date.parse(started_at), zone)).toISOString().slice(0, 10);
  const watched_on = dayIn(timeZone);
  onLocalTime?.(watched_on, dayIn, 'derived');
  return {
    ...splitTitle(get('title') ?? ''),
    watched_on,
    duration_s: readSeconds(get('duration (h:mm:ss)', 'duration')),
    kind: get('supplemental video type')?.toLowerCase(),
    bookmark_s: readSeconds(get('bookmark')),
    is_latest: latest === undefined ? undefined : !/^not latest/i.test(latest),
  };
}

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
