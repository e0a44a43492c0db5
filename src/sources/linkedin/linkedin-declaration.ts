import { declareChats } from '../chat/chat-declaration.ts';
import { declareStream } from '../declare.ts';

export const linkedinDeclaration = declareChats('linkedin', 'LinkedIn', {
  messages: {
    subject: 'text',
    recipients: 'text: Names of those it was sent to',
    sender_url: 'text: Profile of the sender',
    folder: 'text',
  },
  streams: [
    declareStream('connections', 'Connections', {
      description: 'People you are connected with, and since when.',
      time: 'connected_on',
      fields: {
        id: 'text',
        name: 'text, search',
        company: 'text, search',
        position: 'text, search',
        email: 'text, sensitive',
        url: 'text',
        connected_on: 'date',
      },
    }),
    declareStream('invitations', 'Invitations', {
      description: 'Invitations to connect, sent and received.',
      time: 'sent_at',
      fields: {
        id: 'text',
        sender: 'text, search',
        recipient: 'text, search',
        direction: 'text: INCOMING or OUTGOING',
        text: 'text, search',
        sent_at: 'time',
      },
    }),
    declareStream('positions', 'Positions', {
      description: 'Jobs in your profile.',
      fields: {
        id: 'text',
        title: 'text, search',
        company: 'text, search',
        description: 'text, search',
        location: 'text',
        started_on: 'text: As LinkedIn writes it: Jan 2020',
        finished_on: 'text: As LinkedIn writes it; none for the present one',
      },
    }),
    declareStream('education', 'Education', {
      description: 'Schools in your profile.',
      fields: {
        id: 'text',
        name: 'text, search: Of the school',
        degree: 'text, search',
        notes: 'text, search',
        activities: 'text',
        started_on: 'text',
        finished_on: 'text',
      },
    }),
    declareStream('skills', 'Skills', {
      description: 'Skills in your profile.',
      fields: { id: 'text', name: 'text, search' },
    }),
    declareStream('posts', 'Posts', {
      description: 'What you posted and shared.',
      time: 'created_at',
      fields: {
        id: 'text',
        text: 'text, search',
        url: 'text',
        shared_url: 'text',
        visibility: 'text',
        created_at: 'time',
      },
    }),
    declareStream('comments', 'Comments', {
      description: 'Comments that you wrote.',
      time: 'created_at',
      fields: { id: 'text', text: 'text, search', url: 'text', created_at: 'time' },
    }),
    declareStream('reactions', 'Reactions', {
      description: 'What you reacted to.',
      time: 'created_at',
      fields: { id: 'text', reaction: 'text, search', url: 'text', created_at: 'time' },
    }),
    declareStream('searches', 'Searches', {
      description: 'What you searched for.',
      time: 'created_at',
      fields: { id: 'text', query: 'text, search', created_at: 'time' },
    }),
    declareStream('profile', 'Profile', {
      description: 'What your profile says.',
      fields: {
        id: 'text',
        name: 'text, search',
        headline: 'text, search',
        summary: 'text, search',
        industry: 'text',
        location: 'text',
        address: 'text, sensitive',
        birth_date: 'text, sensitive',
      },
    }),
  ],
});
