import type { ImportView } from '../../src/import/import-log.ts';
import type { MissingAccess } from '../../src/views/name-apps.ts';
import { ImportState } from '../parts/import-history.tsx';
import { Notes, Problems, StreamTable, showText } from '../parts/import-report.tsx';
import { Confirm, type Frame, formatCount, Page, Time } from '../parts/layout.tsx';
import { connectionHref, importHref } from '../parts/links.ts';
import { NextSteps } from '../parts/next-steps.tsx';

/** Report of one import, with undo. */
export function ImportPage(props: {
  view: ImportView;
  frame: Frame;
  missingAccess?: readonly MissingAccess[];
}) {
  const { view, frame, missingAccess } = props;
  const { report, state, time_zone: zone } = view;
  const isStored = state !== 'undone' && state !== 'running';
  return (
    <Page title={report.title} here="data" zone={zone} {...frame}>
      <p class="small">
        <a href="/dashboard/data">Data</a>
      </p>
      <h1>{report.title}</h1>
      <p class="row">
        <ImportState state={state} />
        <span class="muted">
          <Time at={view.started_at} zone={zone} />, {formatCount(report.files, 'file')}
        </span>
      </p>
      {state === 'interrupted' && (
        <p class="notice warning">
          The import was interrupted. Import the same file again to continue, or undo the import.
        </p>
      )}
      <section class="card">
        <div class="spread">
          <h2>
            Into <a href={connectionHref(report.connection_id)}>{showText(report.connection_name)}</a>
          </h2>
          {report.connection === 'new' && <p class="muted">created by this import</p>}
        </div>
        <StreamTable report={report} linked={isStored} />
        <Notes notes={report.notes} />
        <Problems title="Could not be read" problems={report.problems} total={report.problems_total} />
      </section>
      {isStored && <NextSteps missingAccess={missingAccess} />}
      {isStored && (
        <Confirm
          label="Undo this import"
          action={`${importHref(view.import_id)}/undo`}
          csrf={frame.csrf}
          button="Undo import"
        >
          <p>
            This removes the records it added and restores the records it changed. Records that changed later
            stay as they are.
          </p>
        </Confirm>
      )}
    </Page>
  );
}
