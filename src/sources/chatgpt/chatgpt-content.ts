import { firstText, type JsonObject, listOf, objectOf, someOf, textOf } from '../values/json.ts';

export function readContent(content: unknown, metadata: JsonObject) {
  const shape = objectOf(content);
  const parts = listOf(shape.parts);
  const texts =
    typeof content === 'string'
      ? [content]
      : parts.length > 0
        ? parts.map(readPart)
        : readContentWithoutParts(shape);
  const text = someOf(texts.map((one) => textOf(one)))?.join('\n');
  return {
    text: text === undefined ? undefined : textOf(readCitations(text, metadata)),
    files: listFiles([...parts, shape.screenshot], metadata),
    contentType: textOf(shape.content_type),
  };
}

/** A part is a text, an object with a text (speech), or a reference to a file. A generated picture has its prompt. */
function readPart(part: unknown): unknown {
  if (typeof part === 'string') return part;
  const { text, metadata } = objectOf(part);
  return firstText(text, objectOf(objectOf(metadata).dalle).prompt);
}

/** Reads content types without parts: code, tool output, reasoning, custom instructions. */
function readContentWithoutParts(content: JsonObject): unknown[] {
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
  return someOf(known.map(textOf)) ?? collectTexts(content);
}

/** Text fields of content types that are not known yet. */
const TEXT_FIELDS =
  /^(text|title|content|summary|result|output|output_str|prompt|snippet|url|caption|message)$/;
const MAX_DEPTH = 6;

function collectTexts(value: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => collectTexts(one, depth + 1));
  return Object.entries(objectOf(value)).flatMap(([name, inner]) => {
    const words = TEXT_FIELDS.test(name) ? textOf(inner) : undefined;
    return words === undefined ? collectTexts(inner, depth + 1) : [words];
  });
}

/** A file by its id in the export. */
export interface ChatFile {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** Lists the files of a message. A part often refers to a listed file. */
function listFiles(parts: readonly unknown[], metadata: JsonObject): ChatFile[] {
  const listed = listOf(metadata.attachments)
    .map(objectOf)
    .map(({ id, name }) => ({ id: textOf(id), name: textOf(name) }));
  const ids = new Set(listed.map(({ id }) => id));
  const pointed = parts
    .map((part) => {
      const { asset_pointer, audio_asset_pointer } = objectOf(part);
      return firstText(asset_pointer, objectOf(audio_asset_pointer).asset_pointer);
    })
    .map((pointer) => pointer?.replace(/^[a-z-]+:\/\//, ''))
    .filter((id) => id !== undefined && !ids.has(id) && !ids.has(id.split('#')[0]));
  return [...listed, ...pointed.map((id) => ({ id, name: undefined }))];
}

/** The app renders these codes (`cite`, `entity`) between private-use characters. */
const CITATION_CODE = /\ue200([^\ue200\ue201]*)\ue201/g;
const CITATION_MARKS = /[\ue200-\ue206]/g;

/** Returns the text as the app shows it: citations as links, entities by name, other codes removed. */
function readCitations(text: string, metadata: JsonObject): string {
  if (!/[\ue200-\ue206]/.test(text)) return text;
  const shown = new Map<string, string>();
  for (const one of listOf(metadata.content_references)) {
    const { matched_text, alt } = objectOf(one);
    const [code, words] = [textOf(matched_text), textOf(alt)];
    if (code !== undefined && words !== undefined) shown.set(code, words);
  }
  return text
    .replace(CITATION_CODE, (whole, code: string) => shown.get(whole) ?? nameEntity(code))
    .replace(CITATION_MARKS, '');
}

/** Returns the name in an entity code: `entity` and a list of type, name and description. */
function nameEntity(code: string): string {
  const name = /^entity\ue202\["(?:[^"\\]|\\.)*","((?:[^"\\]|\\.)*)"/.exec(code)?.[1];
  return name?.replace(/\\(.)/g, '$1') ?? '';
}
