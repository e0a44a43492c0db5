import type { Bar, Row, Section, Table } from '../model/chart.ts';
import { html, percent, svg } from './element.ts';

/**
 * Draws the numbers as a table, each row with its bar. It scrolls in its own box, which can be focused with the
 * keyboard.
 */
export function drawTable(table: Table, name: string): HTMLElement {
  const { labelHeads, numberHeads, sections } = table;
  const heads = [
    ...labelHeads.map((text) => html('th', { scope: 'col' }, text)),
    ...numberHeads.map((text) => html('th', { scope: 'col', class: 'number' }, text)),
  ];
  const columns = heads.length;
  const hasBars = sections.some(({ rows }) => rows.some(({ bar }) => bar !== undefined));
  return html(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Table: ${name}` },
    html(
      'table',
      { class: hasBars ? 'bars' : undefined },
      html('thead', {}, html('tr', {}, ...heads)),
      ...sections.map((section) => drawSection(section, columns)),
    ),
  );
}

function drawSection({ name, detail, rows }: Section, columns: number): HTMLElement {
  const heading =
    name === undefined
      ? undefined
      : html(
          'tr',
          { class: 'section' },
          html(
            'th',
            { scope: 'rowgroup', colspan: columns },
            html('bdi', {}, name),
            detail ? html('span', { class: 'detail' }, ` ${detail}`) : undefined,
          ),
        );
  return html('tbody', {}, heading, ...rows.map(drawRow));
}

function drawRow({ labels: [first = '', ...others], numbers, bar }: Row): HTMLElement {
  return html(
    'tr',
    {},
    html('th', { scope: 'row' }, html('bdi', { dir: 'auto' }, first), bar && drawBar(bar)),
    ...others.map((label) => html('td', {}, html('bdi', { dir: 'auto' }, label))),
    ...numbers.map((text) => html('td', { class: 'number' }, text)),
  );
}

/** Draws a bar below its label. Widths are attributes in percent, so a policy without inline styles allows them. */
function drawBar({ start, length, zero }: Bar): SVGElement {
  return svg(
    'svg',
    { class: 'bar', width: '100%', height: 8, 'aria-hidden': 'true' },
    svg('rect', { class: 'track', width: '100%', height: 8, rx: 2 }),
    svg('rect', {
      class: 'value',
      x: percent(start),
      width: percent(Math.max(length, 0.4)),
      height: 8,
      rx: 2,
    }),
    zero > 0 && zero < 100
      ? svg('line', { class: 'zero', x1: percent(zero), x2: percent(zero), y1: 0, y2: 8 })
      : undefined,
  );
}
