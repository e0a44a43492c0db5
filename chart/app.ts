import { connectHost } from './host.ts';
import { makeChart } from './model/make-chart.ts';
import { applyTheme } from './theme.ts';
import { drawChart, drawStatus } from './view/draw-chart.ts';

const page = document.getElementById('page') as HTMLElement;
let locale: unknown;
let shown: unknown;

function show(toolResult: unknown): void {
  shown = toolResult;
  drawChart(makeChart(toolResult, locale), page);
}

const reportHeight = connectHost({
  onContext(context) {
    applyTheme(context);
    if (context.locale === undefined || context.locale === locale) return;
    locale = context.locale;
    if (shown !== undefined) show(shown);
  },
  onResult: show,
  onCancelled: () => drawStatus('The call was cancelled.', page),
});
new ResizeObserver(() => reportHeight(Math.ceil(page.getBoundingClientRect().height))).observe(page);
