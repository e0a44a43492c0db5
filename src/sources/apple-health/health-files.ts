import type { InputFile, Yielded } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readJson } from '../../import/read/read-json.ts';
import { readTextLines } from '../../import/read/read-lines.ts';
import { readTime, type TimeOptions } from '../../import/read/read-time.ts';
import { isObject, readText } from '../values/json-values.ts';
import { nameType, readHealthTime } from './health-names.ts';

export type HealthFile = 'electrocardiogram' | 'clinical record';

/** Files that lie beside the export itself. Their names and all words in them are in the language of the phone. */
export async function findHealthFile(file: InputFile): Promise<HealthFile | undefined> {
  const head = await peekText(file);
  if (/(?:^|\/)clinical-records\//.test(file.path) && /^\s*\{[\s\S]*"resourceType"\s*:/.test(head))
    return 'clinical record';
  const isCurve = /^[^\n]+,.*\n/.test(head) && /,\s*"?(?:µ|μ)V"?\s*$/m.test(head) && RECORDED.test(head);
  return isCurve ? 'electrocardiogram' : undefined;
}

const RECORDED = /,\s*"?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4})"?\s*$/m;

/** What stands above the curve. The curve is left where it is: thousands of voltages answer no question. */
export async function* readCurve(file: InputFile, options: TimeOptions): AsyncGenerator<Yielded> {
  const details: Record<string, string> = {};
  let voltages = 0;
  for await (const { text } of readTextLines(file)) {
    const [, name, value] = /^"?([^",]*\p{L}[^",]*)"?,"?(.*?)"?\s*$/u.exec(text) ?? [];
    if (name !== undefined && value !== undefined && voltages === 0) {
      if (value !== '') details[name] = value;
    } else if (/^\s*-?\d/.test(text)) voltages += 1;
  }
  const started_at = readHealthTime(RECORDED.exec(await peekText(file))?.[1], options);
  const data = { type: 'electrocardiogram', started_at, details };
  yield { kind: 'record', stream: 'other_records', data, file };
  yield { kind: 'note', file, note: `the curves of electrocardiograms were left out; what they say is kept` };
}

const WHEN =
  'effectiveDateTime|occurrenceDateTime|performedDateTime|onsetDateTime|authoredOn|recordedDate|issued|date'.split(
    '|',
  );

/** A record of a clinic, as FHIR writes it. */
export async function* readClinical(file: InputFile, options: TimeOptions): AsyncGenerator<Yielded> {
  const whole = await readJson(file);
  if (whole.kind === 'broken' || !isObject(whole.value)) {
    yield {
      kind: 'problem',
      file,
      reason: whole.kind === 'broken' ? whole.reason : 'is not a clinical record',
    };
    return;
  }
  const details = whole.value;
  const written = WHEN.map((name) => readText(details[name])).find((text) => text !== undefined);
  const started_at = written === undefined ? undefined : readTime(written, options);
  const data = { type: nameType(readText(details.resourceType) ?? ''), started_at, details };
  yield { kind: 'record', stream: 'other_records', data, file };
}
