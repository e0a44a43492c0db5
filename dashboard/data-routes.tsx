import type { Context, Hono } from 'hono';
import type { AccountView } from '../src/accounts/account-view.ts';
import type { DataOverview, DataViews, RecordView, SearchView } from '../src/views/data-views.ts';
import type { RequestedFilter } from '../src/views/reading/record-filters.ts';
import type { RecordsInput } from '../src/views/records.ts';
import { addPage, answerCsv, getPathParameter } from './add-page.ts';
import type { ImportsOverview } from './import-routes.tsx';
import { DataPage, SearchPage } from './pages/data.tsx';
import { PeriodPage } from './pages/period.tsx';
import { RecordPage } from './pages/record.tsx';
import { RecordsPage } from './pages/records.tsx';
import type { Frame } from './parts/layout.tsx';

export interface DataRouteDeps {
  readonly views: DataViews;
  readonly writeMarkdown: (record: RecordView) => string;
  readonly imports: () => Promise<ImportsOverview>;
  readonly accounts: () => Promise<readonly AccountView[]>;
  readonly frame: (c: Context) => Frame | Promise<Frame>;
}

/** The data page with the imports and accounts of the owner. An app has neither. */
export type DataPageView = DataOverview & {
  readonly imports: ImportsOverview | null;
  readonly accounts: readonly AccountView[] | null;
};

const MAX_WORDINGS = 5;

/** Splits synonyms at commas. */
function splitWordings(also: string | undefined): string[] {
  const wordings = (also ?? '').split(/[,;、，]/).map((one) => one.trim());
  return wordings.filter((one) => one !== '').slice(0, MAX_WORDINGS);
}

/** /dashboard/data and /r. The caller must check that the owner is signed in. */
export function addDataRoutes(
  app: Hono,
  { views, writeMarkdown, imports, accounts, frame }: DataRouteDeps,
): void {
  addPage(
    app,
    '/dashboard/data',
    async (c): Promise<DataPageView | SearchView> => {
      const { q, also, cursor, as, sort } = readParameters(c, ['q', 'also', 'cursor', 'as', 'sort']);
      if (q !== undefined) return views.search({ query: q, also: splitWordings(also), cursor, sort }, as);
      // Links of earlier versions name a month.
      const { period, month } = readParameters(c, ['period', 'month']);
      const view = await views.data(as, period ?? month);
      return as === undefined
        ? { ...view, imports: await imports(), accounts: await accounts() }
        : { ...view, imports: null, accounts: null };
    },
    async (view, c) => {
      if ('results' in view) return c.html(<SearchPage view={view} frame={await frame(c)} />);
      const { period } = view;
      return period === null
        ? c.html(<DataPage view={view} frame={await frame(c)} done={c.req.query('done')} />)
        : c.html(<PeriodPage view={view} period={period} frame={await frame(c)} />);
    },
  );
  app.get('/dashboard/data/:connection/:stream{[^/.]+\\.csv}', async (c) => {
    const { cursor: _, q: __, ...input } = readList(c);
    const chunks = await views.recordsCsv(input, readParameters(c, ['as']).as);
    return answerCsv(c, `${input.connection_id}-${input.stream}`, chunks);
  });
  addPage(
    app,
    '/dashboard/data/:connection/:stream',
    (c) => views.records(readList(c), readParameters(c, ['as']).as),
    async (view, c) => c.html(<RecordsPage view={view} frame={await frame(c)} />),
  );
  app.get('/r/*', async (c) => {
    const { as, ...position } = readParameters(c, ['as', 'cursor', 'at']);
    // The path as sent: the parts of an id are percent-encoded, and a slash inside a key must stay encoded.
    const path = new URL(c.req.url).pathname.slice('/r/'.length);
    const view = await views.record(path, as, position);
    c.header('vary', 'accept');
    switch (view.format ?? chooseFormat(c.req.header('accept'))) {
      case 'markdown':
        return c.body(writeMarkdown(view), 200, { 'content-type': 'text/markdown; charset=utf-8' });
      case 'json':
        return c.json(view);
      case 'html':
        return c.html(<RecordPage view={view} frame={await frame(c)} />);
    }
  });
}

/** Returns the first supported type in Accept, by default HTML. */
function chooseFormat(accept: string | undefined): 'html' | 'markdown' | 'json' {
  const types = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase());
  const first = types.find((type) => ['text/html', 'text/markdown', 'application/json'].includes(type ?? ''));
  return first === 'text/markdown' ? 'markdown' : first === 'application/json' ? 'json' : 'html';
}

const MAX_FILTERS = 50;

/** Reads the list query. A filter is `is:`, `has:`, `from:` or `to:` and a field name. */
function readList(c: Context): RecordsInput {
  const filters = [...new URL(c.req.url).searchParams].flatMap(([name, value]): RequestedFilter[] => {
    const [, word, field] = /^(is|has|from|to):(.+)$/s.exec(name) ?? [];
    if (word === undefined || field === undefined || value.trim() === '') return [];
    return [{ word: word as RequestedFilter['word'], field, value }];
  });
  return {
    connection_id: getPathParameter(c, 'connection'),
    stream: getPathParameter(c, 'stream').replace(/\.csv$/, ''),
    ...readParameters(c, ['q', 'cursor', 'sort']),
    filters: filters.slice(0, MAX_FILTERS),
  };
}

/** Returns query parameters that are not empty. */
function readParameters<Name extends string>(c: Context, names: readonly Name[]): { [N in Name]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = c.req.query(name);
      return value === undefined || value.trim() === '' ? [] : [[name, value]];
    }),
  ) as { [N in Name]?: string };
}
