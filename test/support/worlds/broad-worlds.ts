import { declare, declareStream, string, time } from '../declare.ts';
import { createWorld, type World } from '../world.ts';

const KINDS = (
  'messages threads contacts files events labels drafts reactions channels members payments orders ' +
  'reviews photos albums routes workouts readings tasks comments'
).split(' ');

const number = (index: number) => String(index + 1).padStart(2, '0');

function declareKind(name: string) {
  return declareStream(name, { fields: { id: string, title: string, body: string, at: time }, time: 'at' });
}

/** One connector with twenty streams, and fifty accounts of it: a thousand streams in all. */
export async function createWorldOfFiftyAccounts(): Promise<World & { token: string; names: string[] }> {
  const world = await createWorld();
  const ids = Array.from({ length: 50 }, (_, index) => `account_${number(index)}`);
  await world.addSource(
    declare('suite', KINDS.map(declareKind)),
    Object.fromEntries(ids.map((id, index) => [id, `Account number ${index + 1} of the suite`])),
  );
  const { token } = await world.grant(ids.map((connection_id) => ({ connection_id })));
  return { ...world, token, names: KINDS };
}

const APPS = (
  'gmail slack spotify github chatgpt bank calendar health notion trello jira figma dropbox signal ' +
  'telegram whatsapp strava garmin fitbit kindle audible netflix youtube twitter mastodon reddit ' +
  'amazon ebay paypal stripe uber lyft airbnb booking tinder zoom teams outlook linear asana todoist ' +
  'evernote pocket lastfm steam twitch discord medium goodreads duolingo'
).split(' ');

/** Fifty connectors, each with an account and twenty streams whose names no other has. */
export async function createWorldOfFiftyConnectors(): Promise<World & { token: string; names: string[] }> {
  const world = await createWorld();
  const names: string[] = [];
  for (const key of APPS) {
    const own = KINDS.map((kind) => `${key}_${kind}`);
    names.push(...own);
    await world.addSource(declare(key, own.map(declareKind)), { [key]: `The app ${key}` });
  }
  const { token } = await world.grant(APPS.map((connection_id) => ({ connection_id })));
  return { ...world, token, names };
}
