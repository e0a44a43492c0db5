import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { parseExactJson, readJson } from '../../import/read/read-json.ts';
import { declareSessions } from '../assistant/session-declaration.ts';
import { joinBlocks, type LogLine, listAttachmentTypes, peekLog, readLog } from '../assistant/session-log.ts';
import { SessionTally } from '../assistant/session-tally.ts';
import { makeProblem, makeRecord, readEach } from '../files/import-items.ts';
import { hasPaths } from '../files/outline-json.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseTogether } from '../files/recognise-files.ts';
import {
  firstText,
  integerOf,
  type JsonObject,
  listOf,
  objectOf,
  someOf,
  textOf,
  timeOf,
} from '../values/json.ts';
import { wordList } from '../values/words.ts';

/** Newer logs wrap every item; older ones begin with a session line and hold bare items. */
function detectKind({ text, outline }: FileProbe): 'log' | 'whole' | undefined {
  if (isWholeLog(outline)) return 'whole';
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
  // The first line holds the instructions and may exceed the probed text.
  const isBegun = /^\{"timestamp":"[^"]+","type":"session_meta"/.test(text);
  return isWrapped || isBare || isBegun ? 'log' : undefined;
}

/** The first version wrote one JSON object: the session and a list of items. */
const isWholeLog = (outline: FileProbe['outline']) =>
  hasPaths(outline, 'session.id', 'session.timestamp', 'items[].type');

async function* readLines(file: InputFile): AsyncGenerator<LogLine> {
  if (!isWholeLog((await probeFile(file)).outline)) return yield* readLog(file);
  const whole = await readJson(file);
  if (whole.kind === 'broken') return yield makeProblem(file, whole.reason);
  const { session, items } = objectOf(whole.value);
  for (const [index, value] of [session, ...listOf(items)].entries())
    yield { kind: 'line', number: index + 1, value: objectOf(value) };
}

export const codexImporter: Importer = {
  format: 'codex',
  title: 'Codex sessions',
  guide: {
    steps: ['Upload the folder .codex/sessions from your home folder, or single rollout files in it'],
    waiting: 'None: the files are on your machine.',
  },
  recognise: async (files) => recogniseTogether(await findExportFiles(files, detectKind)),
  declare: () => Promise.resolve(declareSessions('codex', 'Codex')),
  async *read({ files }, options) {
    for (const file of files) yield* readSession(file, options);
  },
};

async function* readSession(file: InputFile, options: ImportOptions): AsyncGenerator<ImportItem> {
  const tally = new SessionTally();
  const isWhole = await hasItems(file);
  let session: string | undefined;
  let last: string | undefined;
  yield* readEach(file, readLines(file), function* (line) {
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
    // The summary of a conversation that became too long.
    const isCompacted = value.type === 'compacted';
    // Events repeat the same texts. They are read only if there are no items.
    if (isWrapped && value.type !== 'response_item' && isWhole && !isCompacted) return;
    session ??= nameSession(file);
    const message = readItem(
      isCompacted
        ? { type: 'message', role: 'system', content: item.message }
        : isWrapped && value.type === 'event_msg'
          ? asItem(item)
          : item,
    );
    if (message === undefined) return;
    // Old logs have one time, at the beginning.
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
    yield makeRecord(file, 'messages', data, `line ${number}`);
  });
  if (session !== undefined) yield makeRecord(file, 'sessions', tally.describe(session));
}

async function hasItems(file: InputFile): Promise<boolean> {
  for await (const line of readLines(file)) {
    if (line.kind === 'line' && (line.value.type === 'response_item' || line.value.type === 'message'))
      return true;
  }
  return false;
}

/** A log that lost its first line has its id in the file name. */
const nameSession = (file: InputFile) => (file.path.split('/').at(-1) ?? file.path).replace(/\.jsonl$/, '');

function noteSession(meta: JsonObject, tally: SessionTally): void {
  tally.note('folder', meta.cwd);
  tally.note('version', meta.cli_version);
  tally.note('git_branch', objectOf(meta.git).branch);
  tally.note('parent_id', meta.forked_from_id);
}

const ITEMS = wordList(`message|reasoning|function_call|function_call_output|local_shell_call|
  custom_tool_call|custom_tool_call_output|web_search_call`);
/** Texts that the program writes in the owner's name. */
const SURROUNDINGS =
  /^\s*<(environment_context|user_instructions|permissions|turn_aborted|INSTRUCTIONS)|^# AGENTS\.md instructions/i;

/** Messages as events, in the logs of some editors. */
function asItem(event: JsonObject): JsonObject {
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

function readItem(item: JsonObject): JsonObject | undefined {
  const type = textOf(item.type) ?? '';
  if (!ITEMS.includes(type)) return undefined;
  if (type === 'message') {
    const text = joinBlocks(item.content, ['text', 'input_text', 'output_text']);
    const role = item.role === 'user' || item.role === 'assistant' ? item.role : 'system';
    const isHidden = role === 'system' || SURROUNDINGS.test(text ?? '');
    const attachments = listAttachmentTypes(item.content);
    return text === undefined && attachments === undefined
      ? undefined
      : { role, text, attachments, from_me: role === 'user' && !isHidden, is_hidden: isHidden };
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
      readOutput(textOf(item.output)) ??
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

/** Tools of older versions wrap their output and exit code in JSON. */
function readOutput(output: string | undefined): string | undefined {
  const parsed = output?.startsWith('{"output":') ? parseExactJson(output) : undefined;
  return parsed?.kind === 'value' ? textOf(objectOf(parsed.value).output) : output;
}

function describeCall(item: JsonObject): string | undefined {
  const parsed = parseExactJson(textOf(item.arguments) ?? '');
  const given = parsed.kind === 'value' ? objectOf(parsed.value) : objectOf(item.action);
  const command = given.command ?? given.cmd ?? given.query;
  return Array.isArray(command)
    ? listOf(command).map(textOf).join(' ')
    : firstText(command, item.input, item.arguments);
}
