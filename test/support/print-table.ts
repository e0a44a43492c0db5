/** Rows as aligned columns under the names of the first one, for what is run by hand. */
export function printTable(rows: readonly Readonly<Record<string, string | number>>[]): void {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_, at) => Math.max(...lines.map((line) => (line[at] as string).length)));
  for (const line of lines) print(line.map((cell, at) => cell.padEnd(widths[at] as number)).join('  '));
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
