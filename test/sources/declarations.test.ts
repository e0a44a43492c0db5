import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { SourceDeclaration } from '../../src/schema-index/declaration.ts';
import { importers } from '../../src/sources/importers.ts';

const SOURCES = fileURLToPath(new URL('../../src/sources/', import.meta.url));

const isDeclaration = (value: unknown): value is SourceDeclaration =>
  typeof value === 'object' && value !== null && 'connector_key' in value && 'streams' in value;

const hash = (declaration: SourceDeclaration) =>
  createHash('sha256').update(JSON.stringify(declaration)).digest('hex').slice(0, 16);

/** Hashes of every declaration that a source exports or that its importer declares, by connector key. */
async function hashDeclarations(): Promise<Record<string, string>> {
  const found: SourceDeclaration[] = [];
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('-declaration.ts'))
      found.push(...Object.values<unknown>(await import(join(SOURCES, file))).filter(isDeclaration));
  for (const importer of importers)
    if (importer.isGuessed !== true)
      found.push(await importer.declare({ files: [], certainty: 'certain' }, { timeZone: 'UTC' }));
  const hashes = new Map<string, Set<string>>();
  for (const declaration of found) {
    const key = declaration.connector_key ?? '';
    hashes.set(key, (hashes.get(key) ?? new Set()).add(hash(declaration)));
  }
  return Object.fromEntries(
    [...hashes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, all]) => [key, [...all].sort().join(' ')]),
  );
}

// Fields may be added: then renew the hash. Names, types and the order of keys show in answers and must stay.
it('keeps every declaration as it was published', async () => {
  expect(await hashDeclarations()).toMatchInlineSnapshot(`
    {
      "amazon": "54a83e954f98a3c9",
      "apple_health": "c4b9ce3698b077ae",
      "apple_notes": "6d4ed57c35b854c1",
      "bank": "41bd89e2b4623f5a",
      "bear": "76e9706219977f02",
      "browser": "96ce15fe7f78ef3a",
      "calendar": "585de64a3b796dda",
      "chatgpt": "e883b6f81bd82364",
      "claude": "d68019b3412918eb",
      "claude_code": "2cec74c66492920e",
      "codex": "75d5ccc4f42d26b0",
      "contacts": "83dcb67c58bbd7a8",
      "day-one": "a17ea6f8dfd8c882",
      "discord": "2f4e2a985226f84f",
      "evernote": "20ad3ea57618cf53",
      "facebook": "f76530316dcc14f7",
      "feeds": "f205e894a4218edc",
      "github": "5b48637d3e0b58ee",
      "gmail": "45c5b2208905eff7",
      "goodreads": "004cadacfaaef48e",
      "google_activity": "adde2dc5a08e80a4",
      "google_calendar": "6229c0ebb2265e18",
      "google_keep": "8006f6f966d2c1a4",
      "google_location": "afaa6026961b1748",
      "google_photos": "dd3ba525b2c4fa78",
      "google_voice": "eff5e58c49c1665f",
      "imessage": "ae2d80957fcee188",
      "instagram": "3f53ff0de52666bf",
      "instapaper": "99c5aaff9b16082c",
      "kindle": "e1a40da8c20c0594",
      "lastfm": "272a353dad0f39fe",
      "letterboxd": "21daeeed812cea4f",
      "line": "14525d1149c61bec",
      "linkedin": "acd93a6b379ceef9",
      "listenbrainz": "bfaee0183506ccc0",
      "mail": "d03333eb2445743f",
      "markdown": "604752d551b278cb",
      "mastodon": "1b189d680e08b881",
      "netflix": "cb2278c804084b49",
      "notion": "62d144e5e809edae",
      "omnivore": "7bf4b43d84692e25",
      "pinboard": "be16ddd8b2c7e225",
      "pocket": "d6a091cac0d1a1e4",
      "raindrop": "df8449c84d06ad75",
      "readwise": "960ce0d7576b2114",
      "reddit": "bab0111c49cccf20",
      "signal": "31048c74621ed856",
      "slack": "bb1b9e968516fff0",
      "sms": "9bf61087990be91e",
      "snapchat": "eb9afb4ed38a07a4",
      "spotify": "c5e1e0501e7a01c8",
      "strava": "36476b1d02c349d9",
      "telegram": "78cef3d83a090199",
      "tiktok": "55af454e72d37603",
      "tracks": "7aec7441e2faa756",
      "trakt": "882294e85801e2b6",
      "wallabag": "3ce6129ae69ea7b7",
      "whatsapp": "cc353977e4c2c550",
      "x": "a34a7cc9064ec4cd",
      "ynab": "43f57780a466d275",
    }
  `);
});
