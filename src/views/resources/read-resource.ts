import type { GrantedRead } from '../../reads/granted-read.ts';
import { cutText } from '../../text/cut-text.ts';
import { Budget, RESULT_BYTES, RESULT_TOKENS } from '../../tools/envelope.ts';
import type { RelatedRecords } from '../reading/related.ts';
import { type FieldValue, type RecordPage, recordPage } from '../record.ts';
import { writeMarkdown } from '../record-markdown.ts';

/** Maximum field lengths, tried in order until the record fits in a result. */
const TEXT_LENGTHS = [Number.POSITIVE_INFINITY, 8_000, 4_000, 2_000, 1_000, 400, 150, 60];
const MAX_RELATED = 20;

/** Returns the granted part of a record as Markdown. */
export const readResource: GrantedRead<{ readonly path: string }, { text: string }> = {
  name: 'fetch',
  async run({ path }, context) {
    const ids = [path, path.replace(/\.md$/, '')];
    const { body, disclosure } = await recordPage.run({ ids }, context);
    return { body: { text: fitMarkdown(withStreamNames(body)) }, disclosure };
  },
};

/** Replaces the labels of streams by their names, which are what apps know. */
function withStreamNames(page: RecordPage): RecordPage {
  const related = page.related.map((one) =>
    one.relation === one.stream ? { ...one, label: one.stream } : one,
  );
  return { ...page, label: page.stream, related };
}

function fitMarkdown(page: RecordPage): string {
  const budget = new Budget(RESULT_TOKENS, RESULT_BYTES);
  for (const length of TEXT_LENGTHS) {
    const related = page.related.map((one) => shortenRelated(one, length));
    const fields = page.fields.map((field) => shorten(field, length));
    const text = writeMarkdown({ ...page, related, fields });
    if (budget.fits(JSON.stringify(text))) return text;
  }
  const shortest = page.fields.map((field) => shorten(field, TEXT_LENGTHS.at(-1) as number));
  for (let most = shortest.length; ; most = Math.floor(most / 2)) {
    const value = `${shortest.length - most} more fields; the tool fetch reads them`;
    const left = {
      name: '',
      label: '…',
      kind: 'text',
      description: null,
      amount: null,
      cut: null,
      value,
    } as const;
    const text = writeMarkdown({ ...page, related: [], fields: [...shortest.slice(0, most), left] });
    if (most === 0 || budget.fits(JSON.stringify(text))) return text;
  }
}

/** Cuts the list and texts of related records. */
function shortenRelated(related: RelatedRecords, length: number): RelatedRecords {
  const records = related.records.slice(0, MAX_RELATED).map((entry) => {
    const text = entry.text === null ? null : cutText(entry.text, length);
    return { ...entry, text, cut: entry.cut || text !== entry.text };
  });
  return { ...related, records };
}

/** Cuts a long value and tells how to read the rest. */
function shorten(field: FieldValue, length: number): FieldValue {
  const text = typeof field.value === 'string' ? field.value : JSON.stringify(field.value, null, 2);
  if (text.length <= length) return field;
  const start = cutText(text, length);
  const total = field.cut?.total ?? text.length;
  const rest = `… (${start.length} of ${total} characters; the tool fetch reads the rest)`;
  return { ...field, value: `${start}${rest}`, cut: null };
}
