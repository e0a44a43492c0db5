import {
  declareSource,
  describeObject,
  flag,
  integer,
  list,
  oneOf,
  selection,
  sensitive,
  text,
  textOrNull,
  time,
} from '../declare.ts';

/** What events share with other entries of a calendar. */
export const entryFields = {
  url: text('A page or a video call that belongs to it'),
  categories: list(),
  created_at: time(),
  updated_at: time(),
};

export const googleCalendarDeclaration = declareSource('google_calendar', 'Google Calendar', [
  {
    name: 'events',
    description: 'Appointments, meetings, birthdays and journeys.',
    display: {
      label: 'Calendar events',
      detail: 'Your appointments: when, where, with whom and what about.',
    },
    semantics: 'mutable_state',
    schema: describeObject(['id', 'starts_at'], {
      id: text(),
      title: text(),
      description: textOrNull(),
      location: textOrNull(),
      starts_at: time(),
      ends_at: time(),
      duration_minutes: integer('From start to end; of an all-day event whole days'),
      is_all_day: flag(),
      status: oneOf(['confirmed', 'tentative', 'cancelled']),
      calendar: text('Name of the calendar it is in'),
      organizer_email: sensitive(text()),
      attendees: list('Names of everyone invited'),
      series_id: textOrNull('The same for all events of a repeating appointment'),
      attendee_emails: sensitive(list('Mail addresses of everyone invited')),
      repeats: text('How a repeating appointment repeats, in words; it is one record, at its first time'),
      rule: text('The same as an iCalendar RRULE'),
      excluded: list('Times at which a repeating appointment does not take place'),
      time_zone: text('The zone it was entered in'),
      ...entryFields,
    }),
    primary_key: ['id'],
    cursor_field: 'starts_at',
    consent_time_field: 'starts_at',
    selection,
    views: [{ id: 'basic', label: 'Free and busy', fields: ['id', 'starts_at', 'ends_at', 'status'] }],
    query: { search: { lexical_fields: ['title', 'location', 'description', 'attendees', 'calendar'] } },
  },
]);
