import { describe, expect, it } from 'vitest';
import { ColumnProfile } from '../../src/import/guess/column-profile.ts';
import { findTime } from '../../src/import/guess/find-time.ts';

/** Which service, its columns of times as they come, and the one that says when it happened. */
const services: readonly [service: string, columns: string, time: string][] = [
  ['Day One', 'modifiedDate|creationDate', 'creationDate'],
  ['ListenBrainz', 'inserted_at|listened_at', 'listened_at'],
  ['TMDB ratings', 'Release Date|Date Rated', 'Date Rated'],
  ['IMDb ratings', 'Release Date|Date Rated', 'Date Rated'],
  ['IMDb lists', 'Created|Modified|Release Date', 'Created'],
  ['Trakt', 'last_updated_at|watched_at', 'watched_at'],
  ['Omnivore', 'publishedAt|updatedAt|savedAt', 'savedAt'],
  ['Pocket', 'time_updated|time_added', 'time_added'],
  ['Raindrop', 'lastUpdate|created', 'created'],
  ['Readwise', 'Last highlighted|Highlighted at', 'Highlighted at'],
  ['Amazon orders', 'Order Date|Ship Date', 'Order Date'],
  ['Audible', 'Release Date|Date Added', 'Date Added'],
  ['Uber', 'Request Time|Begin Trip Time|Dropoff Time', 'Request Time'],
  ['GitHub', 'updated_at|closed_at|created_at', 'created_at'],
  ['Jira', 'Updated|Due Date|Created', 'Created'],
  ['Trello', 'dateLastActivity|due|dateCreated', 'dateCreated'],
  ['Todoist', 'due_date|completed_at|added_at', 'completed_at'],
  ['Garmin', 'End Time|Start Time', 'Start Time'],
  ['Fitbit sleep', 'endTime|startTime', 'startTime'],
  ['Withings', 'modified|date', 'date'],
  ['Steam', 'last_played|purchased', 'purchased'],
  ['Bandcamp', 'release_date|purchase_date', 'purchase_date'],
  ['Last.fm', 'date.uts', 'date.uts'],
  ['Foursquare', 'timeZoneUpdated|createdAt', 'createdAt'],
  ['Tinder', 'birth_date|create_date|active_time', 'create_date'],
  ['Snapchat', 'Last Modified|Created', 'Created'],
  ['TikTok', 'Date', 'Date'],
  ['Apple Notes', 'ZMODIFICATIONDATE|ZCREATIONDATE', 'ZCREATIONDATE'],
  ['Calibre', 'last_modified|pubdate|timestamp', 'timestamp'],
  ['Anki', 'mod|review_time', 'review_time'],
  ['people', 'Birthday|Date Added|Last Changed', 'Date Added'],
  ['German notes', 'Geändert am|Erstellt am', 'Erstellt am'],
  ['German orders', 'Lieferdatum|Bestelldatum', 'Bestelldatum'],
  ['German ratings', 'Erscheinungsdatum|Bewertet am', 'Bewertet am'],
  ['German tasks', 'Fällig|Zuletzt bearbeitet|Angelegt', 'Angelegt'],
  ['German logs', 'Aktualisiert|Datum', 'Datum'],
  ['French notes', 'Modifié le|Créé le', 'Créé le'],
  ['French music', 'Date de sortie|Écouté le', 'Écouté le'],
  ['French orders', "Date d'échéance|Date d'achat", "Date d'achat"],
  ['French sessions', 'Fin|Début', 'Début'],
  ['Spanish notes', 'Última modificación|Fecha de creación', 'Fecha de creación'],
  ['Spanish films', 'Fecha de estreno|Visto', 'Visto'],
  ['Spanish orders', 'Actualizado|Fecha de compra', 'Fecha de compra'],
  ['one of another name', 'Zeug', 'Zeug'],
  ['one that was changed only', 'updated_at', 'updated_at'],
];

function profile(...values: (string | undefined)[]): ColumnProfile {
  const made = new ColumnProfile(true);
  for (const value of values) made.add(value);
  return made;
}
const filled = () => profile('2024-01-15T10:00:00Z', '2024-01-16T11:00:00Z');

describe('the time of a table', () => {
  it.each(services)('of %s (%s) is %s', (_, columns, time) => {
    const names = columns.split('|');
    const profiles = (list: readonly string[]) => new Map(list.map((name) => [name, filled()]));
    expect(findTime(profiles(names))).toBe(time);
  });

  it('does not depend on the order of event and change columns', () => {
    for (const [, columns, time] of services.slice(0, 12)) {
      const names = columns.split('|').reverse();
      if (names.length === 2) expect(findTime(new Map(names.map((name) => [name, filled()])))).toBe(time);
    }
  });

  it('is not a mostly empty column', () => {
    const seldom = profile('2024-01-15T10:00:00Z', undefined, undefined);
    expect(
      findTime(
        new Map([
          ['created_at', seldom],
          ['updated_at', filled()],
        ]),
      ),
    ).toBe('updated_at');
  });

  it('is undefined if no column holds times', () => {
    expect(findTime(new Map([['created_at', profile('soon', 'later')]]))).toBeUndefined();
  });
});
