import type { ImportOptions } from '../../import/importer.ts';
import { readDay } from '../../import/read/read-time.ts';
import type { Row, TableKind } from '../files/table-kind.ts';
import { type JsonObject, someOf, timeOf } from '../values/json.ts';

interface LinkedinTable extends TableKind {
  readonly stream: string;
  read(row: Row, options: ImportOptions): JsonObject;
}

const nameOf = (row: Row) => someOf([row['first name'], row['last name']])?.join(' ');
const dayOf = (text: string | undefined) => (text === undefined ? undefined : readDay(text));

/** All times are UTC; only some tables say so. */
export const utcOf = (text: string | undefined, { dayFirst }: ImportOptions) =>
  timeOf(text, { timeZone: 'UTC', ...(dayFirst === undefined ? {} : { dayFirst }) });

/** The tables of an export by their columns. Messages are read separately, as chats. */
export const linkedinTables = {
  connections: {
    columns: ['first name', 'last name', 'company', 'position', 'connected on'],
    stream: 'connections',
    read: (row) => ({
      // Not all connections have a URL, and the other columns change with jobs.
      id: row.url ?? undefined,
      name: nameOf(row),
      company: row.company,
      position: row.position,
      email: row['email address'],
      url: row.url,
      connected_on: dayOf(row['connected on']),
    }),
  },
  invitations: {
    columns: ['from', 'to', 'sent at', 'direction'],
    stream: 'invitations',
    read: (row, options) => ({
      sender: row.from,
      recipient: row.to,
      direction: row.direction,
      text: row.message,
      sent_at: utcOf(row['sent at'], options),
    }),
  },
  positions: {
    columns: ['company name', 'title', 'started on', 'finished on'],
    stream: 'positions',
    read: (row) => ({
      title: row.title,
      company: row['company name'],
      description: row.description,
      location: row.location,
      started_on: row['started on'],
      finished_on: row['finished on'],
    }),
  },
  education: {
    columns: ['school name', 'degree name'],
    stream: 'education',
    read: (row) => ({
      name: row['school name'],
      degree: row['degree name'],
      notes: row.notes,
      activities: row.activities,
      started_on: row['start date'],
      finished_on: row['end date'],
    }),
  },
  skills: {
    columns: ['name'],
    path: /(^|\/)skills\.csv$/i,
    stream: 'skills',
    read: (row) => ({ id: row.name, name: row.name }),
  },
  posts: {
    columns: ['date', 'sharelink', 'sharecommentary'],
    stream: 'posts',
    read: (row, options) => ({
      // A line break is written with a quote on each side.
      text: row.sharecommentary?.replace(/"\n"/g, '\n'),
      url: row.sharelink,
      shared_url: row.sharedurl,
      visibility: row.visibility,
      created_at: utcOf(row.date, options),
    }),
  },
  comments: {
    columns: ['date', 'link', 'message'],
    stream: 'comments',
    read: (row, options) => ({ text: row.message, url: row.link, created_at: utcOf(row.date, options) }),
  },
  reactions: {
    columns: ['date', 'type', 'link'],
    stream: 'reactions',
    read: (row, options) => ({ reaction: row.type, url: row.link, created_at: utcOf(row.date, options) }),
  },
  searches: {
    columns: ['time', 'search query'],
    stream: 'searches',
    read: (row, options) => ({ query: row['search query'], created_at: utcOf(row.time, options) }),
  },
  profile: {
    columns: ['first name', 'last name', 'headline', 'industry'],
    stream: 'profile',
    read: (row) => ({
      id: 'profile',
      name: nameOf(row),
      headline: row.headline,
      summary: row.summary,
      industry: row.industry,
      location: row['geo location'],
      address: row.address,
      birth_date: row['birth date'],
    }),
  },
} as const satisfies Readonly<Record<string, LinkedinTable>>;
