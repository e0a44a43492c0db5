/** An export of a family of formats, as large as it is wanted: items with ids of their own between a begin and an end. */
export interface LargeExport {
  readonly format: string;
  readonly file: string;
  readonly begin?: string;
  readonly end?: string;
  item(i: number): string;
}

const WORDS = 'river bread morning letter window garden winter music paper station coffee answer'.split(' ');
const words = (seed: number, count = 12) =>
  Array.from({ length: count }, (_, i) => WORDS[(seed * 31 + i * i * 7) % WORDS.length]).join(' ');
const at = (i: number) => new Date(Date.UTC(2015, 0, 1) + i * 61_000);
const two = (n: number) => String(n).padStart(2, '0');
/** `20150101T000000Z` */
const compact = (i: number) =>
  at(i)
    .toISOString()
    .replace(/[-:]|\.\d+/g, '');
const comma = (i: number) => (i === 0 ? '' : ',');

/** One of every way of reading: tables, lines, JSON, XML, mails, calendars, cards, chats, pages. */
export const largeExports: readonly LargeExport[] = [
  {
    format: 'generic',
    file: 'rows.csv',
    begin: 'id,when,what\n',
    item: (i) => `${i},${at(i).toISOString()},${words(i)}\n`,
  },
  {
    format: 'generic',
    file: 'rows.jsonl',
    item: (i) => `${JSON.stringify({ id: i, when: at(i), what: words(i), tags: ['a', 'b'] })}\n`,
  },
  {
    format: 'gmail',
    file: 'All mail.mbox',
    item: (i) =>
      `From ${i}@xxx Mon Jan 01 00:00:00 +0000 2015\nX-GM-THRID: ${i >> 1}\nMessage-ID: <${i}@x.example>\nDate: ${at(i).toUTCString()}\nFrom: a${i}@x.example\nSubject: ${words(i, 4)}\n\n${words(i, 40)}\n\n`,
  },
  {
    format: 'apple-health',
    file: 'export.xml',
    begin: '<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_US">\n',
    item(i) {
      const time = at(i).toISOString().replace('T', ' ').replace('.000Z', ' +0000');
      return ` <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" creationDate="${time}" startDate="${time}" endDate="${time}" value="${i % 900}"/>\n`;
    },
    end: '</HealthData>\n',
  },
  {
    format: 'chatgpt',
    file: 'conversations.json',
    begin: '[',
    item(i) {
      const message = { id: `m${i}`, author: { role: 'user' }, create_time: at(i).getTime() / 1_000 };
      const content = { content_type: 'text', parts: [words(i, 60)] };
      const node = { id: `m${i}`, parent: null, children: [], message: { ...message, content } };
      const talk = { id: `c${i}`, title: words(i, 4), create_time: 1, update_time: 2, current_node: `m${i}` };
      return `${comma(i)}${JSON.stringify({ ...talk, mapping: { [`m${i}`]: node } })}`;
    },
    end: ']',
  },
  {
    format: 'telegram',
    file: 'result.json',
    begin: '{"name":"Anna","type":"personal_chat","id":7,"messages":[',
    item: (i) =>
      `${comma(i)}${JSON.stringify({ id: i, type: 'message', date: at(i).toISOString().slice(0, 19), date_unixtime: String(at(i).getTime() / 1_000), from: 'Anna', from_id: 'user7', text: words(i), text_entities: [] })}`,
    end: ']}',
  },
  {
    format: 'whatsapp',
    file: '_chat.txt',
    item(i) {
      const time = at(i);
      return `[${two(time.getUTCDate())}.${two(time.getUTCMonth() + 1)}.${time.getUTCFullYear()}, ${time.toISOString().slice(11, 19)}] Anna: ${words(i)}\n`;
    },
  },
  {
    format: 'calendar',
    file: 'work.ics',
    begin: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n',
    item: (i) =>
      `BEGIN:VEVENT\r\nUID:${i}@x.example\r\nDTSTAMP:${compact(i)}\r\nDTSTART:${compact(i)}\r\nDTEND:${compact(i + 60)}\r\nSUMMARY:${words(i)}\r\nEND:VEVENT\r\n`,
    end: 'END:VCALENDAR\r\n',
  },
  {
    format: 'contacts',
    file: 'all.vcf',
    item: (i) =>
      `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${i}\r\nFN:${words(i, 2)} ${i}\r\nEMAIL:a${i}@x.example\r\nNOTE:${words(i)}\r\nEND:VCARD\r\n`,
  },
  {
    format: 'sms-backup',
    file: 'sms.xml',
    begin: "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<smses count=\"2\">\n",
    item: (i) =>
      `<sms protocol="0" address="+49150${i % 100}" date="${at(i).getTime()}" type="1" subject="null" body="${words(i)}" read="1" status="-1" contact_name="Anna" />\n`,
    end: '</smses>\n',
  },
  {
    format: 'google-activity',
    file: 'MyActivity.html',
    begin: '<html><head><title>My Activity History</title></head><body><div class="mdl-grid">',
    item: (i) =>
      `<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid"><div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">Search<br></p></div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">Searched for <a href="https://www.google.com/search?q=${i}">${words(i)}</a><br>Jan ${1 + (i % 28)}, 2020, 10:${two(i % 60)}:00 AM UTC<br></div></div></div>`,
    end: '</div></body></html>',
  },
  {
    format: 'tracks',
    file: 'run.gpx',
    begin:
      '<?xml version="1.0"?><gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Run</name><trkseg>',
    item: (i) =>
      `<trkpt lat="${52 + i / 1e6}" lon="${13 + i / 1e6}"><ele>34</ele><time>${at(i).toISOString()}</time></trkpt>`,
    end: '</trkseg></trk></gpx>',
  },
];
