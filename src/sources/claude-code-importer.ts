import type { Importer, ImportOptions, InputFile, Yielded } from '../import/importer.ts';
import { idWithin } from './assistant/id-within.ts';
import { joinBlocks, peekLog, readLog } from './assistant/session-log.ts';
import { SessionTally } from './assistant/session-tally.ts';
import { findOwn, type Look, recogniseTogether } from './files/find-own.ts';
import { declareSessions } from './session-declaration.ts';
import { integerOf, type Loose, listOf, objectOf, someOf, textOf, timeOf } from './values/loose.ts';

const TALK = ['user', 'assistant', 'system'];

const tellKind = ({ text }: Look): 'log' | undefined =>
  peekLog(text).some((line) => textOf(line.sessionId) !== undefined && TALK.includes(textOf(line.type) ?? ''))
    ? 'log'
    : undefined;

export const claudeCodeImporter: Importer = {
  format: 'claude-code',
  title: 'Claude Code sessions',
  guide: {
    steps: ['Give the folder .claude/projects in your home folder, or single .jsonl files of it'],
    waiting: 'None: the files are on your machine.',
  },
  recognise: async (files) => recogniseTogether(await findOwn(files, tellKind), 'certain'),
  declare: () => Promise.resolve(declareSessions('claude_code', 'Claude Code')),
  async *read({ files }, options) {
    for (const file of files) yield* readSession(file, options);
  },
};

async function* readSession(file: InputFile, options: ImportOptions): AsyncGenerator<Yielded> {
  const tally = new SessionTally();
  let session: string | undefined;
  for await (const line of readLog(file)) {
    if (line.kind === 'problem') {
      yield line;
      continue;
    }
    const { value, number } = line;
    if (value.type === 'summary') tally.note('title', value.summary);
    if (value.type === 'custom-title' || value.type === 'ai-title')
      tally.note('title', value.customTitle ?? value.aiTitle ?? value.title, true);
    session ??= findSession(value, tally);
    const message = session === undefined ? undefined : readMessage(value, session, number, options);
    tally.note('folder', value.cwd);
    tally.note('git_branch', value.gitBranch);
    tally.note('version', value.version, true);
    if (message === undefined) continue;
    const { usage } = objectOf(value.message);
    tally.note('model', message.model, true);
    tally.spend(integerOf(objectOf(usage).input_tokens), integerOf(objectOf(usage).output_tokens));
    tally.see(textOf(message.sent_at));
    tally.count(message);
    const data = { ...message, project: tally.project };
    yield { kind: 'record', stream: 'messages', data, place: `line ${number}`, file };
  }
  if (session !== undefined)
    yield { kind: 'record', stream: 'sessions', data: tally.describe(session), file };
}

/** A helper that the agent started writes a log of its own under the same session. */
function findSession(line: Loose, tally: SessionTally): string | undefined {
  const session = textOf(line.sessionId);
  const agent = line.isSidechain === true ? textOf(line.agentId) : undefined;
  if (session === undefined || agent === undefined) return session;
  tally.note('parent_id', session);
  return `${session}/${agent}`;
}

function readMessage(
  line: Loose,
  session: string,
  number: number,
  options: ImportOptions,
): Loose | undefined {
  const type = textOf(line.type);
  if (type === undefined || !TALK.includes(type)) return undefined;
  const message = objectOf(line.message);
  const content = message.content ?? line.content;
  const results = joinBlocks(content, ['tool_result']);
  const text = joinBlocks(content, ['text']);
  const uses = listOf(content)
    .map(objectOf)
    .filter((block) => block.type === 'tool_use');
  const role = type === 'user' && text === undefined && results !== undefined ? 'tool' : type;
  const isHidden =
    role === 'tool' || role === 'system' || line.isMeta === true || line.isCompactSummary === true;
  const data = {
    id: idWithin(session, textOf(line.uuid) ?? `line ${number}`),
    session_id: session,
    role,
    text: role === 'tool' ? results : text,
    sent_at: timeOf(line.timestamp, options),
    from_me: role === 'user' && !isHidden && line.isSidechain !== true,
    model: textOf(message.model),
    reasoning_text: joinBlocks(content, ['thinking']),
    tools: someOf(uses.map(({ name }) => textOf(name))),
    commands: someOf(uses.map(({ input }) => describeUse(objectOf(input)))),
    is_hidden: isHidden,
  };
  return data.text === undefined && data.reasoning_text === undefined && data.tools === undefined
    ? undefined
    : data;
}

function describeUse({
  command,
  file_path,
  path,
  pattern,
  query,
  url,
  description,
  prompt,
}: Loose): string | undefined {
  return [command, file_path, path, pattern, query, url, description, prompt]
    .map(textOf)
    .find((one) => one !== undefined);
}
