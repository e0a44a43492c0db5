import type { ImportReport } from '../../src/import/import-report.ts';
import type { JobExport, JobView, NEW_CONNECTION } from '../../src/import/service/upload-job.ts';
import type { Format } from '../import-routes.tsx';
import { showText } from './import-report.tsx';
import { CsrfField } from './layout.tsx';
import { newImportHref } from './links.ts';

interface ImportChoicesProps {
  readonly view: JobView;
  readonly csrf: string;
  readonly formats: readonly Format[];
}

/** Form for the format and ambiguous dates. Open if an importer had to guess. */
export function ImportChoices({ view, csrf, formats }: ImportChoicesProps) {
  const { time_zone, day_first, format } = view.choices;
  const hadToGuess = view.exports.some(({ foretold }) =>
    foretold.notes.some((note) => /\b(day|month|zone)\b/i.test(note)),
  );
  const orders = [
    ['', 'Detect automatically', day_first === null],
    ['day', 'Day first (03/04 is 3 April)', day_first === true],
    ['month', 'Month first (03/04 is 4 March)', day_first === false],
  ] as const;
  return (
    <details class="card" open={hadToGuess || view.exports.length === 0}>
      <summary>
        <h2>Change format or dates</h2>
      </summary>
      <form method="post" action={`${newImportHref(view.id)}/look`}>
        <CsrfField csrf={csrf} />
        <div class="field">
          <label for="format">Format</label>
          <select id="format" name="format">
            <option value="">Detect automatically</option>
            {formats.map((one) => (
              <option value={one.format} selected={one.format === format}>
                {one.title}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="time_zone">Time zone for times without one</label>
          <input id="time_zone" name="time_zone" value={time_zone} required maxlength={60} />
        </div>
        <div class="field">
          <label for="order">Date order</label>
          <select id="order" name="order">
            {orders.map(([value, label, chosen]) => (
              <option value={value} selected={chosen}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <button type="submit">Check again</button>
      </form>
    </details>
  );
}

/** Offers to keep attached files, if an export has some. */
export function KeepFiles({ exports }: { exports: readonly JobExport[] }) {
  if (!exports.some(({ foretold }) => foretold.streams.attachments !== undefined)) return null;
  return (
    <div class="choices">
      <label>
        <input type="checkbox" name="keep_files" value="yes" />
        <span>
          Keep the attached files
          <br />
          <span class="hint">
            Stores the files themselves in the data folder. Without it, only their text is stored. Apps cannot
            read the files.
          </span>
        </span>
      </label>
    </div>
  );
}

const NEW: typeof NEW_CONNECTION = '*';

interface ImportTargetProps {
  readonly jobExport: JobExport;
  readonly index: number;
  /** The form sends its choices here to preview the import again. */
  readonly previewHref: string;
}

/** The target connection of an export, with alternatives. */
export function ImportTarget({ jobExport, index, previewHref }: ImportTargetProps) {
  const { foretold, candidates } = jobExport;
  const isNew = foretold.connection === 'new';
  const others = [
    ...(isNew ? [] : [{ connection_id: NEW, name: 'New connection' }]),
    ...candidates.filter(({ connection_id }) => isNew || connection_id !== foretold.connection_id),
  ];
  return (
    <div class="field">
      {isNew ? (
        <>
          <label for={`name_${index}`}>New connection</label>
          <input
            id={`name_${index}`}
            name={`name_${index}`}
            value={foretold.connection_name}
            maxlength={200}
            autocomplete="off"
          />
          <p class="hint">Apps see this name.</p>
        </>
      ) : (
        <p>
          Will be added to <b>{showText(foretold.connection_name)}</b>: {describeMatch(foretold)}. Apps with
          access to this connection will see the new data.
        </p>
      )}
      {others.length > 0 && (
        <p class="row">
          <span class="muted small">
            {isNew ? 'Same account as an existing connection?' : 'Different account?'}
          </span>
          {others.map(({ connection_id, name }) => (
            <button
              class="small"
              type="submit"
              name={`into_${index}`}
              value={connection_id}
              formaction={previewHref}
              formnovalidate
            >
              {connection_id === NEW ? name : `Add to ${showText(name)}`}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}

function describeMatch({ matched_by }: ImportReport): string {
  switch (matched_by) {
    case 'account':
      return 'same account';
    case 'account_number':
      return 'same account number';
    case 'owner':
      return 'same owner';
    case 'records':
      return 'most of it was already imported';
    default:
      return 'your choice';
  }
}
