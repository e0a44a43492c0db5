import type { ImportOptions } from '../../import/importer.ts';
import { hashKey } from '../../import/read/hash-key.ts';
import { flagOf, type Loose, listOf, objectOf, someOf, textOf, timeOf } from '../values/loose.ts';
import { idWithin } from './id-within.ts';

/** The records of one conversation of claude.ai: itself, then its messages. */
export function readClaudeTalk(
  source: Loose,
  options: ImportOptions,
): { conversation: Loose; messages: Loose[] } {
  const title = textOf(source.name) ?? textOf(source.title);
  const id =
    textOf(source.uuid) ??
    textOf(source.id) ??
    hashKey(title, textOf(source.created_at), textOf(source.updated_at));
  const messages = listOf(source.chat_messages).map((one) => {
    const message = objectOf(one);
    const own = textOf(message.uuid) ?? textOf(message.id);
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
      project_id: textOf(source.project_uuid) ?? textOf(project.uuid),
    },
    messages,
  };
}

/** Newer exports hold a message as blocks and leave the plain text blank or shortened; older ones have only that. */
function readBlocks(message: Loose): Loose {
  const blocks = listOf(message.content).map(objectOf);
  const ofType = (type: string) => blocks.filter((block) => block.type === type);
  const written = someOf(ofType('text').map(({ text }) => textOf(text)))?.join('\n\n');
  const files = [...listOf(message.attachments), ...listOf(message.files)].map(objectOf);
  return {
    text: written ?? textOf(message.content) ?? textOf(message.text),
    reasoning_text: someOf(ofType('thinking').map(({ thinking }) => textOf(thinking)))?.join('\n\n'),
    document_text: someOf(ofType('tool_use').map(({ input }) => readDocument(objectOf(input))))?.join('\n\n'),
    attachment_text: someOf(files.map(({ extracted_content: content }) => textOf(content)))?.join('\n\n'),
    attachments: someOf([...new Set(files.map(({ file_name: name }) => textOf(name)))]),
    tools: someOf([...new Set(ofType('tool_use').map(({ name }) => textOf(name)))]),
  };
}

/** What a tool was given to write: an artifact, a file, a change to one. */
function readDocument({ title, content, code, file_text, new_str }: Loose): string | undefined {
  const body = textOf(content) ?? textOf(file_text) ?? textOf(code) ?? textOf(new_str);
  return body === undefined ? undefined : someOf([textOf(title), body])?.join('\n');
}
