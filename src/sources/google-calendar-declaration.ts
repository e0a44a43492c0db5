import {
  declareSource,
  describeObject,
  flag,
  list,
  oneOf,
  selection,
  text,
  textOrNull,
  time,
} from './declare.ts';

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
      is_all_day: flag(),
      status: oneOf(['confirmed', 'tentative', 'cancelled']),
      calendar: oneOf(['personal', 'work', 'climbing']),
      organizer_email: text(),
      attendees: list('Names of everyone invited'),
      series_id: textOrNull('The same for all events of a repeating appointment'),
    }),
    primary_key: ['id'],
    cursor_field: 'starts_at',
    consent_time_field: 'starts_at',
    selection,
    views: [{ id: 'basic', label: 'Free and busy', fields: ['id', 'starts_at', 'ends_at', 'status'] }],
    query: { search: { lexical_fields: ['title', 'location', 'description'] } },
  },
]);
