import type { Chart, Total } from '../model/chart.ts';
import { drawLines } from './draw-lines.ts';
import { drawTable } from './draw-table.ts';
import { html } from './element.ts';

/** Replaces the content of the page with a chart. */
export function drawChart(chart: Chart, page: HTMLElement): void {
  const { title, source, total, notes, lines, table, isError } = chart;
  document.title = title;
  page.replaceChildren(
    html('h1', {}, title),
    ...(source === '' ? [] : [html('p', { class: 'source' }, html('bdi', {}, source))]),
    ...(total === undefined ? [] : [drawTotal(total, table !== undefined)]),
    html(
      'div',
      { class: lines === undefined ? 'drawing' : 'drawing beside' },
      lines && drawLines(lines),
      table && drawTable(table, title),
    ),
    ...notes.map((note) =>
      html('p', { class: 'note', role: isError ? 'alert' : undefined }, html('bdi', {}, note)),
    ),
  );
}

function drawTotal({ name, text, records }: Total, isNamed: boolean): HTMLElement {
  const counted = records === undefined ? undefined : html('span', { class: 'detail' }, ` ${records}`);
  return html('p', { class: 'total' }, isNamed ? `${name} ` : '', html('b', {}, text), counted);
}

/** Shows a status message until there is a result. */
export function drawStatus(text: string, page: HTMLElement): void {
  page.replaceChildren(html('h1', {}, 'Chart'), html('p', { class: 'note', role: 'status' }, text));
}
