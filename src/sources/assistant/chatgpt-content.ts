import { type Loose, listOf, objectOf, someOf, textOf } from '../values/loose.ts';

export interface ChatgptContent {
  readonly text: string | undefined;
  readonly attachments: string[] | undefined;
  readonly contentType: string | undefined;
}

/** What a message says, whichever of its many shapes it has, and the names of what hangs on it. */
export function readContent(content: Loose, metadata: Loose): ChatgptContent {
  const parts = listOf(content.parts);
  const texts = parts.length > 0 ? parts.map(readPart) : readWhole(content);
  const text = someOf(texts.map((one) => textOf(one)))?.join('\n');
  return { text, attachments: nameAttachments(parts, metadata), contentType: textOf(content.content_type) };
}

/** A part is a text, or an object that has one (words that were spoken), or stands for a file. */
function readPart(part: unknown): unknown {
  return typeof part === 'string' ? part : objectOf(part).text;
}

/** Shapes without parts: code, what a tool gave back, thoughts, instructions of the owner. */
function readWhole(content: Loose): unknown[] {
  const thoughts = listOf(content.thoughts).flatMap((thought) => {
    const { summary, content: words } = objectOf(thought);
    return [summary, words];
  });
  if (thoughts.length > 0) return thoughts;
  const { title, text, result, summary, user_profile, user_instructions, model_set_context } = content;
  return [title, text, result, summary, content.content, user_profile, user_instructions, model_set_context];
}

/** By name where the export has one. The same file is often pointed at from a part too. */
function nameAttachments(parts: readonly unknown[], metadata: Loose): string[] | undefined {
  const listed = listOf(metadata.attachments).map(objectOf);
  const ids = new Set(listed.map(({ id }) => textOf(id)));
  const pointed = parts
    .map((part) => textOf(objectOf(part).asset_pointer)?.replace(/^[a-z-]+:\/\//, ''))
    .filter((id) => id !== undefined && !ids.has(id) && !ids.has(id.split('#')[0]));
  return someOf([...listed.map(({ name, id }) => textOf(name) ?? textOf(id)), ...pointed]);
}
