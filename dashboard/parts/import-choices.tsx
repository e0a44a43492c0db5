import type { JobView } from '../../src/import/desk/desk-job.ts';
import { CsrfField } from './layout.tsx';
import { newImportHref } from './links.ts';

/** How to understand dates that say too little. Opened where an importer had to choose. */
export function ImportChoices({ view, csrf }: { view: JobView; csrf: string }) {
  const { time_zone, day_first } = view.choices;
  const hadToChoose = view.exports.some(({ foretold }) =>
    foretold.notes.some((note) => /\b(day|month|zone)\b/i.test(note)),
  );
  const orders = [
    ['', 'As the files tell', day_first === null],
    ['day', 'Day first: 03/04 is the third of April', day_first === true],
    ['month', 'Month first: 03/04 is the fourth of March', day_first === false],
  ] as const;
  return (
    <details class="card" open={hadToChoose}>
      <summary>
        <h2>Times and dates</h2>
      </summary>
      <form method="post" action={`${newImportHref(view.id)}/look`}>
        <CsrfField csrf={csrf} />
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
