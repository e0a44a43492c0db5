import type { ChoiceProps } from './consent.tsx';
import { FieldNote, noteOf } from './consent-decide.tsx';

/** Choice of the period and the expiry. */
export function PeriodAndExpiry({ offer, form, windows, expiries, problems }: ChoiceProps) {
  const [windowNote, endNote] = [noteOf('window', problems), noteOf('expires', problems)];
  return (
    <>
      <fieldset class="card" aria-describedby={windowNote}>
        <legend>Period</legend>
        <FieldNote at="window" problems={problems} />
        <div class="choices">
          {windows.map(({ value, label }) => (
            <label>
              <input type="radio" name="window" value={value} checked={value === form.window} /> {label}
            </label>
          ))}
        </div>
        <div class="row">
          <span class="nowrap">
            <label for="since">From</label> <Day name="since" value={form.since} note={windowNote} />
          </span>
          <span class="nowrap">
            <label for="until">to</label> <Day name="until" value={form.until} note={windowNote} />
          </span>
        </div>
        <p class="hint">Data without dates is not shared if you limit the period.</p>
      </fieldset>
      {offer.access_mode === 'single_use' ? (
        <p class="notice">One session only: the app must ask again next time.</p>
      ) : null}
      <div class="field card">
        <label for="expires">Access expires</label>
        <FieldNote at="expires" problems={problems} />
        <select
          id="expires"
          name="expires"
          aria-describedby={endNote}
          aria-invalid={endNote === undefined ? undefined : 'true'}
        >
          {!expiries.some(({ value }) => value === form.expires) && (
            <option value="" selected>
              Choose
            </option>
          )}
          {expiries.map(({ value, label }) => (
            <option value={value} selected={value === form.expires}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}

function Day({ name, value, note }: { name: string; value: string; note: string | undefined }) {
  return (
    <input
      type="date"
      id={name}
      name={name}
      value={value}
      aria-describedby={note}
      aria-invalid={note === undefined ? undefined : 'true'}
    />
  );
}
