type Dice = (sides: number) => number;

const CHARSETS = ['utf-8', 'UTF8', 'iso-8859-1', 'windows-1252', 'us-ascii', 'koi8-r', 'gb18030', 'no-such'];
const WORDS = [
  'lunch',
  'Grüße',
  '=41',
  'a = b',
  'привет',
  '日本',
  '--',
  '-- ',
  'From here',
  '\ttab',
  ' two ',
];
const NAMES = ['report.pdf', 'Größe.txt', '=?utf-8?B?w7w=?=.png', 'a b.doc', ''];

/** A mail as programs write them, with parts in parts, by the roll of dice. */
export function makeMail(dice: Dice): Buffer {
  const end = dice(3) === 0 ? '\n' : '\r\n';
  const pick = <T>(list: readonly T[]) => list[dice(list.length)] as T;
  const lines = (count: number) =>
    Array.from({ length: dice(count) }, () =>
      Array.from({ length: dice(8) }, () => pick(WORDS)).join(' '),
    ).join(end) + pick([end, '', end + end]);

  const leaf = (): Buffer => {
    const type = pick(['text/plain', 'text/html', 'text/plain', 'image/png', 'application/pdf', 'text/csv']);
    const encoding = pick(['7bit', '8bit', 'base64', 'quoted-printable', 'Quoted-Printable', undefined]);
    const bytes = Buffer.from(
      type === 'text/html' ? `<p>${lines(6)}</p>` : lines(12),
      pick(['utf8', 'latin1']),
    );
    const charset = dice(4) === 0 ? '' : pick(['; charset=', ';charset="']) + pick(CHARSETS);
    const quoted = charset.includes('"') ? `${charset}"` : charset;
    const flowed =
      type === 'text/plain' && dice(3) === 0 ? `; format=flowed${pick(['', '; delsp=yes'])}` : '';
    const name = pick(NAMES);
    const headers = [
      ...(dice(8) === 0 ? [] : [`Content-Type: ${type}${quoted}${flowed}`]),
      ...(encoding === undefined ? [] : [`Content-Transfer-Encoding: ${encoding}`]),
      ...pick([
        [],
        [`Content-Disposition: attachment;${end} filename="${name}"`],
        ['Content-Disposition: inline'],
      ]),
    ];
    return Buffer.concat([Buffer.from(`${headers.join(end)}${end}${end}`), encode(bytes, encoding, end)]);
  };

  const part = (depth: number): Buffer => {
    if (depth === 0 || dice(3) === 0) return leaf();
    const boundary = pick(['b', '=_x', 'a b', '----=_Part_1', `n${depth}`]);
    const mark = boundary.includes(' ') || dice(2) === 0 ? `"${boundary}"` : boundary;
    const kind = pick(['mixed', 'alternative', 'related', 'mixed']);
    const inner = Array.from({ length: 1 + dice(3) }, () =>
      Buffer.concat([Buffer.from(`${end}--${boundary}${pick(['', ' '])}${end}`), part(depth - 1)]),
    );
    const head = `Content-Type: multipart/${kind};${pick([' ', `${end}\t`])}boundary=${mark}${end}${end}`;
    const tail = pick([
      `${end}--${boundary}--${end}`,
      `${end}--${boundary}--`,
      '',
      `${end}--${boundary}--${end}after`,
    ]);
    return Buffer.concat([Buffer.from(`${head}${pick(['', 'preamble'])}`), ...inner, Buffer.from(tail)]);
  };

  const headers = [
    'From: Anna Ü <Anna@Example.org>',
    'To: Ben <ben@example.org>, "C, D" <c@example.org>,\r\n Team: e@example.org, f@example.org;',
    `Subject: ${pick(['Plans', '=?utf-8?Q?Gr=C3=BC=C3=9Fe?=', 'folded\r\n over lines', ''])}`,
    `Date: ${pick(['Mon, 2 Jan 2023 10:00:00 +0100', '2 Jan 2023 10:00:00 GMT', 'Thu, 31 Feb 2023 10:00:00 +0000'])}`,
    `Message-ID: <${dice(1_000)}@example.org>`,
    pick(['MIME-Version: 1.0', 'X-Long: a\r\n b\r\n c', 'Broken line', 'References: <a@x>\r\n <b@x>']),
  ].map((line) => line.replaceAll('\r\n', end));
  return Buffer.concat([Buffer.from(`${headers.join(end)}${end}`), part(3)]);
}

function encode(bytes: Buffer, encoding: string | undefined, end: string): Buffer {
  if (encoding === 'base64') return Buffer.from(bytes.toString('base64').replace(/(.{76})/g, `$1${end}`));
  if (!/quoted/i.test(encoding ?? '')) return bytes;
  const written = [...bytes].map((byte) =>
    byte === 0x3d || byte > 0x7e ? `=${byte.toString(16).toUpperCase()}` : String.fromCharCode(byte),
  );
  return Buffer.from(written.join('').replace(/([^\r\n]{60}[^=\r\n]{3})(?=[^\r\n])/g, `$1=${end}`));
}
