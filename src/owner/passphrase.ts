import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../errors.ts';
import type { ReadStore, WriteStore } from '../store/store.ts';
import { isGuessable } from './guessable.ts';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

const MIN_CHARACTERS = 10;
const MAX_CHARACTERS = 1_000;
/** OWASP's minimum for this much memory: 32 MB and about a quarter of a second for each guess. */
const COST = { N: 32_768, r: 8, p: 3 };
const KEY_BYTES = 32;

export async function hasPassphrase(store: ReadStore | WriteStore): Promise<boolean> {
  return (await store.owner.readPassphrase()) !== undefined;
}

/**
 * Replaces the passphrase and deletes unused links in one transaction. `alongside` runs in it, for example to use up a
 * link and end sessions; if it returns false, nothing changes.
 */
export async function setPassphrase(
  store: WriteStore,
  passphrase: string,
  alongside: () => Promise<boolean>,
  at: Date = new Date(),
): Promise<void> {
  if (passphrase.length < MIN_CHARACTERS || passphrase.length > MAX_CHARACTERS) {
    throw new AppError('invalid_argument', `A passphrase must have at least ${MIN_CHARACTERS} characters.`, {
      hint: 'Four unrelated words are easy to remember.',
    });
  }
  if (isGuessable(passphrase)) {
    throw new AppError('invalid_argument', 'This passphrase is too easy to guess.', {
      hint: 'Four unrelated words are hard to guess and easy to remember.',
    });
  }
  const salt = randomBytes(16);
  const key = await deriveInTurn(passphrase, salt, COST);
  const value = ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$');
  await store.transact(async () => {
    if (!(await alongside())) throw new AppError('gone', 'The link was used or has expired.');
    await store.owner.deleteUnusedLinks();
    await store.owner.savePassphrase(value, at.toISOString());
  });
}

/** Checks a passphrase. It takes the same time when none is set. */
export async function isPassphrase(store: ReadStore | WriteStore, guess: string): Promise<boolean> {
  const stored = await store.owner.readPassphrase();
  const [, n, r, p, salt = '', key = ''] = stored?.split('$') ?? [];
  const cost = stored === undefined ? COST : { N: Number(n), r: Number(r), p: Number(p) };
  const expected = Buffer.from(key, 'base64');
  const found = await deriveInTurn(guess.slice(0, MAX_CHARACTERS), Buffer.from(salt, 'base64'), cost);
  return expected.length === KEY_BYTES && timingSafeEqual(found, expected);
}

/** The last derivation. They run one at a time, so that guesses cannot exhaust memory and threads. */
let last: Promise<unknown> = Promise.resolve();

function deriveInTurn(passphrase: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const work = () =>
    derive(passphrase.normalize('NFC'), salt, KEY_BYTES, { ...cost, maxmem: 256 * cost.N * cost.r });
  const derived = last.then(work, work);
  last = derived.catch(() => {});
  return derived;
}
