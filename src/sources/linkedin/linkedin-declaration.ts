import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import { declareChats } from '../chat/chat-declaration.ts';
import { date, describeObject, selection, sensitive, text, time } from '../declare.ts';

type Properties = Parameters<typeof describeObject>[1];

/** The small tables have little in common but their form. */
function table(
  name: string,
  label: string,
  description: string,
  properties: Properties,
  lexical: string[],
  timeField?: string,
): StreamDeclaration {
  return {
    name,
    description,
    display: { label, detail: description },
    semantics: 'mutable_state',
    schema: describeObject(['id'], { id: text(), ...properties }),
    primary_key: ['id'],
    ...(timeField === undefined ? {} : { cursor_field: timeField, consent_time_field: timeField }),
    selection,
    query: { search: { lexical_fields: lexical } },
  };
}

export const linkedinDeclaration = declareChats('linkedin', 'LinkedIn', {
  messages: {
    subject: text(),
    recipients: text('Names of those it was sent to'),
    sender_url: text('Profile of the sender'),
    folder: text(),
  },
  streams: [
    table(
      'connections',
      'Connections',
      'People you are connected with, and since when.',
      {
        name: text(),
        company: text(),
        position: text(),
        email: sensitive(text()),
        url: text(),
        connected_on: date(),
      },
      ['name', 'company', 'position'],
      'connected_on',
    ),
    table(
      'invitations',
      'Invitations',
      'Invitations to connect, sent and received.',
      {
        sender: text(),
        recipient: text(),
        direction: text('INCOMING or OUTGOING'),
        text: text(),
        sent_at: time(),
      },
      ['sender', 'recipient', 'text'],
      'sent_at',
    ),
    table(
      'positions',
      'Positions',
      'Jobs in your profile.',
      {
        title: text(),
        company: text(),
        description: text(),
        location: text(),
        started_on: text('As LinkedIn writes it: Jan 2020'),
        finished_on: text('As LinkedIn writes it; none for the present one'),
      },
      ['title', 'company', 'description'],
    ),
    table(
      'education',
      'Education',
      'Schools in your profile.',
      {
        name: text('Of the school'),
        degree: text(),
        notes: text(),
        activities: text(),
        started_on: text(),
        finished_on: text(),
      },
      ['name', 'degree', 'notes'],
    ),
    table('skills', 'Skills', 'Skills in your profile.', { name: text() }, ['name']),
    table(
      'posts',
      'Posts',
      'What you posted and shared.',
      {
        text: text(),
        url: text(),
        shared_url: text(),
        visibility: text(),
        created_at: time(),
      },
      ['text'],
      'created_at',
    ),
    table(
      'comments',
      'Comments',
      'Comments that you wrote.',
      { text: text(), url: text(), created_at: time() },
      ['text'],
      'created_at',
    ),
    table(
      'reactions',
      'Reactions',
      'What you reacted to.',
      { reaction: text(), url: text(), created_at: time() },
      ['reaction'],
      'created_at',
    ),
    table(
      'searches',
      'Searches',
      'What you searched for.',
      { query: text(), created_at: time() },
      ['query'],
      'created_at',
    ),
    table(
      'profile',
      'Profile',
      'What your profile says.',
      {
        name: text(),
        headline: text(),
        summary: text(),
        industry: text(),
        location: text(),
        address: sensitive(text()),
        birth_date: sensitive(text()),
      },
      ['name', 'headline', 'summary'],
    ),
  ],
});
