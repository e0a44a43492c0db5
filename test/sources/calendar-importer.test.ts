import { describe, expect, it } from 'vitest';
import { calendarImporter } from '../../src/sources/calendar-importer.ts';
import { collect, makeInputFile } from '../support/input-file.ts';
import { countRecords, pickRecord, readFixture } from './count-records.ts';

describe('a calendar of Outlook', async () => {
  const found = await readFixture(calendarImporter, 'outlook');

  it('reads times by the zone in the file, by names of Windows and Mozilla, by the owner’s clock', () => {
    expect(found.records.events?.map(({ id, starts_at, ends_at }) => [id, starts_at, ends_at])).toEqual([
      ['own-zone', '2024-07-01T09:00:00Z', '2024-07-01T10:30:00Z'],
      ['windows', '2024-07-01T19:00:00Z', '2024-07-01T20:00:00Z'],
      ['mozilla', '2024-07-01T16:00:00Z', '2024-07-01T16:00:00Z'],
      ['floating', '2024-07-01T10:00:00Z', '2024-07-01T10:00:00Z'],
      ['nowhere', '2024-07-01T10:00:00Z', '2024-07-01T10:00:00Z'],
      ['moved', '2024-07-02T09:00:00Z', '2024-07-02T09:00:00Z'],
    ]);
  });

  it('says which zone it did not know and what it left out', () => {
    expect(found.notes).toEqual([
      '1 older versions or copies of entries were left out',
      '1 lists of busy times name no events and were left out',
      'times in the zone “Mars/Olympus”, which is not known, were read as yours',
    ]);
  });
});

describe('a calendar with tasks', async () => {
  const found = await readFixture(calendarImporter, 'tasks');

  it('gives tasks and diary entries streams of their own, and names what was cut off', () => {
    expect(countRecords(found)).toEqual({ tasks: 1, journal: 1 });
    expect(found.problems).toEqual([
      { path: 'todo.ics', place: 'line 18', reason: 'ends in the middle of an entry' },
    ]);
    expect(pickRecord(found, 'tasks', 0)).toMatchInlineSnapshot(`
      {
        "calendar": "todo",
        "created_at": "2024-01-01T08:00:00Z",
        "due_at": "2024-01-04T23:00:00Z",
        "id": "t1",
        "percent_done": 50,
        "status": "needs-action",
        "title": "Water the plants",
      }
    `);
  });
});

describe('events that share an id', () => {
  const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:same', ...lines, 'END:VEVENT'];
  const read = async (...events: string[][]) => {
    const text = ['BEGIN:VCALENDAR', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
    const found = await collect(calendarImporter, [makeInputFile('a.ics', text)]);
    return {
      ids: found.records.events?.map(({ id }) => id),
      titles: found.records.events?.map(({ title }) => title),
      notes: found.notes,
    };
  };
  const monday = ['DTSTART:20240701T090000Z', 'SUMMARY:Dentist'];
  const friday = ['DTSTART:20240705T090000Z', 'SUMMARY:Concert'];

  it('are both kept where one file has them with different times or titles', async () => {
    const both = await read(event(...monday), event(...friday));
    expect(both.titles).toEqual(['Dentist', 'Concert']);
    expect(both.ids?.[0]).toBe('same');
    expect(new Set(both.ids).size).toBe(2);
    expect(both.notes).toEqual([]);
    const named = await read(event(...monday), event('DTSTART:20240701T090000Z', 'SUMMARY:Concert'));
    expect(named.titles).toEqual(['Dentist', 'Concert']);
    const stamped = await read(
      event(...monday, 'DTSTAMP:20240101T000000Z'),
      event(...friday, 'DTSTAMP:20240102T000000Z'),
    );
    expect(stamped.titles).toEqual(['Dentist', 'Concert']);
  });

  it('are one where they are versions or copies', async () => {
    const versions = await read(event(...monday, 'SEQUENCE:0'), event(...friday, 'SEQUENCE:1'));
    expect(versions.titles).toEqual(['Concert']);
    expect(versions.notes).toEqual(['1 older versions or copies of entries were left out']);
    const copies = await read(event(...monday), event(...monday), event(...friday), event(...friday));
    expect(copies.titles).toEqual(['Dentist', 'Concert']);
    expect(copies.notes).toEqual(['2 older versions or copies of entries were left out']);
  });
});
