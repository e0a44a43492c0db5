import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { makeMail } from './make-mail.ts';
import { at, words } from './make-words.ts';

const iso = (i: number) => at(i).toISOString();

/** A kind of export: its file name, how large at full scale, and its text item by item. */
export interface GeneratedExport {
  readonly name: string;
  readonly file: string;
  /** Bytes, or rows where that is what is promised. */
  readonly bytes?: number;
  readonly rows?: number;
  readonly begin: string;
  item(i: number): string;
  readonly end: string;
}

export const generatedExports: readonly GeneratedExport[] = [
  {
    name: 'mbox',
    file: 'All mail.mbox',
    bytes: 1e9,
    begin: '',
    item: makeMail,
    end: '',
  },
  {
    name: 'apple health',
    file: 'export.xml',
    bytes: 1e9,
    begin:
      '<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n <ExportDate value="2024-05-01 10:00:00 +0200"/>\n',
    item(i) {
      const time = iso(i).replace('T', ' ').replace('.000Z', ' +0000');
      return ` <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" sourceVersion="17.1" unit="count" creationDate="${time}" startDate="${time}" endDate="${time}" value="${(i * 37) % 900}"/>\n`;
    },
    end: '</HealthData>\n',
  },
  {
    name: 'chatgpt',
    file: 'conversations.json',
    bytes: 5e8,
    begin: '[',
    item(i) {
      const node = (n: number) => ({
        id: `n${i}-${n}`,
        parent: n === 0 ? null : `n${i}-${n - 1}`,
        children: n === 9 ? [] : [`n${i}-${n + 1}`],
        message: {
          id: `n${i}-${n}`,
          author: { role: n % 2 === 0 ? 'user' : 'assistant' },
          create_time: at(i * 10 + n).getTime() / 1_000,
          content: { content_type: 'text', parts: [words(i + n, 60)] },
          metadata: {},
        },
      });
      const mapping = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`n${i}-${n}`, node(n)]));
      const times = {
        create_time: at(i * 10).getTime() / 1_000,
        update_time: at(i * 10 + 9).getTime() / 1_000,
      };
      return `${i === 0 ? '' : ','}${JSON.stringify({ id: `c${i}`, title: words(i, 4), ...times, current_node: `n${i}-9`, mapping })}`;
    },
    end: ']',
  },
  {
    name: 'csv',
    file: 'rows.csv',
    rows: 5e6,
    begin: 'id,when,what,amount,done\n',
    item: (i) => `${i},${iso(i)},${words(i, 4)},${(i % 1_000) / 100},${i % 2 === 0}\n`,
    end: '',
  },
];

/** Writes the export to a file, as large as it should be. */
export async function generateExport(one: GeneratedExport, file: string, scale: number): Promise<number> {
  const out = createWriteStream(file);
  let bytes = 0;
  let waiting = one.begin;
  const write = async () => {
    bytes += Buffer.byteLength(waiting);
    if (!out.write(waiting)) await once(out, 'drain');
    waiting = '';
  };
  const isEnough = (i: number) =>
    one.rows === undefined ? bytes >= (one.bytes ?? 0) * scale : i >= one.rows * scale;
  for (let i = 0; !isEnough(i); i++) {
    waiting += one.item(i);
    if (waiting.length > 65_536) await write();
  }
  waiting += one.end;
  await write();
  out.end();
  await once(out, 'close');
  return bytes;
}
