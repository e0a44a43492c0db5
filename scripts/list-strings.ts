import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
export const STRINGS_FILE = join(ROOT, 'docs/strings.md');

const SECTIONS: readonly (readonly [title: string, folder: string])[] = [
  ['Pages', 'dashboard/pages'],
  ['Parts of pages', 'dashboard/parts'],
  ['Page script and routes', 'dashboard'],
  ['Values on pages', 'src/views'],
  ['Connect guide', 'src/guide'],
  ['Chart in the chat', 'chart'],
  ['Commands', 'src/cli'],
];

/** The calls that create errors. Errors of the files above are listed there. */
const ERROR_CALLS = /^(AppError|ClientError|unusable)$/;

/** Attributes, properties and calls whose strings no person reads. */
const HIDDEN_ATTRIBUTES = new Set(
  'action autocomplete class content d fill for href id media method name rel role scope src style type value viewBox'.split(
    ' ',
  ),
);
const HIDDEN_PROPERTIES = new Set(['class', 'href', 'path', 'method', 'key']);
const HIDDEN_CALLS =
  /^(querySelector|querySelectorAll|closest|getElementById|addEventListener|setAttribute|setRequestHeader|header|includes|startsWith|endsWith|split|RegExp|Error|URL|toLocaleString|NumberFormat|DateTimeFormat)$/;

/** A node of the syntax tree, as far as this script looks at it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/** Returns docs/strings.md as the source has it now. */
export function listStrings(): string {
  const sections = SECTIONS.map(([title, folder]) => {
    const files = listFiles(folder).map((file) => [file, readStrings(file)] as const);
    const parts = files
      .filter(([, strings]) => strings.length > 0)
      .map(
        ([file, strings]) => `### ${nameFile(file)}\n\n${strings.map((text) => `- ${text}`).join('\n')}\n`,
      );
    return `## ${title}\n\n${parts.join('\n')}`;
  });
  sections.push(`## Errors\n\n${listErrors().join('\n')}`);
  return `# Texts on pages, in commands and errors\n\nWritten by \`npm run strings\`. \`{…}\` stands for a value.\n\n${sections.join('\n')}`;
}

/** Lists the files of a folder and its subfolders. Subfolders of dashboard have sections of their own. */
function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: folder !== 'dashboard', encoding: 'utf8' })
    .filter((file) => /\.(tsx?|js)$/.test(file) && !file.startsWith('completion/'))
    .map((file) => `${folder}/${file}`)
    .sort();
}

/** A command or a page by its name, other files by their path. */
function nameFile(file: string): string {
  const name = basename(file).replace(/\.\w+$/, '');
  if (/^src\/cli\/[^/]+$/.test(file)) return `pdpp ${name.replace('-', ' ')}`;
  return file.startsWith('dashboard/pages/') ? name : file;
}

function readStrings(file: string): string[] {
  const strings = new Set<string>();
  collect(parse(file), strings);
  return [...strings];
}

function parse(file: string): Node {
  const source = readFileSync(join(ROOT, file), 'utf8');
  return parseAst(source, { lang: file.endsWith('.ts') ? 'ts' : 'tsx' }, file) as unknown as Node;
}

/** Lists the messages and hints of errors by file. */
function listErrors(): string[] {
  const files = listFiles('src').filter(
    (file) => !SECTIONS.some(([, folder]) => file.startsWith(`${folder}/`)),
  );
  return files.flatMap((file) => {
    const strings = new Set<string>();
    collectErrors(parse(file), strings);
    return strings.size === 0
      ? []
      : [`### ${file}\n\n${[...strings].map((text) => `- ${text}`).join('\n')}\n`];
  });
}

function collectErrors(node: Node, strings: Set<string>): void {
  const isError = /^(Call|New)Expression$/.test(node.type) && ERROR_CALLS.test(nameCallee(node));
  for (const child of listChildren(node))
    if (isError) collect(child, strings);
    else collectErrors(child, strings);
}

function collect(node: Node, strings: Set<string>): void {
  if (isHidden(node)) return;
  if (node.type === 'Literal' && isShown(node.value)) add(node.value, strings);
  if (node.type === 'TemplateLiteral' && isShown(flattenTemplate(node))) add(flattenTemplate(node), strings);
  if (/^JSX(Element|Fragment)$/.test(node.type) && hasText(node)) add(flatten(node), strings);
  for (const child of listChildren(node)) collect(child, strings);
}

/** Whether no string below a node is shown. */
function isHidden(node: Node): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ImportExpression':
      return true;
    case 'TaggedTemplateExpression':
      return (node.tag as Node).name !== 'hint';
    case 'BinaryExpression':
      return node.operator !== '+';
    case 'Property':
      return HIDDEN_PROPERTIES.has(nameKey(node));
    case 'JSXAttribute':
      return HIDDEN_ATTRIBUTES.has(String((node.name as Node).name));
    default:
      return node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type);
  }
}

/** The nodes in which strings are looked for: not the keys of objects, the cases of a switch or the names that calls take. */
function listChildren(node: Node): Node[] {
  const { key, test, ...rest } = node;
  const searched = node.type === 'Property' || node.type === 'SwitchCase' ? rest : node;
  const children = Object.values(searched).flat().filter(isNode);
  const isCall = /^(Call|New)Expression$/.test(node.type) && HIDDEN_CALLS.test(nameCallee(node));
  return isCall ? children.filter(({ type }) => !/Literal$/.test(type)) : children;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nameCallee({ callee }: Node): string {
  if (!isNode(callee)) return '';
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return isNode(name) ? String(name.name) : '';
}

function nameKey({ key }: Node): string {
  return isNode(key) ? String(key.name ?? key.value) : '';
}

/** Whether an element holds text of its own, beside other elements. */
function hasText(element: Node): boolean {
  return (element.children as Node[]).some(
    (child) => child.type === 'JSXText' && /\p{L}/u.test(String(child.value)),
  );
}

/** The text of an element with that of the elements in it; values become `{…}`. */
function flatten(element: Node): string {
  const parts = (element.children as Node[]).map((child) => {
    if (child.type === 'JSXText') return joinLines(String(child.value));
    if (child.type === 'JSXElement' || child.type === 'JSXFragment') return flatten(child) || '{…}';
    const expression = child.expression as Node;
    if (expression.type === 'JSXEmptyExpression') return '';
    if (expression.type === 'TemplateLiteral') return flattenTemplate(expression);
    return typeof expression.value === 'string' ? expression.value : '{…}';
  });
  return parts.join('');
}

/** Joins lines as JSX does: a line break with its indentation is no space at the edges and one between words. */
function joinLines(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, at) => {
      const begun = at === 0 ? line : line.trimStart();
      return at === lines.length - 1 ? begun : begun.trimEnd();
    })
    .filter((line) => line !== '')
    .join(' ');
}

function flattenTemplate(template: Node): string {
  return (template.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked).join('{…}');
}

/** Whether a string looks like words for a person: not a path, an identifier, a header or a list of classes. */
function isShown(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  const bare = text.replaceAll('{…}', '').trim();
  if (!/\p{L}{2}/u.test(bare)) return false;
  if (
    /^[/.[<]|^#\w|^https?:|^[\w-]+\/[\w.*-]+$|^[A-Z][a-z]+(-[A-Z][a-z]+)+$|^[A-Z_]{2,}$|^M\d|; charset=|^\w+\/[\w-]+, /.test(
      bare,
    )
  )
    return false;
  return bare.includes(' ') || /^\p{Lu}/u.test(bare) || text.includes('{…} ') || text.includes(' {…}');
}

function add(text: string, strings: Set<string>): void {
  const line = text
    .trim()
    .replace(/^[#-]+ /, '')
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replace(/\s+/g, ' ');
  if (line !== '') strings.add(line);
}
