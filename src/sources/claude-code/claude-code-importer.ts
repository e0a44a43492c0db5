import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { describeToolCall } from '../assistant/describe-tool-call.ts';
import { idWithin } from '../assistant/id-within.ts';
import { declareSessions } from '../assistant/session-declaration.ts';
import { joinBlocks, listAttachmentTypes, peekLog, readLog } from '../assistant/session-log.ts';
import { SessionTally } from '../assistant/session-tally.ts';
import { makeNote, makeRecord, readEach } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, recogniseTogether } from '../files/recognise-files.ts';
import { integerOf, type JsonObject, listOf, objectOf, someOf, textOf, timeOf } from '../values/json.ts';

const TALK = ['user', 'assistant', 'system'];

/** A first line with a picture is longer than the probed text; its beginning suffices. */
const BEGUN = /^\{(?=[^\n]*"sessionId"\s*:\s*")(?=[^\n]*"(?:isSidechain|parentUuid)"\s*:)/;

function detectKind({ text }: FileProbe): 'log' | undefined {
  const isOwn = ({ type, sessionId, leafUuid, snapshot }: JsonObject) =>
    (textOf(sessionId) !== undefined && TALK.includes(textOf(type) ?? '')) ||
    // Titles and file snapshots may fill the beginning.
    (type === 'summary' && textOf(leafUuid) !== undefined) ||
    (type === 'file-history-snapshot' && snapshot !== undefined);
  return BEGUN.test(text) || peekLog(text).some(isOwn) ? 'log' : undefined;
}

export const claudeCodeImporter: Importer = {
  format: 'claude-code',
  title: 'Claude Code sessions',
  guide: {
    steps: ['Upload the folder .claude/projects from your home folder, or single .jsonl files in it'],
    waiting: 'None: the files are on your machine.',
  },
  recognise: async (files) => recogniseTogether(await findExportFiles(files, detectKind)),
  declare: () => Promise.resolve(declareSessions('claude_code', 'Claude Code')),
  async *read({ files }, options) {
    for (const file of files) yield* readSession(file, options);
  },
};

async function* readSession(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const tally = new SessionTally();
  let session: string | undefined;
  yield* readEach(file, readLog(file), function* (line) {
    const { value, number } = line;
    if (value.type === 'summary') tally.note('title', value.summary);
    if (value.type === 'custom-title' || value.type === 'ai-title')
      tally.note('title', value.customTitle ?? value.aiTitle ?? value.title, true);
    session ??= findSession(value, tally);
    const message = session === undefined ? undefined : readMessage(value, session, number, options);
    tally.note('folder', value.cwd);
    tally.note('git_branch', value.gitBranch);
    tally.note('version', value.version, true);
    if (message === undefined) return;
    const { usage, id } = objectOf(value.message);
    const { input_tokens, output_tokens } = objectOf(usage);
    tally.note('model', message.model, true);
    tally.spend(textOf(id) ?? `line ${number}`, integerOf(input_tokens), integerOf(output_tokens));
    tally.see(textOf(message.sent_at));
    tally.count(message);
    const data = { ...message, project: tally.project };
    yield makeRecord(file, 'messages', data, `line ${number}`);
  });
  if (session === undefined) yield makeNote(file, 'contains no messages, only titles or file snapshots');
  else yield makeRecord(file, 'sessions', tally.describe(session));
}

/** A subagent writes a log of its own with the same session id. */
function findSession(line: JsonObject, tally: SessionTally): string | undefined {
  const session = textOf(line.sessionId);
  const agent = line.isSidechain === true ? textOf(line.agentId) : undefined;
  if (session === undefined || agent === undefined) return session;
  tally.note('parent_id', session);
  return `${session}/${agent}`;
}

function readMessage(
  line: JsonObject,
  session: string,
  number: number,
  options: ImportOptions,
): JsonObject | undefined {
  // A prompt that the owner typed while the agent was working is stored as an attachment.
  const queued = objectOf(line.attachment);
  const isQueued = line.type === 'attachment' && queued.type === 'queued_command';
  const type = isQueued ? 'user' : textOf(line.type);
  if (type === undefined || !TALK.includes(type)) return undefined;
  const message = objectOf(line.message);
  const content = isQueued ? queued.prompt : (message.content ?? line.content);
  const results = joinBlocks(content, ['tool_result']);
  const said = joinBlocks(content, ['text']);
  const { text, isOfProgram } = type === 'user' ? readProgramWords(said) : { text: said, isOfProgram: false };
  const blocks = listOf(content).map(objectOf);
  const uses = blocks.filter((block) => block.type === 'tool_use');
  const isResult = said === undefined && blocks.some((block) => block.type === 'tool_result');
  const role = type === 'user' && isResult ? 'tool' : type;
  const isHidden =
    role === 'tool' ||
    role === 'system' ||
    line.isMeta === true ||
    line.isCompactSummary === true ||
    isOfProgram;
  const data = {
    id: idWithin(session, textOf(line.uuid) ?? `line ${number}`),
    session_id: session,
    role,
    text: role === 'tool' ? results : text,
    sent_at: timeOf(line.timestamp, options),
    from_me: role === 'user' && !isHidden && line.isSidechain !== true,
    // An error message takes the place of an answer.
    model: message.model === '<synthetic>' ? undefined : textOf(message.model),
    reasoning_text: joinBlocks(content, ['thinking']),
    tools: someOf(uses.map(({ name }) => textOf(name))),
    commands: someOf(uses.map(({ input }) => describeToolCall(objectOf(input)))),
    attachments: listAttachmentTypes(content),
    is_hidden: isHidden,
  };
  const { reasoning_text, tools, attachments } = data;
  return [data.text, reasoning_text, tools, attachments].every((one) => one === undefined) ? undefined : data;
}

/** Texts that the program writes in the owner's name: command output, reminders, background task notifications. */
const OF_PROGRAM =
  /^\s*<(local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr)|system-reminder|task-notification|command-(?:stdout|stderr))\b/;

/** Commands of the owner are wrapped in tags: `/clear`, or `!ls` for the shell. */
function readProgramWords(said: string | undefined): {
  text: string | undefined;
  isOfProgram: boolean;
} {
  const find = (tag: string) =>
    textOf(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(said ?? '')?.[1]?.trim());
  const isCommand = /^\s*<(command-(?:name|message)|bash-input)>/.test(said ?? '');
  const [name, shell] = isCommand ? [find('command-name'), find('bash-input')] : [];
  if (name !== undefined)
    return {
      text: [name, find('command-args')].filter((one) => one !== undefined).join(' '),
      isOfProgram: false,
    };
  if (shell !== undefined) return { text: `!${shell}`, isOfProgram: false };
  return { text: said, isOfProgram: OF_PROGRAM.test(said ?? '') };
}
