import type { SourceDeclaration } from '../../schema-index/declaration.ts';
import { declareSource, declareStream, hasMany, hasOne, oneOf } from '../declare.ts';

/** Declares the streams of a coding agent: sessions and their messages. */
export function declareSessions(key: string, name: string): SourceDeclaration {
  return declareSource(key, name, [
    declareStream('sessions', 'Sessions', {
      description: 'Sessions with the coding agent: folder, time and model.',
      detail: 'Folders, dates and titles of your sessions, without what was said.',
      time: 'started_at',
      view: { label: 'Titles and dates', fields: ['id', 'title', 'project', 'started_at'] },
      relations: [hasMany('messages', 'messages', 'session_id'), hasMany('started', 'sessions', 'parent_id')],
      fields: {
        id: 'text',
        title: 'text, search: Its own title, or how the first request begins',
        started_at: 'time',
        ended_at: 'time',
        project: 'text, search: Name of the folder',
        folder: 'text: Whole path of the folder',
        git_branch: 'text',
        model: 'text',
        version: 'text: Of the program',
        message_count: 'integer: Messages of the owner and of the agent, without tools',
        tool_count: 'integer: How often tools were used',
        input_tokens: 'integer',
        output_tokens: 'integer',
        parent_id: 'text: The session that started this one',
      },
    }),
    declareStream('messages', 'Messages', {
      description: 'What the owner asked, what the agent answered, and what its tools gave back.',
      detail: 'What you asked and what was answered, with the output of tools.',
      semantics: 'append_only',
      time: 'sent_at',
      view: { label: 'Text and time', fields: ['id', 'session_id', 'role', 'text', 'sent_at'] },
      relations: [hasOne('session', 'sessions', 'session_id')],
      fields: {
        id: 'text',
        session_id: 'text, required',
        role: oneOf(['user', 'assistant', 'tool', 'system']),
        text: 'text, search',
        sent_at: 'time',
        project: 'text: Name of the folder',
        from_me: 'flag: Whether the owner wrote it',
        model: 'text',
        reasoning_text: 'text, search: What the agent thought before it answered',
        tools: 'list: Names of the tools that were used',
        commands: 'list: Tool calls: commands, paths',
        attachments: 'list: Types of attachments: image, document',
        is_hidden: 'flag: Whether the program wrote it: tool results, notes about the environment',
      },
    }),
  ]);
}
