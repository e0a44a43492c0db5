import { raw } from 'hono/html';
import type { JobExport, JobView } from '../../src/import/service/upload-job.ts';
import type { MissingAccess } from '../../src/views/name-apps.ts';
import type { Format } from '../import-routes.tsx';
import { formatBucket } from '../parts/bucket-name.ts';
import { ImportChoices, ImportTarget, KeepFiles } from '../parts/import-choices.tsx';
import { Notes, Problems, StreamTable, showText } from '../parts/import-report.tsx';
import { Chip, CsrfField, type Frame, formatCount, Page, REFRESH } from '../parts/layout.tsx';
import { importHref, newImportHref } from '../parts/links.ts';
import { NextSteps } from '../parts/next-steps.tsx';

const titles: Record<JobView['state'], string> = {
  looking: 'Checking your files',
  ready: 'Review your import',
  nothing: 'No readable data found',
  waiting: 'Waiting to start',
  running: 'Importing',
  done: 'Import complete',
  stopped: 'Import stopped',
  failed: 'Import failed',
};

interface NewImportProps {
  readonly view: JobView;
  readonly frame: Frame;
  /** The formats that the owner can choose. */
  readonly formats: readonly Format[];
  readonly canKeepFiles: boolean;
  /** Apps that cannot yet read the imported data. */
  readonly missingAccess?: readonly MissingAccess[];
}

/** An upload from the check to the result. The page updates itself. */
export function NewImportPage({ view, frame, formats, canKeepFiles, missingAccess = [] }: NewImportProps) {
  const here = newImportHref(view.id);
  const isRunning = ['looking', 'waiting', 'running'].includes(view.state);
  return (
    <Page title={titles[view.state]} here="data" {...frame}>
      <p class="small">
        <a href="/dashboard/data">Data</a>
      </p>
      {isRunning && raw(REFRESH)}
      <div id="job" data-live={isRunning ? here : undefined} aria-live="polite">
        <h1>{titles[view.state]}</h1>
        <p class="muted long">
          {view.files
            .slice(0, 5)
            .map(({ path }) => showText(path))
            .join(', ')}
          {view.files_total > 5 && ` and ${formatCount(view.files_total - 5)} more`},{' '}
          {formatBytes(view.bytes)}
        </p>
        <Stage {...{ view, formats, canKeepFiles, missingAccess }} csrf={frame.csrf} />
      </div>
    </Page>
  );
}

interface StageProps {
  readonly view: JobView;
  readonly csrf: string;
  readonly formats: readonly Format[];
  readonly canKeepFiles: boolean;
  readonly missingAccess: readonly MissingAccess[];
}

function Stage({ view, csrf, formats, canKeepFiles, missingAccess }: StageProps) {
  switch (view.state) {
    case 'looking':
    case 'waiting':
    case 'running':
      return <InProgress view={view} csrf={csrf} />;
    case 'ready':
      return <Ready {...{ view, csrf, formats, canKeepFiles }} />;
    case 'done':
    case 'stopped':
      return <Result view={view} missingAccess={missingAccess} />;
    case 'nothing':
    case 'failed':
      return (
        <>
          {view.reason !== null && <p class="notice bad">{view.reason}</p>}
          <UnreadFiles view={view} open />
          <p>
            <a class="button" href="/dashboard/data">
              Try another file
            </a>{' '}
            <a href="/dashboard/data/formats">How to get an export</a>
          </p>
        </>
      );
  }
}

function InProgress({ view, csrf }: { view: JobView; csrf: string }) {
  const { progress, state } = view;
  const step = state === 'looking' ? 'discard' : 'stop';
  return (
    <section class="card">
      <progress
        max={progress?.bytesTotal}
        value={progress?.bytesTotal && progress.bytes}
        aria-label="Progress"
      />
      <p class="muted">
        {progress === null
          ? 'Starting.'
          : `${progress.title}: ${formatCount(progress.records, 'record')}, ${formatBytes(progress.bytes)}`}
        {progress?.bytesTotal !== undefined && ` of ${formatBytes(progress.bytesTotal)}`}
      </p>
      <form method="post" action={`${newImportHref(view.id)}/${step}`}>
        <CsrfField csrf={csrf} />
        <button type="submit">{state === 'looking' ? 'Discard' : 'Stop'}</button>
      </form>
    </section>
  );
}

function Ready({ view, csrf, formats, canKeepFiles }: Omit<StageProps, 'missingAccess'>) {
  const here = newImportHref(view.id);
  return (
    <>
      <p class="lead">Nothing has been imported yet.</p>
      {view.exports.length === 0 && <p class="notice">Nothing readable was found as that format.</p>}
      <form method="post" action={`${here}/run`}>
        <CsrfField csrf={csrf} />
        {/* The buttons come first and stay visible, because the list below may be long. */}
        <div class="buttons decide-import">
          {view.exports.length > 0 && (
            <button class="primary" type="submit">
              {view.exports.length === 1 ? 'Import' : 'Import selected'}
            </button>
          )}
          <button type="submit" formaction={`${here}/discard`} formnovalidate>
            Discard
          </button>
        </div>
        {canKeepFiles && <KeepFiles exports={view.exports} />}
        {view.exports.map((one, index) => (
          <FoundExport
            one={one}
            index={index}
            open={view.exports.length <= MAX_OPEN_EXPORTS}
            previewHref={`${here}/look`}
          />
        ))}
        <UnreadFiles view={view} />
      </form>
      <ImportChoices view={view} csrf={csrf} formats={formats} />
    </>
  );
}

/** More exports than this are folded to a few lines each. */
const MAX_OPEN_EXPORTS = 3;

interface FoundProps {
  readonly one: JobExport;
  readonly index: number;
  readonly open: boolean;
  readonly previewHref: string;
}

function FoundExport({ one, index, open, previewHref }: FoundProps) {
  const { foretold: dryRun } = one;
  return (
    <section class="card export">
      <label class="choice">
        <input type="checkbox" name={`take_${index}`} value="yes" checked />
        <span>
          <b class="strong">{one.title}</b> <Chip>{formatCount(one.files_total, 'file')}</Chip>
          <span class="muted small long">
            {' '}
            {one.files.slice(0, 3).map(showText).join(', ')}
            {one.files_total > 3 && ' …'}
          </span>
        </span>
      </label>
      <Preview one={one} folded={!open} />
      {/* Never collapsed: apps with access to this connection will see the new records. */}
      {dryRun.connection === 'same' && (
        <ImportTarget jobExport={one} index={index} previewHref={previewHref} />
      )}
      <details class="more" open={open}>
        <summary>Details</summary>
        {dryRun.connection === 'new' && (
          <ImportTarget jobExport={one} index={index} previewHref={previewHref} />
        )}
        <StreamTable report={dryRun} linked={false} />
        <Notes notes={dryRun.notes} />
        <Problems title="Cannot be read" problems={dryRun.problems} total={dryRun.problems_total} />
      </details>
    </section>
  );
}

/** Counts, period and newest records of an export. */
function Preview({ one: { foretold: dryRun, preview }, folded }: { one: JobExport; folded: boolean }) {
  const counts = Object.values(dryRun.streams);
  const [added, known] = [
    counts.reduce((sum, one) => sum + one.new, 0),
    counts.reduce((sum, one) => sum + one.changed + one.same, 0),
  ];
  const { first, last, samples } = preview;
  return (
    <div class="preview small">
      <p>
        {formatCount(added, 'new record')}
        {known > 0 && `, ${formatCount(known)} already imported`}
        {first !== null && last !== null && ` · ${formatSpan(first, last)}`}
        {dryRun.problems_total > 0 && ` · ${formatCount(dryRun.problems_total)} could not be read`}
      </p>
      {folded && samples.length > 0 && (
        <p class="muted one-line">{samples.map(({ text }) => showText(text)).join(' · ')}</p>
      )}
      {!folded && samples.length > 0 && (
        <ul class="plain muted">
          {samples.map(({ day, text }) => (
            <li class="one-line">
              {day !== null && `${formatBucket(day, 'long')}: `}
              {showText(text)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function formatSpan(first: string, last: string): string {
  const [from, to] = [formatBucket(first, 'long'), formatBucket(last, 'long')];
  return from === to ? from : `${from} – ${to}`;
}

function Result({ view, missingAccess }: Pick<StageProps, 'view' | 'missingAccess'>) {
  return (
    <>
      {view.exports.map(({ title, result }) => (
        <section class="card">
          <div class="spread">
            <h2>{title}</h2>
            {result === null ? (
              <Chip>not imported</Chip>
            ) : (
              <a href={importHref(result.import_id)}>View report or undo</a>
            )}
          </div>
          {result !== null && <p class="muted">Into {showText(result.report.connection_name)}</p>}
          {result !== null && <StreamTable report={result.report} linked />}
          {result !== null && (
            <Problems
              title="Could not be read"
              problems={result.report.problems}
              total={result.report.problems_total}
            />
          )}
        </section>
      ))}
      <UnreadFiles view={view} />
      <NextSteps missingAccess={missingAccess} />
    </>
  );
}

/** Files that were refused or not recognised. */
function UnreadFiles({ view, open = false }: { view: JobView; open?: boolean }) {
  const leftovers = view.not_recognised.map((path) => ({ path, reason: 'not a supported format' }));
  return (
    <>
      <Problems title="Refused" problems={view.refused} total={view.refused_total} open={open} />
      <Problems title="Not recognised" problems={leftovers} total={view.not_recognised_total} open={open} />
    </>
  );
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'];

function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1_000 ** step;
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 })} ${UNITS[step]}`;
}
