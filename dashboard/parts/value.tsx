import type { FieldKind } from '../../src/schema-index/field.ts';
import { formatCount, formatTime, Time } from './layout.tsx';
import { findWebAddress } from './links.ts';

const LONG = 200;
const BEGINNING = 4_000;
const MAX_SHOWN = 200_000;
const CELL = 48;

interface ValueProps {
  readonly value: unknown;
  readonly kind: FieldKind;
  readonly zone: string;
  /** The value with its unit or currency, if known. */
  readonly amount: string | null;
}

/** A full value of a record. Only plain web addresses become links. */
export function Value({ value, kind, zone, amount }: ValueProps) {
  if (amount !== null) return <>{amount}</>;
  if (isPlainList(value)) return <>{value.map(String).join(', ')}</>;
  if (typeof value === 'object' && value !== null) return <Json value={value} />;
  if (typeof value !== 'string') return <>{formatScalar(value)}</>;
  if (kind === 'date-time' || kind === 'date') return <When at={value} zone={zone} />;
  const address = findWebAddress(value);
  if (address !== undefined) {
    return (
      <a class="long" href={address} rel="noreferrer noopener nofollow" target="_blank">
        {value}
      </a>
    );
  }
  if (value.length <= LONG && !value.includes('\n')) return <>{value}</>;
  return <LongText text={value} />;
}

/** A shortened value for a table cell. */
export function CellValue({ value, kind, zone, amount }: ValueProps) {
  if (amount !== null) return <>{amount}</>;
  if (value === null || value === undefined) return <span class="muted">–</span>;
  if ((kind === 'date-time' || kind === 'date') && typeof value === 'string')
    return <When at={value} zone={zone} />;
  const text = isPlainList(value)
    ? value.map(String).join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : formatScalar(value);
  return <>{shorten(text.replace(/\s+/g, ' '), CELL)}</>;
}

/** A time or day of a record in the owner's time zone; other texts as stored. */
export function When({ at, zone, show = 'minute' }: { at: string; zone: string; show?: 'minute' | 'clock' }) {
  if (/^\d{4}-\d\d-\d\d$/.test(at)) return <time datetime={at}>{formatTime(at, 'UTC', 'day')}</time>;
  const isInstant = /(Z|[+-]\d\d:?\d\d)$/i.test(at);
  if (isInstant && !Number.isNaN(Date.parse(at))) return <Time at={at} zone={zone} show={show} />;
  // A time without an offset is already in the owner's time zone.
  const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(at) ? formatTime(`${at}Z`, 'UTC', show) : at;
  return <span>{local === `${at}Z` ? at : local}</span>;
}

/** Returns the day of a time in the owner's time zone. */
export function dayOf(at: string, zone: string): string {
  const isInstant = /(Z|[+-]\d\d:?\d\d)$/i.test(at);
  return formatTime(isInstant ? at : at.slice(0, 10), isInstant ? zone : 'UTC', 'day');
}

/** The beginning of a text; the rest is collapsed. Very long texts are cut. */
export function LongText({ text }: { text: string }) {
  const shown = text.slice(0, MAX_SHOWN).toWellFormed();
  if (shown.length <= BEGINNING * 1.5) return <div class="text">{shown}</div>;
  const space = shown.indexOf(' ', BEGINNING);
  const end = space === -1 || space > BEGINNING + 200 ? BEGINNING : space;
  const more = text.length - end;
  return (
    <>
      <div class="text">{`${shown.slice(0, end).toWellFormed()} …`}</div>
      <details class="more">
        <summary>Show {formatCount(more, 'more character')}</summary>
        <div class="text">{shown.slice(end).toWellFormed()}</div>
        {text.length > MAX_SHOWN && (
          <p class="muted">
            {formatCount(text.length - MAX_SHOWN, 'character')} not shown. Open the record as Markdown or JSON
            to read them.
          </p>
        )}
      </details>
    </>
  );
}

function Json({ value }: { value: object }) {
  const size = Array.isArray(value)
    ? formatCount(value.length, 'entry', 'entries')
    : formatCount(Object.keys(value).length, 'part');
  const text = JSON.stringify(value, null, 2);
  return (
    <details class="more">
      <summary>JSON, {size}</summary>
      <pre>{text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text}</pre>
    </details>
  );
}

export function shorten(text: string, shown: number): string {
  return text.length <= shown ? text : `${text.slice(0, shown - 1).toWellFormed()}…`;
}

function formatScalar(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

function isPlainList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null);
}
