import { parseExactJson } from '../../import/read/exact-json.ts';
import { joinBlocks, nameAttached } from '../assistant/session-log.ts';
import { firstText, type Loose, listOf, objectOf, someOf, textOf } from '../values/loose.ts';
import { wordList } from '../values/words.ts';

const ITEMS = wordList(`message|reasoning|function_call|function_call_output|local_shell_call|
  custom_tool_call|custom_tool_call_output|web_search_call`);
/** What the program says in the owner's name. */
const SURROUNDINGS =
  /^\s*<(environment_context|user_instructions|permissions|turn_aborted|INSTRUCTIONS)|^# AGENTS\.md instructions/i;

/** What was said, as the logs of some editors have it: only as it was shown. */
export function asItem(event: Loose): Loose {
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

export function readItem(item: Loose): Loose | undefined {
  const type = textOf(item.type) ?? '';
  if (!ITEMS.includes(type)) return undefined;
  if (type === 'message') {
    const text = joinBlocks(item.content, ['text', 'input_text', 'output_text']);
    const role = item.role === 'user' || item.role === 'assistant' ? item.role : 'system';
    const isHidden = role === 'system' || SURROUNDINGS.test(text ?? '');
    const attachments = nameAttached(item.content);
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

/** Tools of older versions wrap what they printed, and how it ended, in JSON once more. */
function readOutput(output: string | undefined): string | undefined {
  const parsed = output?.startsWith('{"output":') ? parseExactJson(output) : undefined;
  return parsed?.kind === 'value' ? textOf(objectOf(parsed.value).output) : output;
}

function describeCall(item: Loose): string | undefined {
  const parsed = parseExactJson(textOf(item.arguments) ?? '');
  const given = parsed.kind === 'value' ? objectOf(parsed.value) : objectOf(item.action);
  const command = given.command ?? given.cmd ?? given.query;
  return Array.isArray(command)
    ? listOf(command).map(textOf).join(' ')
    : firstText(command, item.input, item.arguments);
}
