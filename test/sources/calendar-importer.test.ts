import { describe, expect, it } from 'vitest';
import { recogniseInputs } from '../../src/import/recognise.ts';
import { calendarImporter } from '../../src/sources/calendar/calendar-importer.ts';
import { importers } from '../../src/sources/importers.ts';
import { collect, makeInputFile } from '../support/input-file.ts';
import { checkRecords, countRecords, pickRecord, readFixture } from './count-records.ts';

describe('a calendar of Outlook', async () => {
  const found = await readFixture(calendarImporter, 'outlook');

  it('reads times by the zone in the file, by Windows and Mozilla names, and in the owner’s zone', () => {
    expect(found.records.events?.map(({ id, starts_at, ends_at }) => [id, starts_at, ends_at])).toEqual([
      ['own-zone', '2024-07-01T09:00:00Z', '2024-07-01T10:30:00Z'],
      ['windows', '2024-07-01T19:00:00Z', '2024-07-01T20:00:00Z'],
      ['mozilla', '2024-07-01T16:00:00Z', '2024-07-01T16:00:00Z'],
      ['floating', '2024-07-01T10:00:00Z', '2024-07-01T10:00:00Z'],
      ['nowhere', '2024-07-01T10:00:00Z', '2024-07-01T10:00:00Z'],
      ['moved', '2024-07-02T09:00:00Z', '2024-07-02T09:00:00Z'],
    ]);
  });

  it('reports unknown zones and skipped entries', () => {
    expect(found.notes).toEqual([
      '1 older versions or copies skipped',
      '1 lists of busy times skipped: they contain no events',
      'times in the unknown zone “Mars/Olympus” were read in your time zone',
    ]);
  });
});

describe('a calendar with tasks', async () => {
  const found = await readFixture(calendarImporter, 'tasks');

  it('reads tasks and journal entries into their own streams, and reports truncated ones', () => {
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

  it('are both imported if their times or titles differ', async () => {
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

  it('are one if they are versions or copies', async () => {
    const versions = await read(event(...monday, 'SEQUENCE:0'), event(...friday, 'SEQUENCE:1'));
    expect(versions.titles).toEqual(['Concert']);
    expect(versions.notes).toEqual(['1 older versions or copies skipped']);
    const copies = await read(event(...monday), event(...monday), event(...friday), event(...friday));
    expect(copies.titles).toEqual(['Dentist', 'Concert']);
    expect(copies.notes).toEqual(['2 older versions or copies skipped']);
  });
});

describe('a calendar of Outlook as a table', () => {
  const read = async (text: string, zone = 'Europe/Berlin') => {
    const files = [makeInputFile('calendar.csv', text)];
    const { found } = await recogniseInputs(importers, files);
    expect(found.map(({ importer }) => importer.format)).toEqual(['calendar']);
    const collected = await collect(calendarImporter, files, { timeZone: zone });
    await checkRecords(calendarImporter, collected);
    return collected;
  };
  const table = (...rows: string[][]) =>
    rows.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\r\n');

  it('keeps local times', async () => {
    const { records, problems } = await read(
      table(
        [
          'Subject',
          'Start Date',
          'Start Time',
          'End Date',
          'End Time',
          'All day event',
          'Meeting Organizer',
          'Required Attendees',
          'Categories',
          'Description',
          'Location',
        ],
        [
          'Dentist',
          '7/15/2024',
          '9:30:00 AM',
          '7/15/2024',
          '10:15:00 AM',
          'False',
          '',
          '',
          'Health;Private',
          'bring card',
          'Town',
        ],
        ['Fair', '7/16/2024', '12:00:00 AM', '7/18/2024', '12:00:00 AM', 'True', '', '', '', '', ''],
        [
          'Team',
          '7/17/2024',
          '2:00:00 PM',
          '7/17/2024',
          '3:00:00 PM',
          'False',
          'Anna <Anna@example.org>',
          'Bo;carla@example.org',
          '',
          '',
          '',
        ],
        ['Nowhen', '', '', '', '', 'False', '', '', '', '', ''],
      ),
    );
    expect(records.events?.map(({ id, ...event }) => event)).toEqual([
      {
        title: 'Dentist',
        description: 'bring card',
        location: 'Town',
        starts_at: '2024-07-15T07:30:00Z',
        ends_at: '2024-07-15T08:15:00Z',
        duration_minutes: 45,
        is_all_day: false,
        categories: ['Health', 'Private'],
        calendar: 'calendar',
      },
      {
        title: 'Fair',
        starts_at: '2024-07-15T22:00:00Z',
        ends_at: '2024-07-17T22:00:00Z',
        duration_minutes: 2_880,
        is_all_day: true,
        calendar: 'calendar',
      },
      {
        title: 'Team',
        starts_at: '2024-07-17T12:00:00Z',
        ends_at: '2024-07-17T13:00:00Z',
        duration_minutes: 60,
        is_all_day: false,
        organizer_email: 'anna@example.org',
        attendees: ['Anna <Anna@example.org>', 'Bo', 'carla@example.org'],
        attendee_emails: ['anna@example.org', 'carla@example.org'],
        calendar: 'calendar',
      },
    ]);
    expect(problems).toEqual([{ path: 'calendar.csv', place: 'line 5', reason: 'has no valid start' }]);
  });

  it.each([
    ['German', ['Betreff', 'Beginnt am', 'Beginnt um', 'Endet am', 'Endet um'], ['15.7.2024', '14:30:00']],
    ['French', ['Objet', 'Début', 'Début', 'Fin', 'Fin'], ['15/07/2024', '14:30:00']],
    [
      'Spanish',
      ['Asunto', 'Fecha de comienzo', 'Comienzo', 'Fecha de finalización', 'Finalización'],
      ['15/07/2024', '14:30:00'],
    ],
    [
      'Italian',
      ['Oggetto', 'Data di inizio', 'Ora di inizio', 'Data di fine', 'Ora di fine'],
      ['15/07/2024', '14:30:00'],
    ],
    ['Dutch', ['Onderwerp', 'Begindatum', 'Begintijd', 'Einddatum', 'Eindtijd'], ['15-7-2024', '14:30:00']],
    [
      'Portuguese',
      ['Assunto', 'Data de Início', 'Hora de Início', 'Data de Término', 'Hora de Término'],
      ['15/07/2024', '14:30:00'],
    ],
  ])('is read in %s', async (_, header, [day = '', clock = '']) => {
    const { records } = await read(table(header, ['Zahnarzt', day, clock, day, '15:00:00']));
    expect(records.events).toMatchObject([
      { title: 'Zahnarzt', starts_at: '2024-07-15T12:30:00Z', ends_at: '2024-07-15T13:00:00Z' },
    ]);
  });

  it('keeps its keys in another time zone', async () => {
    const text = table(['Subject', 'Start Date', 'Start Time'], ['Dentist', '7/15/2024', '9:30 AM']);
    const [berlin, tokyo] = [await read(text), await read(text, 'Asia/Tokyo')];
    expect(tokyo.records.events?.[0]?.id).toBe(berlin.records.events?.[0]?.id);
    expect(tokyo.records.events?.[0]?.starts_at).toBe('2024-07-15T00:30:00Z');
  });
});
