import { raw } from 'hono/html';
import type { RemovalView } from '../../src/import/service/removals.ts';
import { showText } from '../parts/import-report.tsx';
import { type Frame, formatCount, Page, REFRESH } from '../parts/layout.tsx';
import { importHref, removalHref } from '../parts/links.ts';

/** Progress and result of a removal, which runs in the background. */
export function RemovalPage({ view, frame }: { view: RemovalView; frame: Frame }) {
  const isRunning = view.state === 'waiting' || view.state === 'running';
  return (
    <Page title={titleOf(view)} here="data" {...frame}>
      <p class="small">
        <a href="/dashboard/data">Data</a>
      </p>
      {isRunning && raw(REFRESH)}
      <div id="removal" data-live={isRunning ? removalHref(view.id) : undefined} aria-live="polite">
        <h1>{titleOf(view)}</h1>
        <p class="muted long">{showText(view.title)}</p>
        {isRunning ? <InProgress view={view} /> : <Result view={view} />}
      </div>
    </Page>
  );
}

function titleOf({ kind, state }: RemovalView): string {
  if (state === 'failed') return kind === 'undo' ? 'Undo failed' : 'Removal failed';
  if (state === 'done') return kind === 'undo' ? 'Import undone' : 'Data removed';
  if (state === 'waiting') return 'Waiting to start';
  return kind === 'undo' ? 'Undoing import' : 'Removing data';
}

function InProgress({ view: { records, total } }: { view: RemovalView }) {
  return (
    <section class="card">
      <progress
        max={total ?? undefined}
        value={total === null ? undefined : Math.min(records, total)}
        aria-label="Progress"
      />
      <p class="muted">
        {formatCount(records, 'record')}
        {total !== null && ` of ${formatCount(total)}`}. You can leave this page.
      </p>
    </section>
  );
}

function Result({ view }: { view: RemovalView }) {
  const { kind, outcome, reason, of } = view;
  return (
    <>
      {reason !== null && <p class="notice bad">{reason}</p>}
      {outcome !== null && (
        <ul>
          <li>{formatCount(outcome.records, 'record')} removed.</li>
          {outcome.restored > 0 && <li>{formatCount(outcome.restored, 'record')} restored.</li>}
          {outcome.kept > 0 && <li>{formatCount(outcome.kept, 'record')} changed later and were kept.</li>}
          {kind === 'undo' && outcome.connection_removed && <li>The connection was removed.</li>}
        </ul>
      )}
      <p class="buttons">
        <a class="button" href="/dashboard/data">
          View data
        </a>
        {kind === 'undo' && outcome?.connection_removed === false && (
          <a class="button" href={importHref(of)}>
            View import report
          </a>
        )}
      </p>
    </>
  );
}
