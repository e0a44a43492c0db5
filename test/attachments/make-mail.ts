import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CORPUS = fileURLToPath(new URL('corpus/', import.meta.url));

export interface Sample {
  readonly name: string;
  readonly bytes: Buffer;
  readonly status: string;
  readonly words: readonly string[];
}

/** The files of make-corpus.py, with what is expected of each. */
export function readCorpus(): Sample[] {
  const expected = JSON.parse(readFileSync(`${CORPUS}expected.json`, 'utf8')) as Record<
    string,
    Pick<Sample, 'status' | 'words'>
  >;
  const names = readdirSync(CORPUS).filter((name) => name !== 'expected.json');
  return names.map((name) => {
    const known = expected[name];
    if (known === undefined) throw new Error(`expected.json does not name ${name}`);
    return { name, bytes: readFileSync(`${CORPUS}${name}`), ...known };
  });
}

/** An mbox with one mail for each file. The file name is the subject and the id. */
export function makeMailbox(files: readonly Pick<Sample, 'name' | 'bytes'>[]): Buffer {
  return Buffer.from(
    files
      .map(({ name, bytes }) =>
        [
          'From bea@example.org Wed May  1 10:00:00 2024',
          `Message-ID: <${name}@example.org>`,
          `Subject: ${name}`,
          'From: bea@example.org',
          'Date: Wed, 01 May 2024 10:00:00 +0000',
          'Content-Type: multipart/mixed; boundary=cut',
          '',
          '--cut',
          '',
          'Hello',
          '--cut',
          `Content-Type: application/octet-stream; name="${name}"`,
          'Content-Transfer-Encoding: base64',
          '',
          ...(bytes.toString('base64').match(/.{1,76}/g) ?? []),
          '--cut--',
          '',
          '',
        ].join('\n'),
      )
      .join(''),
  );
}
