import { readFileSync } from 'node:fs';
import { CHART_URI } from './tool-list.ts';

/** Written by `npm run chart` from the sources in chart/. */
const html = readFileSync(new URL('./chart.html', import.meta.url), 'utf8');

/** Nothing: the page is one file, and gets its data from the program that shows it. */
const NO_DOMAINS = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };

/** The page that draws results of `aggregate` (MCP Apps). It contains no data and is the same for every caller. */
export const chartResource = {
  contents: [
    {
      uri: CHART_URI,
      mimeType: 'text/html;profile=mcp-app',
      text: html,
      _meta: { ui: { csp: NO_DOMAINS, prefersBorder: true } },
    },
  ],
};
