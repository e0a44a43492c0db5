import { type Loose, listOf, objectOf, textOf } from '../values/loose.ts';

/** What the app draws as a chip stands in the text as `cite`, `entity` and so on between characters for private use. */
const CHIP = /\ue200([^\ue200\ue201]*)\ue201/g;
const MARKS = /[\ue200-\ue206]/g;

/** The text as people see it: sources as links where the message names them, things by their name, the rest of the codes gone. */
export function readCitations(text: string, metadata: Loose): string {
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
