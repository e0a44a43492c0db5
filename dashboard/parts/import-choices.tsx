import type { JobExport, JobView } from '../../src/import/desk/desk-job.ts';
import type { Format } from '../import-routes.tsx';
import { showText } from './import-report.tsx';
import { CsrfField } from './layout.tsx';
import { newImportHref } from './links.ts';

interface ImportChoicesProps {
  readonly view: JobView;
  readonly csrf: string;
  readonly formats: readonly Format[];
}

/** What the files are, where they go and how to understand dates that say too little. Opened where an importer had to choose. */
export function ImportChoices({ view, csrf, formats }: ImportChoicesProps) {
  const { time_zone, day_first, format } = view.choices;
  const hadToChoose = view.exports.some(({ foretold }) =>
    foretold.notes.some((note) => /\b(day|month|zone)\b/i.test(note)),
  );
  const orders = [
    ['', 'As the files tell', day_first === null],
    ['day', 'Day first: 03/04 is the third of April', day_first === true],
    ['month', 'Month first: 03/04 is the fourth of March', day_first === false],
  ] as const;
  return (
    <details class="card" open={hadToChoose || view.exports.length === 0}>
      <summary>
        <h2>Not right? What it is, where it goes, its dates</h2>
      </summary>
      <form method="post" action={`${newImportHref(view.id)}/look`}>
        <CsrfField csrf={csrf} />
        <div class="field">
          <label for="format">What it is</label>
          <select id="format" name="format">
            <option value="">As recognised</option>
            {formats.map((one) => (
              <option value={one.format} selected={one.format === format}>
                {one.title}
              </option>
            ))}
          </select>
        </div>
        {view.exports.map((one, index) => (
          <Into one={one} index={index} chosen={view.choices.into[index] ?? null} />
        ))}
        <div class="field">
          <label for="time_zone">Times without a zone are in</label>
          <input id="time_zone" name="time_zone" value={time_zone} required maxlength={60} />
        </div>
        <div class="field">
          <label for="order">Dates such as 03/04/2026</label>
          <select id="order" name="order">
            {orders.map(([value, label, chosen]) => (
              <option value={value} selected={chosen}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <button type="submit">Look again</button>
      </form>
    </details>
  );
}

/** An export can be added to a connection of its kind that is there. */
function Into({ one, index, chosen }: { one: JobExport; index: number; chosen: string | null }) {
  if (one.candidates.length === 0) return null;
  return (
    <div class="field">
      <label for={`into_${index}`}>{one.title} goes into</label>
      <select id={`into_${index}`} name={`into_${index}`}>
        <option value="">Where it belongs by itself</option>
        {one.candidates.map(({ connection_id, name }) => (
          <option value={connection_id} selected={connection_id === chosen}>
            {showText(name)} ({connection_id})
          </option>
        ))}
      </select>
    </div>
  );
}
