import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import {
  declareSource,
  describeObject,
  flag,
  integer,
  list,
  oneOf,
  selection,
  text,
  time,
} from '../declare.ts';

/** Logs of coding agents are alike: sessions in a folder, and what was said and done in them. */
export function declareSessions(key: string, name: string): SourceDeclaration {
  return declareSource(key, name, [
    {
      name: 'sessions',
      description: 'Sessions of work with the coding agent: where, when, with which model.',
      display: {
        label: 'Sessions',
        detail: 'Folders, dates and titles of your sessions, without what was said.',
      },
      semantics: 'mutable_state',
      schema: describeObject(['id'], {
        id: text(),
        title: text('Its own title, or how the first request begins'),
        started_at: time(),
        ended_at: time(),
        project: text('Name of the folder'),
        folder: text('Whole path of the folder'),
        git_branch: text(),
        model: text(),
        version: text('Of the program'),
        message_count: integer('Words of the owner and of the agent, without tools'),
        tool_count: integer('How often tools were used'),
        input_tokens: integer(),
        output_tokens: integer(),
        parent_id: text('The session that started this one'),
      }),
      primary_key: ['id'],
      cursor_field: 'started_at',
      consent_time_field: 'started_at',
      selection,
      views: [{ id: 'basic', label: 'Titles and dates', fields: ['id', 'title', 'project', 'started_at'] }],
      relationships: [
        { name: 'messages', stream: 'messages', foreign_key: 'session_id', cardinality: 'has_many' },
        { name: 'started', stream: 'sessions', foreign_key: 'parent_id', cardinality: 'has_many' },
      ],
      query: { search: { lexical_fields: ['title', 'project'] } },
    },
    {
      name: 'messages',
      description: 'What the owner asked, what the agent answered, and what its tools gave back.',
      display: {
        label: 'Messages',
        detail: 'What you asked and what was answered, with the output of tools.',
      },
      semantics: 'append_only',
      schema: describeObject(['id', 'session_id'], {
        id: text(),
        session_id: text(),
        role: oneOf(['user', 'assistant', 'tool', 'system']),
        text: text(),
        sent_at: time(),
        project: text('Name of the folder'),
        from_me: flag('Whether the owner wrote it'),
        model: text(),
        reasoning_text: text('What the agent thought before it answered'),
        tools: list('Names of the tools that were used'),
        commands: list('What the tools were asked to do: commands, paths'),
        attachments: list('Kinds of what was sent along: image, document'),
        is_hidden: flag('What the program wrote by itself: tools, notes about the surroundings'),
      }),
      primary_key: ['id'],
      cursor_field: 'sent_at',
      consent_time_field: 'sent_at',
      selection,
      views: [
        { id: 'basic', label: 'Text and time', fields: ['id', 'session_id', 'role', 'text', 'sent_at'] },
      ],
      relationships: [
        { name: 'session', stream: 'sessions', foreign_key: 'session_id', cardinality: 'has_one' },
      ],
      query: { search: { lexical_fields: ['text', 'reasoning_text'] } },
    },
  ]);
}
