import type { Lines, Panel, Point } from '../model/chart.ts';
import { html, percent, svg } from './element.ts';

const HEIGHT = 150;
const SMALL_HEIGHT = 90;
const MAX_DOTS = 40;

/** Draws lines over time. One slider selects a step, by keyboard, touch or pointer; every panel shows its value there. */
export function drawLines({ unit, steps, panels }: Lines): HTMLElement {
  const drawn = panels.map((panel) => drawPanel(panel, panels.length > 1 ? SMALL_HEIGHT : HEIGHT, steps));
  const shown = html('output', { for: 'step' });
  const slider = html('input', {
    id: 'step',
    type: 'range',
    min: 0,
    max: steps.length - 1,
    value: steps.length - 1,
  });
  const choose = () => {
    const at = Number(slider.value);
    const label = steps[at]?.label ?? '';
    const values = panels.map(({ name, values }) =>
      [name, values[at]?.text ?? 'none'].filter(Boolean).join(' '),
    );
    for (const { mark } of drawn) mark(at);
    shown.textContent = panels.length === 1 ? `${label}: ${values[0]}` : label;
    slider.setAttribute('aria-valuetext', `${label}: ${values.join(', ')}`);
  };
  slider.addEventListener('input', choose);
  for (const { plot } of drawn) {
    plot.addEventListener('pointermove', (event) => {
      slider.value = String(findStep(plot, event.clientX, steps));
      choose();
    });
  }
  choose();
  return html(
    'div',
    { class: 'lines' },
    html(
      'div',
      { class: panels.length > 1 ? 'panels several' : 'panels' },
      ...drawn.map(({ figure }) => figure),
    ),
    html(
      'div',
      { class: 'ends', 'aria-hidden': 'true' },
      steps[0]?.label,
      html('span', {}, steps.at(-1)?.label ?? ''),
    ),
    html('p', { class: 'step' }, html('label', { for: 'step' }, `Choose ${unit}`), slider, shown),
  );
}

/** Returns the step nearest to a position on the screen. */
function findStep(plot: Element, clientX: number, steps: Lines['steps']): number {
  const { left, width } = plot.getBoundingClientRect();
  const x = ((clientX - left) / width) * 100;
  let nearest = 0;
  for (const [at, step] of steps.entries())
    if (Math.abs(step.x - x) < Math.abs((steps[nearest]?.x ?? 0) - x)) nearest = at;
  return nearest;
}

interface Drawn {
  readonly figure: HTMLElement;
  readonly plot: SVGElement;
  /** Marks the value of a step. */
  readonly mark: (at: number) => void;
}

/** Draws one line. Dots are placed in percent, and the path is stretched, so the drawing fits any width. */
function drawPanel({ name, segments, values, ticks }: Panel, height: number, steps: Lines['steps']): Drawn {
  const path = segments.map((segment) => `M${segment.map(toPair).join('L')}`).join('');
  const dots = values.flatMap((value, at) =>
    value === undefined ? [] : [{ x: steps[at]?.x ?? 0, y: value.y }],
  );
  const cursor = svg('line', { class: 'cursor', y1: '0%', y2: '100%' });
  const dot = svg('circle', { class: 'chosen', r: 5 });
  const text = html('b');
  const plot = svg(
    'svg',
    { class: 'plot', width: '100%', height, 'aria-hidden': 'true' },
    ...ticks.map(({ y }) =>
      svg('line', { class: 'grid', x1: '0%', x2: '100%', y1: percent(y), y2: percent(y) }),
    ),
    cursor,
    svg(
      'svg',
      { width: '100%', height: '100%', viewBox: '0 0 100 100', preserveAspectRatio: 'none' },
      svg('path', { class: 'line', d: path, 'vector-effect': 'non-scaling-stroke' }),
    ),
    ...(dots.length > MAX_DOTS ? [] : dots.map((at) => circle(at, 2.5))),
    dot,
    ...ticks.map(({ text, y }) => svg('text', { x: 0, y: percent(y), dy: -3 }, text)),
  );
  const mark = (at: number) => {
    const x = percent(steps[at]?.x ?? 0);
    const value = values[at];
    for (const end of ['x1', 'x2']) cursor.setAttribute(end, x);
    dot.setAttribute('cx', x);
    dot.setAttribute('cy', percent(value?.y ?? 0));
    dot.setAttribute('class', value === undefined ? 'chosen hidden' : 'chosen');
    text.textContent = value?.text ?? 'none';
  };
  const caption =
    name === undefined ? undefined : html('figcaption', {}, html('bdi', { dir: 'auto' }, name), ' ', text);
  return { figure: html('figure', {}, caption, plot), plot, mark };
}

const toPair = ({ x, y }: Point) => `${round(x)} ${round(y)}`;
const round = (value: number) => Math.round(value * 100) / 100;

function circle({ x, y }: Point, r: number): SVGElement {
  return svg('circle', { class: 'dot', cx: percent(x), cy: percent(y), r });
}
