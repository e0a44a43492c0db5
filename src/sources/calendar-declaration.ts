import { declareSource } from './declare.ts';
import { googleCalendarDeclaration } from './google-calendar-declaration.ts';

/** Calendars of anybody but Google, with the same streams under a name of their own. */
export const calendarDeclaration = declareSource('calendar', 'Calendar', googleCalendarDeclaration.streams);
