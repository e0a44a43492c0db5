import type { Importer, ImportOptions, InputFile, Yielded } from '../import/importer.ts';
import { parseExactJson } from '../import/read/exact-json.ts';
import { joinBlocks, peekLog, readLog } from './assistant/session-log.ts';
import { SessionTally } from './assistant/session-tally.ts';
import { findOwn, type Look, recogniseTogether } from './files/find-own.ts';
import { declareSessions } from './session-declaration.ts';
import { integerOf, type Loose, listOf, objectOf, someOf, textOf, timeOf } from './values/loose.ts';

const ITEMS = [
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'local_shell_call',
  'custom_tool_call',
  'custom_tool_call_output',
  'web_search_call',
];
/** What the program says in the owner's name. */
const SURROUNDINGS =
  /^\s*<(environment_context|user_instructions|permissions|turn_aborted|INSTRUCTIONS)|^# AGENTS\.md instructions/i;

/** Newer logs wrap every item; older ones begin with a line about the session and then hold the items bare. */
function tellKind({ text }: Look): 'log' | undefined {
  const lines = peekLog(text);
  const isWrapped = lines.some(
    (line) => line.type === 'session_meta' || (line.type === 'response_item' && line.payload !== undefined),
  );
  const [first] = lines;
  const isBare =
    first !== undefined &&
    first.type === undefined &&
    textOf(first.id) !== undefined &&
    textOf(first.timestamp) !== undefined &&
    'instructions' in first;
  return isWrapped || isBare ? 'log' : undefined;
}

export const codexImporter: Importer = {
  format: 'codex',
  title: 'Codex sessions',
  guide: {
    steps: ['Give the folder .codex/sessions in your home folder, or single rollout files of it'],
    waiting: 'None: the files are on your machine.',
  },
  recognise: async (files) => recogniseTogether(await findOwn(files, tellKind), 'certain'),
  declare: () => Promise.resolve(declareSessions('codex', 'Codex')),
  async *read({ files }, options) {
    for (const file of files) yield* readSession(file, options);
  },
};

async function* readSession(file: InputFile, options: ImportOptions): AsyncGenerator<Yielded> {
  const tally = new SessionTally();
  const isWhole = await hasItems(file);
  let session: string | undefined;
  let last: string | undefined;
  for await (const line of readLog(file)) {
    if (line.kind === 'problem') {
      yield line;
      continue;
    }
    const { value, number } = line;
    const isWrapped = value.payload !== undefined;
    const item = isWrapped ? objectOf(value.payload) : value;
    if (value.type === 'session_meta' || (!isWrapped && value.type === undefined && session === undefined)) {
      session ??= textOf(item.id);
      noteSession(item, tally);
      last = timeOf(item.timestamp ?? value.timestamp, options);
      tally.see(last);
    }
    if (value.type === 'turn_context') {
      tally.note('model', item.model, true);
      tally.note('folder', item.cwd);
    }
    const spent = objectOf(objectOf(item.info).total_token_usage);
    if (item.type === 'token_count')
      tally.setSpent(integerOf(spent.input_tokens), integerOf(spent.output_tokens));
    // The same words come again as events; the items are the whole of it, where there are any.
    if (isWrapped && value.type !== 'response_item' && isWhole) continue;
    session ??= nameSession(file);
    const message = readItem(isWrapped && value.type === 'event_msg' ? asItem(item) : item);
    if (message === undefined) continue;
    // Old logs say when only once, at the beginning.
    const sent = timeOf(value.timestamp, options) ?? last;
    last = sent;
    tally.see(sent);
    tally.count(message);
    const data = {
      ...message,
      id: `${session}/${number}`,
      session_id: session,
      sent_at: sent,
      project: tally.project,
    };
    yield { kind: 'record', stream: 'messages', data, place: `line ${number}`, file };
  }
  if (session !== undefined)
    yield { kind: 'record', stream: 'sessions', data: tally.describe(session), file };
}

async function hasItems(file: InputFile): Promise<boolean> {
  for await (const line of readLog(file)) {
    if (line.kind === 'line' && (line.value.type === 'response_item' || line.value.type === 'message'))
      return true;
  }
  return false;
}

/** What was said, as the logs of some editors have it: only as it was shown. */
function asItem(event: Loose): Loose {
  switch (event.type) {
    case 'user_message':
      return { type: 'message', role: 'user', content: event.message };
    case 'agent_message':
      return { type: 'message', role: 'assistant', content: event.message };
    case 'agent_reasoning':
      return { type: 'reasoning', content: event.text };
    default:
      return {};
  }
}

/** A log whose first line is lost is still known by its name, and that holds the id. */
const nameSession = (file: InputFile) => (file.path.split('/').at(-1) ?? file.path).replace(/\.jsonl$/, '');

function noteSession(meta: Loose, tally: SessionTally): void {
  tally.note('folder', meta.cwd);
  tally.note('version', meta.cli_version);
  tally.note('git_branch', objectOf(meta.git).branch);
}

function readItem(item: Loose): Loose | undefined {
  const type = textOf(item.type) ?? '';
  if (!ITEMS.includes(type)) return undefined;
  if (type === 'message') {
    const text = joinBlocks(item.content, ['text', 'input_text', 'output_text']);
    const role = item.role === 'user' || item.role === 'assistant' ? item.role : 'system';
    const isHidden = role === 'system' || SURROUNDINGS.test(text ?? '');
    return text === undefined
      ? undefined
      : { role, text, from_me: role === 'user' && !isHidden, is_hidden: isHidden };
  }
  if (type === 'reasoning') {
    const thought =
      joinBlocks(item.summary, ['summary_text']) ?? joinBlocks(item.content, ['reasoning_text', 'text']);
    return thought === undefined
      ? undefined
      : { role: 'assistant', reasoning_text: thought, from_me: false, is_hidden: true };
  }
  if (type.endsWith('_output')) {
    const text =
      textOf(objectOf(item.output).content) ??
      textOf(item.output) ??
      joinBlocks(item.output, ['text', 'input_text']);
    return text === undefined ? undefined : { role: 'tool', text, from_me: false, is_hidden: true };
  }
  return {
    role: 'assistant',
    tools: [textOf(item.name) ?? type.replace(/_call$/, '')],
    commands: someOf([describeCall(item)]),
    from_me: false,
    is_hidden: true,
  };
}

function describeCall(item: Loose): string | undefined {
  const parsed = parseExactJson(textOf(item.arguments) ?? '');
  const given = parsed.kind === 'value' ? objectOf(parsed.value) : objectOf(item.action);
  const command = given.command ?? given.cmd ?? given.query;
  return Array.isArray(command)
    ? listOf(command).map(textOf).join(' ')
    : (textOf(command) ?? textOf(item.input) ?? textOf(item.arguments));
}
