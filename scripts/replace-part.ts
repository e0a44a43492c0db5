/** Replaces the text between `<!-- name -->` and `<!-- /name -->` of a page. */
export function replacePart(page: string, name: string, part: string): string {
  const { before, after } = split(page, name);
  return `${before}<!-- ${name} -->\n\n${part}\n\n<!-- /${name} -->${after}`;
}

/** Returns the cells of the Markdown table in a part of a page. */
export function readTable(page: string, name: string): string[][] {
  return split(page, name)
    .part.split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| --'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** Writes a Markdown table as the formatter does. */
export function writeTable(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, at) => Math.max(3, ...rows.map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.slice(1).map(line)].join('\n');
}

function split(page: string, name: string): { before: string; part: string; after: string } {
  const [before = '', rest = ''] = page.split(`<!-- ${name} -->`);
  const [part = '', after] = rest.split(`<!-- /${name} -->`);
  if (after === undefined) throw new Error(`There is no part ${name}.`);
  return { before, part, after };
}
