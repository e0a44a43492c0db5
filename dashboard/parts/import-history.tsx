import type { HistoryLine } from '../../src/import/import-log.ts';
import type { ImportsOverview } from '../import-routes.tsx';
import { showText } from './import-report.tsx';
import { Chip, Confirm, formatCount, Time } from './layout.tsx';
import { importHref, newImportHref, removalHref } from './links.ts';

const states: Record<HistoryLine['state'], [string, 'good' | 'warn' | undefined]> = {
  running: ['running', undefined],
  done: ['done', 'good'],
  stopped: ['stopped', 'warn'],
  interrupted: ['interrupted', 'warn'],
  undone: ['undone', undefined],
};

export function ImportState({ state }: { state: HistoryLine['state'] }) {
  const [word, tone] = states[state];
  return tone === undefined ? <Chip>{word}</Chip> : <Chip tone={tone}>{word}</Chip>;
}

/** Pending imports and removals in progress. */
export function PendingJobs({ imports }: { imports: ImportsOverview }) {
  const { under_way: jobs, removals } = imports;
  return (
    <>
      {jobs.length > 0 && (
        <section class="card">
          <h2>Pending imports</h2>
          <ul class="lines">
            {jobs.map(({ id, state, files, files_total }) => (
              <li class="spread">
                <a class="long" href={newImportHref(id)}>
                  {showText(files[0]?.path ?? 'upload')}
                  {files_total > 1 && ` and ${formatCount(files_total - 1)} more`}
                </a>
                <Chip>{state === 'ready' ? 'ready to review' : state}</Chip>
              </li>
            ))}
          </ul>
        </section>
      )}
      {removals.length > 0 && (
        <section class="card">
          <h2>Removals in progress</h2>
          <ul class="lines">
            {removals.map(({ id, title, state, records }) => (
              <li class="spread">
                <a class="long" href={removalHref(id)}>
                  {showText(title)}
                </a>
                <Chip>{state === 'waiting' ? 'waiting' : formatCount(records, 'record')}</Chip>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Every import with its outcome. */
export function ImportHistory({ history, zone }: { history: readonly HistoryLine[]; zone: string }) {
  return history.length === 0 ? null : (
    <section class="card" id="imports">
      <h2>Imports</h2>
      <table class="stacked counted">
        <thead>
          <tr>
            <th scope="col">Import</th>
            <th scope="col">Connection</th>
            <th scope="col">When</th>
            <th scope="col" class="number">
              New
            </th>
            <th scope="col" class="number">
              Changed
            </th>
            <th scope="col" class="number">
              Not read
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {history.map((line) => (
            <tr>
              <th scope="row">
                <a href={importHref(line.import_id)}>{line.title}</a>
              </th>
              <td data-label="Connection">{showText(line.connection_name)}</td>
              <td data-label="When" class="nowrap">
                <Time at={line.started_at} zone={zone} />
              </td>
              <td data-label="New" class="number">
                {formatCount(line.counts.new)}
              </td>
              <td data-label="Changed" class="number">
                {formatCount(line.counts.changed)}
              </td>
              <td data-label="Not read" class="number">
                {formatCount(line.problems_total)}
              </td>
              <td data-label="State">
                <ImportState state={line.state} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted small">Open an import to view its report or undo it.</p>
    </section>
  );
}

export function RemoveDemo({ connections, csrf }: { connections: number; csrf: string }) {
  return connections === 0 ? null : (
    <Confirm label="Remove demo data" action="/dashboard/demo/remove" csrf={csrf} button="Remove demo data">
      <p>
        This removes {formatCount(connections, 'demo connection')} and all of their records. Your own data
        stays.
      </p>
    </Confirm>
  );
}
