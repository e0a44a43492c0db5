import type { FieldKind } from '../../src/schema-index/field.ts';
import { formatCount, Time } from './layout.tsx';
import { findWebAddress } from './links.ts';

const LONG = 200;
const BEGINNING = 4_000;
const MOST_SHOWN = 200_000;
const CELL = 48;

/** A value of a record, whole. It is text to us whatever it says; only a plain web address can be followed. */
export function Value({ value, kind, zone }: { value: unknown; kind: FieldKind; zone: string }) {
  if (isPlainList(value)) return <>{value.map(String).join(', ')}</>;
  if (typeof value === 'object' && value !== null) return <Json value={value} />;
  if (typeof value !== 'string') return <>{formatScalar(value)}</>;
  if (kind === 'date-time') return <Moment text={value} zone={zone} />;
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

/** The same in a cell: one line, and not much of it. */
export function CellValue({ value, kind, zone }: { value: unknown; kind: FieldKind; zone: string }) {
  if (value === null || value === undefined) return <span class="muted">–</span>;
  if (kind === 'date-time' && typeof value === 'string') return <Moment text={value} zone={zone} />;
  const text = isPlainList(value)
    ? value.map(String).join(', ')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : formatScalar(value);
  return <>{shorten(text.replace(/\s+/g, ' '), CELL)}</>;
}

/** A time as the record spells it, unless it is one that can be shown on the owner's clock. */
function Moment({ text, zone }: { text: string; zone: string }) {
  // Without an offset it is the owner's clock already.
  const isInstant = /(Z|[+-]\d\d:?\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text));
  return isInstant ? <Time at={text} zone={zone} /> : <span>{text.replace('T', ' ')}</span>;
}

/** The beginning; the rest unfolds. What is longer than any page should be is left to the other forms. */
function LongText({ text }: { text: string }) {
  const most = text.slice(0, MOST_SHOWN).toWellFormed();
  if (most.length <= BEGINNING * 1.5) return <div class="text">{most}</div>;
  const space = most.indexOf(' ', BEGINNING);
  const end = space === -1 || space > BEGINNING + 200 ? BEGINNING : space;
  const more = text.length - end;
  return (
    <>
      <div class="text">{`${most.slice(0, end).toWellFormed()} …`}</div>
      <details class="more">
        <summary>Show {formatCount(more, 'more character')}</summary>
        <div class="text">{most.slice(end).toWellFormed()}</div>
        {text.length > MOST_SHOWN && (
          <p class="muted">
            {formatCount(text.length - MOST_SHOWN, 'character')} follow; the Markdown and JSON forms have
            them.
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
      <pre>{text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).toWellFormed()}…` : text}</pre>
    </details>
  );
}

export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

function formatScalar(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

function isPlainList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null);
}
