import type { ImportProblem, ImportReport, StreamCounts } from '../../src/import/import-report.ts';
import { escapeInvisible, replaceInvisible } from '../../src/text/unseen.ts';
import { formatCount } from './layout.tsx';
import { streamHref } from './links.ts';

const MAX_SHOWN = 100;

/** Escapes invisible and direction-changing characters. */
export function showText(text: string): string {
  return replaceInvisible(text, escapeInvisible);
}

/** Record counts by stream. */
export function StreamTable({ report, linked }: { report: ImportReport; linked: boolean }) {
  const rows = Object.entries(report.streams);
  if (rows.length === 0) return <p class="muted">No records.</p>;
  return (
    <table class="stacked counted">
      <thead>
        <tr>
          <th scope="col">Stream</th>
          {columns.map(([, label]) => (
            <th scope="col" class="number">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([stream, counts]) => (
          <tr>
            <th scope="row">
              {linked ? (
                <a href={streamHref(report.connection_id, stream)}>{nameStream(stream)}</a>
              ) : (
                nameStream(stream)
              )}
            </th>
            {columns.map(([key, label]) => (
              <td class="number" data-label={label}>
                {formatCount(counts[key] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Makes a label from a stream name. */
function nameStream(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const columns: readonly [keyof StreamCounts, string][] = [
  ['new', 'New'],
  ['changed', 'Changed'],
  ['same', 'Same'],
  ['skipped', 'Skipped'],
];

export function Notes({ notes }: { notes: readonly string[] }) {
  return notes.length === 0 ? null : (
    <ul class="muted small">
      {notes.map((note) => (
        <li>{writeSentence(showText(note))}</li>
      ))}
    </ul>
  );
}

/** Capitalizes a note and adds a full stop. */
function writeSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** Files or records that could not be read, with reasons. */
export function Problems(props: {
  title: string;
  problems: readonly ImportProblem[];
  total: number;
  open?: boolean;
}) {
  const { title, problems, total, open = false } = props;
  if (total === 0) return null;
  const shown = problems.slice(0, MAX_SHOWN);
  return (
    <details class="more" open={open}>
      <summary>
        {title}: {formatCount(total)}
      </summary>
      <ul class="small">
        {shown.map(({ path, place, reason }) => (
          <li>
            <span class="long">
              {showText(path)}
              {place !== undefined && `, ${showText(place)}`}
            </span>{' '}
            <span class="muted">{showText(reason)}</span>
          </li>
        ))}
      </ul>
      {total > shown.length && <p class="muted small">And {formatCount(total - shown.length)} more.</p>}
    </details>
  );
}
