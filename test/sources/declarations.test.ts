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

// Fields may be added and descriptions reworded: then renew the hash. Names, types and the order of keys show in answers and must stay.
it('keeps every declaration as it was published', async () => {
  expect(await hashDeclarations()).toMatchInlineSnapshot(`
    {
      "amazon": "d5462906e9fe9c1e",
      "apple_health": "7138789b6aaeaffc",
      "apple_notes": "1224665b3a48c386",
      "bank": "347c608b24ea497e",
      "bear": "63d561d62113de06",
      "browser": "5b650604aea2e980",
      "calendar": "f91df96ef0dc61e4",
      "chatgpt": "27b4ba9031dffa72",
      "claude": "8b6c945c27cc4746",
      "claude_code": "fe5bad3a61c32dc8",
      "codex": "53d295c43380fce8",
      "contacts": "64fce84f10ec3293",
      "day-one": "4b3ea5495d419a5a",
      "discord": "2df0cba36b7b8351",
      "evernote": "c3a833d437e101d8",
      "facebook": "8d429706321950f1",
      "feeds": "f205e894a4218edc",
      "github": "5b48637d3e0b58ee",
      "gmail": "5f331e0d44b267e8",
      "goodreads": "004cadacfaaef48e",
      "google_activity": "27f51e0a9b9561fc",
      "google_calendar": "16874e42eeda83f3",
      "google_keep": "064cfbaa709ceea3",
      "google_location": "e3860fb74ea6fe0b",
      "google_photos": "6df681175558c91b",
      "google_voice": "d9411e2520f304a5",
      "imessage": "7675ee45541e80bf",
      "instagram": "2281f9fffdfdb72a",
      "instapaper": "7c649d0a8552b3a4",
      "kindle": "e1a40da8c20c0594",
      "lastfm": "272a353dad0f39fe",
      "letterboxd": "0f3ffe8f6e717f29",
      "line": "51b02123b5f7fb1b",
      "linkedin": "f1759755f1298d39",
      "listenbrainz": "bfaee0183506ccc0",
      "mail": "2b48b940e07c2188",
      "markdown": "996267b0f390ad8c",
      "mastodon": "928f814f60eefac3",
      "netflix": "a455727a3b81b773",
      "notion": "bbbe70c9263c1a97",
      "omnivore": "69b1feb5794d121d",
      "pinboard": "004f8bab3b57886f",
      "pocket": "d1f0983427fd090a",
      "raindrop": "17842c53b945b7f2",
      "readwise": "6dbeb49dbe9ff413",
      "reddit": "c1a9545c57085fca",
      "signal": "a3e4906ec8ab6904",
      "slack": "95ea023cf4667c5f",
      "sms": "ea05bbd92efb6864",
      "snapchat": "8424d5dbbaebe59a",
      "spotify": "fe09d53b87d5ec59",
      "strava": "c61ffe9ab9631642",
      "telegram": "14b624923bbe7c3f",
      "tiktok": "42d4a62db41029c7",
      "tracks": "435bd0b7d3d1dcce",
      "trakt": "882294e85801e2b6",
      "wallabag": "80769082e29c8fed",
      "whatsapp": "37b117aec1c13c81",
      "x": "ea465f27849e38a5",
      "ynab": "54335b4e77a67ad8",
    }
  `);
});
