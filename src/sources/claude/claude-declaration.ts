import { declareConversations, declareTurns } from '../assistant/assistant-streams.ts';
import { declareSource, declareStream, hasMany, hasOne, oneOf } from '../declare.ts';

export const claudeDeclaration = declareSource('claude', 'Claude', [
  declareConversations(
    {
      id: 'text',
      title: 'text, search',
      summary: 'text, search: What it was about, as the assistant put it',
      created_at: 'time',
      updated_at: 'time',
      model: 'text',
      message_count: 'integer',
      is_starred: 'flag',
      project_id: 'text',
    },
    [hasOne('project', 'projects', 'project_id')],
  ),
  declareTurns(
    'Questions of the owner and answers of the assistant, with the files and documents in them.',
    {
      id: 'text',
      conversation_id: 'text, required',
      role: oneOf(['user', 'assistant']),
      text: 'text',
      created_at: 'time',
      title: 'text: Of the conversation',
      from_me: 'flag: Whether the owner wrote it',
      parent_id: 'text: The message it answers',
      reasoning_text: 'text, sensitive: What the assistant thought before it answered',
      document_text: 'text: Documents and code that the assistant wrote beside the talk',
      result_text: 'text: What tools gave back: pages that were found, output of code',
      attachment_text: 'text: What the attached files say, where the export has it',
      attachments: 'list: Names of files',
      tools: 'list: Names of the tools that were used',
      commands: 'list: What the tools were asked to do: words to look for, commands, paths',
    },
    ['text', 'document_text', 'attachment_text', 'reasoning_text', 'result_text'],
  ),
  declareStream('projects', 'Projects', {
    description: 'Projects: what they are about and the instructions the assistant gets in them.',
    detail: 'Names, descriptions and instructions of your projects.',
    time: 'created_at',
    relations: [
      hasMany('docs', 'project_docs', 'project_id'),
      hasMany('conversations', 'conversations', 'project_id'),
    ],
    fields: {
      id: 'text',
      name: 'text, search',
      description: 'text, search',
      prompt: 'text, search: Instructions for the assistant',
      is_private: 'flag',
      doc_count: 'integer',
      created_at: 'time',
      updated_at: 'time',
    },
  }),
  declareStream('project_docs', 'Project files', {
    description: 'Files that the owner put into a project, with their text.',
    detail: 'What you gave the assistant to know.',
    time: 'created_at',
    relations: [hasOne('project', 'projects', 'project_id')],
    fields: {
      id: 'text',
      project_id: 'text, required',
      name: 'text, search: File name',
      text: 'text, search',
      created_at: 'time',
    },
  }),
  declareStream('memories', 'Memories', {
    description: 'What the assistant has noted about the owner.',
    detail: 'What the assistant remembers about you.',
    isSensitive: true,
    relations: [hasOne('project', 'projects', 'project_id')],
    fields: { id: 'text', name: 'text: What it is about', project_id: 'text', text: 'text, search' },
  }),
]);
