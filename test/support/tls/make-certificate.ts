import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate with its key, both as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  /** Names or addresses that the certificate is for. */
  readonly names: readonly string[];
  /** Signs the certificate. Without one, it signs itself. */
  readonly issuer?: Certificate & { readonly privateKey: KeyObject };
  readonly isAuthority?: boolean;
  readonly from?: Date;
  readonly until?: Date;
}

const DAY_MS = 86_400_000;
let serial = Date.now();

/** Makes an X.509 certificate (RFC 5280), because not every machine has a program for it. */
export function makeCertificate(options: CertificateOptions): Certificate & { privateKey: KeyObject } {
  const { names, issuer, isAuthority = false } = options;
  const { from = new Date(Date.now() - DAY_MS), until = new Date(Date.now() + 30 * DAY_MS) } = options;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, oid('1.2.840.10045.4.3.2'));
  serial += 1;
  const issuerName = issuer === undefined ? 'self' : 'authority';
  const own = isAuthority ? 'authority' : issuer === undefined ? 'self' : 'server';
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from(serial.toString(16).padStart(12, '0'), 'hex')),
    algorithm,
    nameOf(isAuthority ? 'authority' : issuerName),
    der(0x30, time(from), time(until)),
    nameOf(own),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions(names, isAuthority))),
  );
  const signature = sign('sha256', body, issuer?.privateKey ?? privateKey);
  const whole = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) as string[];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    privateKey,
  };
}

function extensions(names: readonly string[], isAuthority: boolean): Buffer[] {
  const basic = der(0x30, ...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []));
  const alternatives = names.map((name) =>
    isIP(name) === 0
      ? der(0x82, Buffer.from(name))
      : der(0x87, Buffer.from(name.split('.').map((part) => Number(part)))),
  );
  return [
    der(0x30, oid('2.5.29.19'), der(0x01, Buffer.from([0xff])), der(0x04, basic)),
    ...(alternatives.length === 0
      ? []
      : [der(0x30, oid('2.5.29.17'), der(0x04, der(0x30, ...alternatives)))]),
  ];
}

const nameOf = (name: string) =>
  der(0x30, der(0x31, der(0x30, oid('2.5.4.3'), der(0x0c, Buffer.from(`pdpp test ${name}`)))));

function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let value = part >> 7; value > 0; value >>= 7) groups.unshift((value & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
