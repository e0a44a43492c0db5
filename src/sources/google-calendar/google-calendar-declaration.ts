import { declareSource, declareStream, type Fields, oneOf } from '../declare.ts';

/** Fields that events share with other calendar entries. */
export const entryFields: Fields = {
  url: 'text: A page or a video call that belongs to it',
  categories: 'list',
  created_at: 'time',
  updated_at: 'time',
};

export const googleCalendarDeclaration = declareSource('google_calendar', 'Google Calendar', [
  declareStream('events', 'Calendar events', {
    description:
      'Appointments, meetings, birthdays and journeys; a repeating one is one record, at its first time.',
    detail: 'Your appointments: time, place, people and subject.',
    time: 'starts_at',
    view: { label: 'Free and busy', fields: ['id', 'starts_at', 'ends_at', 'status'] },
    search: ['title', 'location', 'description', 'attendees', 'calendar'],
    fields: {
      id: 'text',
      title: 'text',
      description: 'text or null',
      location: 'text or null',
      starts_at: 'time, required',
      ends_at: 'time',
      duration_minutes: 'integer: From start to end; whole days for an all-day event',
      is_all_day: 'flag',
      status: oneOf(['confirmed', 'tentative', 'cancelled']),
      calendar: 'text: Name of the calendar it is in',
      organizer_email: 'text, sensitive',
      attendees: 'list: Names of everyone invited',
      series_id: 'text or null: The same for all events of a repeating appointment',
      attendee_emails: 'list, sensitive: Mail addresses of everyone invited',
      repeats: 'text: How a repeating appointment repeats, in words. It is one record, at its first time',
      rule: 'text: The same as an iCalendar RRULE',
      excluded: 'list: Times at which a repeating appointment does not take place',
      time_zone: 'text: The zone it was entered in',
      ...entryFields,
    },
  }),
]);
