import type { ImportItem, InputFile } from '../../import/importer.ts';
import { calendarDeclaration } from '../../sources/calendar/calendar-declaration.ts';
import { readCalendarObject } from '../../sources/calendar/read-calendar.ts';
import { contactsDeclaration } from '../../sources/contacts/contacts-declaration.ts';
import { PersonKeys } from '../../sources/contacts/person.ts';
import { readVcards } from '../../sources/contacts/read-vcards.ts';
import type { SyncPlan } from '../sync-source.ts';

/** The differences between calendars and address books. */
export interface DavKind {
  readonly kind: 'caldav' | 'carddav';
  readonly title: string;
  /** The XML namespace of the extension. */
  readonly namespace: string;
  /** The type of a collection. */
  readonly resourceType: string;
  readonly home: string;
  readonly multiget: string;
  /** The property with the text of an object. */
  readonly data: string;
  /** The plural noun for collections in messages. */
  readonly collections: string;
  readonly plan: SyncPlan;
  /** Reads an object exactly as an import of the whole collection would. */
  read(object: InputFile, timeZone: string, collection: string): AsyncIterable<ImportItem>;
}

export const calendarKind: DavKind = {
  kind: 'caldav',
  title: 'Calendars (CalDAV)',
  namespace: 'urn:ietf:params:xml:ns:caldav',
  resourceType: 'calendar',
  home: 'calendar-home-set',
  multiget: 'calendar-multiget',
  data: 'calendar-data',
  collections: 'calendars',
  plan: { format: 'calendar', title: 'Calendars (CalDAV)', declaration: calendarDeclaration },
  read: (object, timeZone, collection) => readCalendarObject(object, { timeZone }, collection),
};

export const contactsKind: DavKind = {
  kind: 'carddav',
  title: 'Contacts (CardDAV)',
  namespace: 'urn:ietf:params:xml:ns:carddav',
  resourceType: 'addressbook',
  home: 'addressbook-home-set',
  multiget: 'addressbook-multiget',
  data: 'address-data',
  collections: 'address books',
  plan: { format: 'contacts', title: 'Contacts (CardDAV)', declaration: contactsDeclaration },
  read: (object, timeZone) => readVcards(object, { timeZone }, new PersonKeys()),
};
