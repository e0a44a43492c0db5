import { firstText, type JsonObject, listOf, objectOf, someOf, textOf } from '../values/json.ts';

export function readContent(content: unknown, metadata: JsonObject) {
  const shape = objectOf(content);
  const parts = listOf(shape.parts);
  const texts =
    typeof content === 'string' ? [content] : parts.length > 0 ? parts.map(readPart) : readWhole(shape);
  const text = someOf(texts.map((one) => textOf(one)))?.join('\n');
  return {
    text: text === undefined ? undefined : textOf(readCitations(text, metadata)),
    attachments: nameAttachments([...parts, shape.screenshot], metadata),
    contentType: textOf(shape.content_type),
  };
}

/** A part is a text, or an object that has one (words that were spoken), or stands for a file: a picture that was painted has its order. */
function readPart(part: unknown): unknown {
  if (typeof part === 'string') return part;
  const { text, metadata } = objectOf(part);
  return firstText(text, objectOf(objectOf(metadata).dalle).prompt);
}

/** Shapes without parts: code, what a tool gave back, thoughts, instructions of the owner. */
function readWhole(content: JsonObject): unknown[] {
  const thoughts = listOf(content.thoughts).flatMap((thought) => {
    const { summary, content: words } = objectOf(thought);
    return [summary, words];
  });
  if (thoughts.length > 0) return thoughts;
  const { title, text, result, summary, user_profile, user_instructions, model_set_context } = content;
  const known = [
    title,
    text,
    result,
    summary,
    content.content,
    user_profile,
    user_instructions,
    model_set_context,
  ];
  return someOf(known.map(textOf)) ?? gatherWords(content);
}

/** Where words stand in shapes that were not there when this was written. */
const WORDS = /^(text|title|content|summary|result|output|output_str|prompt|snippet|url|caption|message)$/;
const DEEPEST = 6;

function gatherWords(value: unknown, depth = 0): string[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((one) => gatherWords(one, depth + 1));
  return Object.entries(objectOf(value)).flatMap(([name, inner]) => {
    const words = WORDS.test(name) ? textOf(inner) : undefined;
    return words === undefined ? gatherWords(inner, depth + 1) : [words];
  });
}

/** By name where the export has one. The same file is often pointed at from a part too. */
function nameAttachments(parts: readonly unknown[], metadata: JsonObject): string[] | undefined {
  const listed = listOf(metadata.attachments).map(objectOf);
  const ids = new Set(listed.map(({ id }) => textOf(id)));
  const pointed = parts
    .map((part) => {
      const { asset_pointer, audio_asset_pointer } = objectOf(part);
      return firstText(asset_pointer, objectOf(audio_asset_pointer).asset_pointer);
    })
    .map((pointer) => pointer?.replace(/^[a-z-]+:\/\//, ''))
    .filter((id) => id !== undefined && !ids.has(id) && !ids.has(id.split('#')[0]));
  return someOf([...listed.map(({ name, id }) => firstText(name, id)), ...pointed]);
}

/** What the app draws as a chip stands in the text as `cite`, `entity` and so on between characters for private use. */
const CHIP = /\ue200([^\ue200\ue201]*)\ue201/g;
const MARKS = /[\ue200-\ue206]/g;

/** The text as people see it: sources as links where the message names them, things by their name, the rest of the codes gone. */
function readCitations(text: string, metadata: JsonObject): string {
  if (!/[\ue200-\ue206]/.test(text)) return text;
  const shown = new Map<string, string>();
  for (const one of listOf(metadata.content_references)) {
    const { matched_text, alt } = objectOf(one);
    const [code, words] = [textOf(matched_text), textOf(alt)];
    if (code !== undefined && words !== undefined) shown.set(code, words);
  }
  return text.replace(CHIP, (whole, code: string) => shown.get(whole) ?? nameEntity(code)).replace(MARKS, '');
}

/** `entity` and a list: its kind, its name, what it is. */
function nameEntity(code: string): string {
  const name = /^entity\ue202\["(?:[^"\\]|\\.)*","((?:[^"\\]|\\.)*)"/.exec(code)?.[1];
  return name?.replace(/\\(.)/g, '$1') ?? '';
}
