import { at, words } from './make-words.ts';

/** A file of some kilobytes in base64, as it lies in a mail. */
const FILE = Buffer.from(words(7, 1_500))
  .toString('base64')
  .replace(/(.{76})/g, '$1\r\n');

const paragraphs = (i: number) => Array.from({ length: 12 }, (_, line) => words(i + line, 11));

/** A mail of Gmail's export. Of ten, six are plain text, three come as text and page, one brings a file. */
export function makeMail(i: number): string {
  const headers = [
    `From ${i}@xxx Mon Jan 01 00:00:00 +0000 2015`,
    `X-GM-THRID: ${1_000 + Math.floor(i / 3)}`,
    'X-Gmail-Labels: Inbox,Work',
    'Delivered-To: ben@example.org',
    `Received: by 10.0.0.${i % 250} with SMTP id x${i}; ${at(i).toUTCString()}`,
    `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=2015;\r\n        bh=${'x'.repeat(43)}=;\r\n        b=${'y'.repeat(340)}==`,
    `Message-ID: <m${i}@example.org>`,
    `Date: ${at(i).toUTCString().replace('GMT', '+0000')}`,
    `From: =?UTF-8?Q?Anna_M=C3=BCller?= <anna${i % 400}@example.org>`,
    'To: Ben <ben@example.org>',
    `Subject: ${words(i, 5)}`,
    'MIME-Version: 1.0',
  ].join('\r\n');
  return `${headers}\r\n${makeContent(i)}\r\n\r\n`;
}

function makeContent(i: number): string {
  const text = `Content-Type: text/plain; charset="UTF-8"\r\n\r\n${paragraphs(i).join('\r\n')}`;
  if (i % 10 < 6) return text;
  const mark = `000000000000${i.toString(16)}`;
  const join = (kind: string, ...parts: string[]) =>
    `Content-Type: multipart/${kind}; boundary="${mark}"\r\n\r\n${parts.map((part) => `--${mark}\r\n${part}\r\n`).join('')}--${mark}--`;
  if (i % 10 === 9)
    return join(
      'mixed',
      text,
      `Content-Type: application/pdf; name="plan ${i}.pdf"\r\nContent-Disposition: attachment; filename="plan ${i}.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n${FILE}`,
    );
  const page = paragraphs(i)
    .map((line) => `<p class=3D"body">${line} =C3=BC</p>=\r\n`)
    .join('\r\n');
  return join(
    'alternative',
    text,
    `Content-Type: text/html; charset="UTF-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<html><body>${page}</body></html>`,
  );
}
