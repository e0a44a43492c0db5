import { createHash, randomBytes } from 'node:crypto';
import { FlattenedEncrypt, flattenedDecrypt } from 'jose';
import { describe, expect, it } from 'vitest';
import { createCursors } from '../../src/tools/cursor.ts';
import { NOW } from '../support/world.ts';

const key = new Uint8Array(randomBytes(32));
const cursors = createCursors(key, 'grt_1', NOW);
const query = ['notes', { stars: 3 }];
const place = ['00000000000012', 'é～😀', 'k1'];
const aad = createHash('sha256')
  .update(JSON.stringify(['page', 'grt_1', query]))
  .digest();
const header = { alg: 'dir', enc: 'A256GCM' };

/** jose is how the form was made at first, and who says whether it is still the form. */
describe('a handle is a JWE (RFC 7516)', () => {
  it('that jose opens', async () => {
    const [iv, ciphertext, tag] = (await cursors.seal('page', query, place)).split('.') as [
      string,
      string,
      string,
    ];
    const sealed = {
      protected: Buffer.from(JSON.stringify(header)).toString('base64url'),
      aad: aad.toString('base64url'),
      ...{ iv, ciphertext, tag },
    };
    const { plaintext } = await flattenedDecrypt(sealed, key);
    expect(JSON.parse(Buffer.from(plaintext).toString())[1]).toEqual(place);
  });

  it('and one that jose has sealed is opened', async () => {
    const minute = Math.floor(NOW.getTime() / 60_000);
    const sealed = await new FlattenedEncrypt(Buffer.from(JSON.stringify([minute, place])))
      .setProtectedHeader(header)
      .setAdditionalAuthenticatedData(aad)
      .encrypt(key);
    const handle = `${sealed.iv}.${sealed.ciphertext}.${sealed.tag}`;
    expect(await cursors.open('page', query, handle)).toEqual(place);
  });

  it('with a new nonce each time', async () => {
    const seals = await Promise.all(Array.from({ length: 50 }, () => cursors.seal('page', query, place)));
    expect(new Set(seals.map((one) => one.split('.')[0])).size).toBe(50);
  });

  it('and nothing that is cut, longer, or only spelt otherwise', async () => {
    const handle = await cursors.seal('page', query, place);
    const [iv, sealed, tag] = handle.split('.') as [string, string, string];
    const short = Buffer.from(tag, 'base64url').subarray(0, 12).toString('base64url');
    for (const other of [
      `${iv}.${sealed}.${short}`,
      `${iv}.${sealed}.${tag}AAAA`,
      `${iv}AAAA.${sealed}.${tag}`,
      `${iv}..${tag}`,
      `${iv}.${sealed}`,
      `${iv}=.${sealed}.${tag}`,
      `${iv}.${sealed}.${tag} `,
      `${iv}.${sealed}\n.${tag}`,
      '..',
      '',
    ])
      await expect(cursors.open('page', query, other), other).rejects.toMatchObject({
        code: 'invalid_cursor',
      });
  });
});
