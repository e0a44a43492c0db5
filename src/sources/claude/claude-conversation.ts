import type { ImportOptions } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { describeToolCall } from '../assistant/describe-tool-call.ts';
import { idWithin } from '../assistant/id-within.ts';
import {
  firstText,
  flagOf,
  type JsonObject,
  listOf,
  objectOf,
  someOf,
  textOf,
  timeOf,
} from '../values/json.ts';

export function readConversation(
  source: JsonObject,
  options: ImportOptions,
): { conversation: JsonObject; messages: JsonObject[] } {
  const title = firstText(source.name, source.title);
  const id =
    firstText(source.uuid, source.id) ?? hashKey(title, textOf(source.created_at), textOf(source.updated_at));
  const messages = listOf(source.chat_messages).map((one) => {
    const message = objectOf(one);
    const own = firstText(message.uuid, message.id);
    const parent = textOf(message.parent_message_uuid);
    const role = message.sender === 'human' || message.sender === 'user' ? 'user' : 'assistant';
    return {
      id: own === undefined ? undefined : idWithin(id, own),
      conversation_id: id,
      role,
      ...readBlocks(message),
      created_at: timeOf(message.created_at, options) ?? timeOf(message.updated_at, options),
      title,
      from_me: role === 'user',
      parent_id: parent === undefined || /^0{8}-/.test(parent) ? undefined : idWithin(id, parent),
    };
  });
  const project = objectOf(source.project);
  return {
    conversation: {
      id,
      title,
      summary: textOf(source.summary),
      created_at: timeOf(source.created_at, options),
      updated_at: timeOf(source.updated_at, options),
      model: textOf(source.model),
      message_count: messages.length,
      is_starred: flagOf(source.is_starred),
      project_id: firstText(source.project_uuid, project.uuid),
    },
    messages,
  };
}

/** Blocks without conversation text. */
const NON_TEXT_BLOCKS = ['thinking', 'redacted_thinking', 'tool_use', 'tool_result'];

/**
 * Reads the content of a message. Newer exports store it as blocks, and their plain text is empty or shortened. Older
 * exports have only the plain text.
 */
function readBlocks(message: JsonObject): JsonObject {
  const blocks = listOf(message.content).map(objectOf);
  const selectBlocks = (type: string) => blocks.filter((block) => block.type === type);
  const join = (texts: readonly (string | undefined)[]) => someOf(texts)?.join('\n\n');
  // Voice notes have a text too, and so may future blocks.
  const said = blocks.filter(({ type }) => !NON_TEXT_BLOCKS.includes(textOf(type) ?? ''));
  const uses = selectBlocks('tool_use').map(({ name, input }) => ({
    name: textOf(name),
    input: objectOf(input),
  }));
  const files = [...listOf(message.attachments), ...listOf(message.files)].map(objectOf);
  return {
    text: join(said.map(({ text }) => textOf(text))) ?? textOf(message.content) ?? textOf(message.text),
    reasoning_text: join(selectBlocks('thinking').map(({ thinking }) => textOf(thinking))),
    document_text: join(uses.map(({ input }) => readDocument(input))),
    // Only the name of an artifact is imported.
    result_text: join(
      selectBlocks('tool_result').map(({ name, content }) =>
        name === 'artifacts' ? undefined : readResult(content),
      ),
    ),
    attachment_text: join(files.map(({ extracted_content: content }) => textOf(content))),
    attachments: someOf([...new Set(files.map(({ file_name: name }) => textOf(name)))]),
    tools: someOf([...new Set(uses.map(({ name }) => name))]),
    commands: someOf(
      uses.map(({ name, input }) => (name === 'artifacts' ? undefined : describeToolCall(input))),
    ),
  };
}

function readResult(content: unknown): string | undefined {
  const parts = listOf(content).map((one) => {
    const { title, url, text } = objectOf(one);
    return someOf([textOf(title), textOf(url), textOf(text)])?.join('\n');
  });
  return textOf(content) ?? someOf(parts)?.join('\n\n');
}

/** Returns the text that a tool wrote: an artifact, a file or an edit. */
function readDocument({ title, content, code, file_text, new_str }: JsonObject): string | undefined {
  const body = firstText(content, file_text, code, new_str);
  return body === undefined ? undefined : someOf([textOf(title), body])?.join('\n');
}
