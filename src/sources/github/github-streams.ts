import type { StreamDeclaration } from '../../schema-index/declaration.ts';
import { declareStream, hasOne } from '../declare.ts';

const repository: NonNullable<StreamDeclaration['relationships']> = [
  hasOne('repository', 'repositories', 'repository_id'),
];

export const githubStreams: StreamDeclaration[] = [
  declareStream('stars', 'Stars', {
    description: 'Repositories the owner starred, and when.',
    detail: 'Which repositories you starred.',
    time: 'starred_at',
    relations: repository,
    fields: {
      id: 'text: Owner and name',
      name: 'text, search: Owner and name',
      repository_id: 'text',
      description: 'text, search',
      language: 'text, search',
      topics: 'list, search',
      stars: 'integer: By all people, then',
      starred_at: 'time',
      url: 'text',
    },
  }),
  declareStream('commits', 'Commits', {
    description: 'Commits with their message.',
    detail: 'Your commits with their messages.',
    semantics: 'append_only',
    time: 'committed_at',
    relations: repository,
    fields: {
      id: 'text: Hash of the commit',
      repository_id: 'text',
      title: 'text, search: First line of the message',
      message: 'text, search',
      author: 'text, search',
      author_email: 'text, sensitive',
      committed_at: 'time',
      is_mine: 'flag: Whether the owner of the account wrote it',
      url: 'text',
    },
  }),
  declareStream('events', 'Events', {
    description: 'What was done on GitHub: pushes, forks, releases, comments.',
    detail: 'What you did on GitHub, and when.',
    semantics: 'append_only',
    time: 'created_at',
    relations: repository,
    fields: {
      id: 'text',
      type: 'text, search: Such as PushEvent or ForkEvent',
      repository_id: 'text, search',
      author: 'text, search',
      action: 'text',
      created_at: 'time, required',
    },
  }),
  declareStream('releases', 'Releases', {
    description: 'Releases of repositories.',
    detail: 'Releases with their notes.',
    time: 'published_at',
    relations: repository,
    search: ['name', 'body', 'tag'],
    fields: {
      id: 'text',
      repository_id: 'text',
      name: 'text',
      tag: 'text',
      body: 'text',
      author: 'text',
      published_at: 'time',
      url: 'text',
    },
  }),
  declareStream('gists', 'Gists', {
    description: 'Gists: short files to share.',
    detail: 'Names and descriptions of your gists.',
    time: 'created_at',
    fields: {
      id: 'text',
      title: 'text, search: Its description, or the first file',
      files: 'list, search',
      is_public: 'flag',
      created_at: 'time, required',
      updated_at: 'time',
      url: 'text',
    },
  }),
  declareStream('people', 'People', {
    description: 'Accounts that the export names.',
    detail: 'Accounts of people you work with.',
    fields: {
      id: 'text: Login',
      name: 'text, search',
      bio: 'text, search',
      company: 'text, search',
      location: 'text, sensitive',
      website: 'text',
      url: 'text',
    },
  }),
];
