import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { declareConversations, declareTurns } from '../assistant/assistant-streams.ts';
import { idWithin } from '../assistant/id-within.ts';
import { declareSource, declareStream, hasMany, hasOne, oneOf } from '../declare.ts';
import { makeRecord, readEach } from '../files/import-items.ts';
import { findPath } from '../files/outline-json.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseByAccount } from '../files/recognise-files.ts';
import { firstText, flagOf, type JsonObject, listOf, objectOf, textOf, timeOf } from '../values/json.ts';
import { readConversation } from './claude-conversation.ts';

const claudeDeclaration = declareSource('claude', 'Claude', [
  declareConversations(
    {
      id: 'text',
      title: 'text, search',
      summary: 'text, search: Summary by the assistant',
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
      document_text: 'text: Documents and code that the assistant wrote outside its answers',
      result_text: 'text: Results of tools: pages that were found, output of code',
      attachment_text: 'text: Text of the attached files, if the export has it',
      attachments: 'list: Names of files',
      tools: 'list: Names of the tools that were used',
      commands: 'list: Tool calls: search words, commands, paths',
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
    detail: 'Files you gave to the assistant.',
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

const KIND_FIELDS = {
  conversations: 'chat_messages',
  projects: 'prompt_template',
  memories: 'conversations_memory',
  users: 'email_address',
} as const;
type Kind = keyof typeof KIND_FIELDS;

function detectKind({ outline, text }: FileProbe): Kind | undefined {
  const kinds = Object.keys(KIND_FIELDS) as Kind[];
  const kind = kinds.find((one) => findPath(outline, KIND_FIELDS[one]) !== undefined);
  // Other exports have mail addresses too; here they come with an account id.
  if (
    kind === 'users' &&
    (findPath(outline, 'uuid') === undefined || findPath(outline, 'full_name') === undefined)
  )
    return undefined;
  return kind !== undefined && (kind === 'memories' || /"uuid"\s*:/.test(text)) ? kind : undefined;
}

export const claudeImporter: Importer = {
  format: 'claude',
  title: 'Claude export',
  fillsArchive: true,
  guide: {
    steps: [
      'Open claude.ai and sign in',
      'Click your initials, then Settings, then Privacy',
      'Export data, and confirm',
      'Download every file that is linked in the email you receive',
    ],
    waiting: 'Minutes to a few hours; the links in the mail work for 24 hours.',
    choose: 'If there are several files, import them together.',
  },
  identity: {
    messages: ['conversation_id', 'role', 'created_at', 'text'],
  },
  async recognise(files) {
    const own = await findExportFiles(files, detectKind);
    if (own.every(({ kind }) => kind === 'users')) return [];
    return recogniseByAccount(own, async ({ file, kind }) =>
      kind === 'users' ? (await readUsers(file))[0] : undefined,
    );
  },
  declare: () => Promise.resolve(claudeDeclaration),
  async *read({ files }, options) {
    for (const { file, kind } of await findExportFiles(files, detectKind)) {
      if (kind === 'users') {
        for (const value of await readUsers(file)) yield { kind: 'self', value };
        continue;
      }
      const path = findPath((await probeFile(file)).outline, KIND_FIELDS[kind]) ?? '*';
      yield* readEach(file, readJsonElements(file, [path]), function* (element) {
        yield* readElement(
          kind,
          objectOf(element.value),
          Number(element.path.at(-1) ?? 0) + 1,
          file,
          options,
        );
      });
    }
  },
};

async function readUsers(file: InputFile): Promise<string[]> {
  const users: string[] = [];
  const path = findPath((await probeFile(file)).outline, KIND_FIELDS.users) ?? '*';
  for await (const element of readJsonElements(file, [path])) {
    const address = element.kind === 'element' ? textOf(objectOf(element.value).email_address) : undefined;
    if (address !== undefined) users.push(address);
  }
  return users;
}

function* readElement(
  kind: Exclude<Kind, 'users'>,
  source: JsonObject,
  number: number,
  file: InputFile,
  options: ImportOptions,
): Generator<ImportItem> {
  const record = (stream: string, data: JsonObject, place: string): ImportItem =>
    makeRecord(file, stream, data, place);
  if (kind === 'conversations') {
    const place = `conversation ${number}`;
    const { conversation, messages } = readConversation(source, options);
    yield record('conversations', conversation, place);
    for (const [index, data] of messages.entries())
      yield record('messages', data, `${place}, message ${index + 1}`);
  } else if (kind === 'projects') {
    const { project, docs } = readProject(source, options);
    yield record('projects', project, `project ${number}`);
    for (const doc of docs) yield record('project_docs', doc, `project ${number}`);
  } else for (const memory of readMemories(source)) yield record('memories', memory, `memory ${number}`);
}

function readProject(
  source: JsonObject,
  options: ImportOptions,
): { project: JsonObject; docs: JsonObject[] } {
  const id = firstText(source.uuid, source.name) ?? '';
  const docs = listOf(source.docs).map((one) => {
    const doc = objectOf(one);
    const own = textOf(doc.uuid);
    return {
      id: own === undefined ? undefined : idWithin(id, own),
      project_id: id,
      name: firstText(doc.filename, doc.file_name),
      text: textOf(doc.content),
      created_at: timeOf(doc.created_at, options),
    };
  });
  const project = {
    id,
    name: textOf(source.name),
    description: textOf(source.description),
    prompt: textOf(source.prompt_template),
    is_private: flagOf(source.is_private),
    doc_count: docs.length,
    created_at: timeOf(source.created_at, options),
    updated_at: timeOf(source.updated_at, options),
  };
  return { project, docs };
}

/** One memory for all conversations, and one per project. */
function readMemories(source: JsonObject): JsonObject[] {
  const all = textOf(source.conversations_memory);
  const account = textOf(source.account_uuid) ?? 'account';
  const projects = Object.entries(objectOf(source.project_memories)).map(([id, memory]) => ({
    id: `project/${id}`,
    name: 'A project',
    project_id: id,
    text: textOf(memory),
  }));
  return [...(all === undefined ? [] : [{ id: account, name: 'All conversations', text: all }]), ...projects];
}
