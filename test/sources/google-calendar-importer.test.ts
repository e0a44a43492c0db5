import { describe, expect, it } from 'vitest';
import { googleCalendarImporter } from '../../src/sources/google-calendar/google-calendar-importer.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('a calendar of Google', async () => {
  const found = await readFixture(googleCalendarImporter, 'takeout');

  it('imports each event once, and reports those without a time', () => {
    expect(countRecords(found)).toEqual({ events: 3 });
    expect(found.problems).toEqual([
      { path: 'anna@example.org.ics', place: 'line 58', reason: 'has no valid start' },
    ]);
    expect(found.self).toEqual(['anna@example.org']);
  });

  it('keeps the recurrence rule, also in words', () => {
    expect(pickRecord(found, 'events', 0)).toMatchInlineSnapshot(`
      {
        "attendee_emails": [
          "anna@example.org",
          "bo@example.org",
        ],
        "attendees": [
          "Anna; A.",
          "bo@example.org",
        ],
        "calendar": "anna@example.org",
        "created_at": "2024-01-01T12:00:00Z",
        "description": "Bring the folder.
      And water; not juice.",
        "duration_minutes": 90,
        "ends_at": "2024-03-04T18:30:00Z",
        "excluded": [
          "2024-03-18T17:00:00Z",
          "2024-04-01T16:00:00Z",
        ],
        "id": "series@google.com",
        "is_all_day": false,
        "location": "Town Hall",
        "organizer_email": "jo@example.org",
        "repeats": "every 2 weeks on Monday and Thursday until 2024-06-30",
        "rule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20240630T215959Z",
        "series_id": "series@google.com",
        "starts_at": "2024-03-04T17:00:00Z",
        "status": "confirmed",
        "time_zone": "Europe/Berlin",
        "title": "Choir, main hall",
        "updated_at": "2024-02-01T12:00:00Z",
      }
    `);
  });

  it('keeps a changed occurrence apart from its series', () => {
    expect(found.records.events?.[1]).toMatchObject({
      id: 'series@google.com/20240415T180000',
      series_id: 'series@google.com',
      status: 'cancelled',
      starts_at: '2024-04-16T16:00:00Z',
    });
  });

  it('starts all-day events at midnight of the calendar’s zone', () => {
    expect(found.records.events?.[2]).toMatchObject({
      is_all_day: true,
      starts_at: '2024-07-03T22:00:00Z',
      ends_at: '2024-07-04T22:00:00Z',
    });
  });

  it('does not recognise calendars of other programs', async () => {
    expect(
      (await readFixture({ ...googleCalendarImporter, format: 'calendar' }, 'outlook')).recognised,
    ).toEqual([]);
  });
});
