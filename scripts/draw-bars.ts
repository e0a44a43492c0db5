export interface BarChart {
  readonly title: string;
  /** The names of the bars in each row. */
  readonly series: readonly string[];
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
}

const COLOURS = ['#1f6feb', '#8c959f', '#d4a72c', '#8250df', '#bc4c00'];
const LETTER_WIDTH = 6.5;
const WIDTH = 760;
const LABEL_WIDTH = 170;
const VALUE_WIDTH = 60;
const BAR_HEIGHT = 14;
const ROW_GAP = 12;
const TOP = 56;

/** Draws a horizontal bar chart as SVG that is readable on light and dark pages. Each row has a scale of its own. */
export function drawBars({ title, series, rows }: BarChart): string {
  const rowHeight = series.length * BAR_HEIGHT + ROW_GAP;
  const height = TOP + rows.length * rowHeight;
  const text = (x: number, y: number, content: string, attributes = '') =>
    `<text x="${x}" y="${y}"${attributes}>${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
  let legendEnd = 10;
  const legend = series.map((name, index) => {
    const x = legendEnd;
    legendEnd += 30 + Math.round(name.length * LETTER_WIDTH);
    return `<rect x="${x}" y="30" width="12" height="12" fill="${COLOURS[index]}"/>${text(x + 18, 40, name)}`;
  });
  const bars = rows.flatMap(({ label, values }, row) => {
    const top = TOP + row * rowHeight;
    const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / Math.max(...values);
    return [
      text(LABEL_WIDTH - 10, top + (series.length * BAR_HEIGHT) / 2 + 4, label, ' text-anchor="end"'),
      ...values.map((value, index) => {
        const y = top + index * BAR_HEIGHT;
        const width = Math.max(1, Math.round(value * scale));
        const shown = Math.round(value).toLocaleString('en-US');
        return `<rect x="${LABEL_WIDTH}" y="${y}" width="${width}" height="${BAR_HEIGHT - 2}" fill="${COLOURS[index]}"/>${text(LABEL_WIDTH + width + 6, y + 10, shown)}`;
      }),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    text(10, 20, title, ' font-size="14" font-weight="600"'),
    ...legend,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}
