import { Parser } from 'htmlparser2';
import { NoteWriter } from './note-writer.ts';

export interface HtmlNote {
  readonly text: string;
  /** Link targets and picture sources, as written, each once. */
  readonly targets: readonly string[];
  readonly hasEncryptedParts: boolean;
}

const BLOCKS = new Set(
  'address article aside blockquote center dd details div dl dt en-note figcaption figure footer form header main nav ol p pre section summary table tbody thead ul'.split(
    ' ',
  ),
);
const SPACED = new Set(['p', 'table', 'pre', 'blockquote']);
const UNSEEN = new Set(['script', 'style', 'head', 'title', 'template', 'noscript', 'svg', 'math']);
/** A code block in Evernote: a `div` with a `div` per line. */
const CODE = /-en-codeblock:\s*true/;
const HEADING = /^h([1-6])$/;

/** Converts the HTML of a note: headings, lists, check boxes, tables, links. Nothing is fetched or run. */
export function readHtmlNote(html: string): HtmlNote {
  const writer = new NoteWriter();
  const targets = new Set<string>();
  /** Whether each open `div` is a code block. */
  const divs: boolean[] = [];
  let unseen = 0;
  let hasEncryptedParts = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (UNSEEN.has(name)) unseen += 1;
        if (name === 'en-crypt') {
          hasEncryptedParts = true;
          writer.write(attributes.hint ? `[encrypted, hint: ${attributes.hint}]` : '[encrypted]');
          unseen += 1;
        }
        if (name === 'div') divs.push(CODE.test(attributes.style ?? ''));
        if (unseen === 0) open(writer, targets, name, attributes);
      },
      onclosetag(name) {
        const isCode = name === 'pre' || (name === 'div' && divs.pop() === true);
        if (UNSEEN.has(name) || name === 'en-crypt') unseen = Math.max(0, unseen - 1);
        else if (unseen === 0) close(writer, name, isCode);
      },
      ontext(text) {
        if (unseen === 0) writer.write(text);
      },
    },
    { recognizeSelfClosing: true },
  );
  parser.end(html);
  return { text: writer.finish(), targets: [...targets], hasEncryptedParts };
}

type Attributes = Readonly<Record<string, string>>;

function open(writer: NoteWriter, targets: Set<string>, name: string, attributes: Attributes): void {
  const heading = HEADING.exec(name)?.[1];
  const style = attributes.style ?? '';
  if (heading !== undefined) writer.beginHeading(Number(heading));
  else if (name === 'br') writer.endLine();
  else if (name === 'hr') writer.writeRule();
  else if (name === 'ul' || name === 'ol') writer.beginList(name === 'ol', /-en-todo:\s*true/.test(style));
  else if (name === 'li') writer.beginItem(/-en-checked:\s*true/.test(style));
  else if (name === 'tr') writer.beginRow();
  else if (name === 'td' || name === 'th') writer.beginCell();
  else if (BLOCKS.has(name)) writer.beginBlock(name === 'pre' || (name === 'div' && CODE.test(style)));
  if (isCheckBox(name, attributes)) writer.writeCheckBox(isChecked(attributes));
  if (name === 'img' && attributes.src) targets.add(attributes.src);
  if (name !== 'a') return;
  writer.beginLink(attributes.href);
  if (attributes.href) targets.add(attributes.href);
}

function close(writer: NoteWriter, name: string, isCode: boolean): void {
  if (HEADING.test(name)) writer.endBlock(true);
  else if (name === 'ul' || name === 'ol') writer.endList();
  else if (name === 'li') writer.endItem();
  else if (name === 'td' || name === 'th') writer.endCell();
  else if (name === 'tr') writer.endRow();
  else if (name === 'a') writer.endLink();
  else if (BLOCKS.has(name)) writer.endBlock(SPACED.has(name) || isCode, isCode);
}

/** `<en-todo/>` of Evernote, `<div class="checkbox checkbox-on">` of Notion, and plain HTML. */
function isCheckBox(name: string, { type, class: classes = '' }: Attributes): boolean {
  return (
    name === 'en-todo' || (name === 'input' && type === 'checkbox') || /(^|\s)checkbox(\s|$)/.test(classes)
  );
}

function isChecked({ checked, class: classes = '' }: Attributes): boolean {
  return (checked !== undefined && checked !== 'false') || /(^|\s)checkbox-on(\s|$)/.test(classes);
}
