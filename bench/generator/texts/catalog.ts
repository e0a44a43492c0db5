import { createRandom, type Random } from '../random.ts';
import { places, rareNames } from './places.ts';
import { creatures, forms, moods, qualities } from './song-words.ts';

/** A track of the made-up music library. */
export interface Track {
  id: string;
  title: string;
  artist: string;
  album: string;
  genre: string;
  duration_ms: number;
}

const genres = [
  'indie',
  'electronic',
  'jazz',
  'classical',
  'hip hop',
  'folk',
  'flamenco',
  'city pop',
  'metal',
];
const foreignTitles = [
  'Über den Dächern',
  'Noche de Valencia',
  'La mer au matin',
  '夜に駆ける猫',
  '月光下的城市',
  'ليل بيروت',
  'สายฝนในใจ',
  'सपनों की नाव',
  'Søvnløs',
  'Lágrimas negras',
];

const capitalise = (word: string) => (word[0] as string).toUpperCase() + word.slice(1);

function writeArtist(random: Random): string {
  const noun = capitalise(random.pick(creatures));
  const surname = random.pick(rareNames);
  return random.pick([
    `The ${capitalise(random.pick(moods))} ${noun}s`,
    `${surname} Trio`,
    `${noun} & ${surname}`,
    `${surname}`,
    `DJ ${noun}`,
    `${random.pick(places)} ${noun}`,
  ]);
}

function writeTrackTitle(random: Random): string {
  const noun = capitalise(random.pick(creatures));
  if (random.chance(0.04)) return random.pick(foreignTitles);
  return random.pick([
    `${capitalise(random.pick(qualities))} ${noun}`,
    `${noun} in ${random.pick(places)}`,
    `Song for the ${noun}`,
    `${capitalise(random.pick(forms))} No. ${random.int(1, 24)}`,
    `${noun} (Live)`,
  ]);
}

/** Tracks by artist: 140 artists with three albums of eight tracks each. */
export function createCatalog(seed: number): Track[][] {
  const random = createRandom(seed, 'catalog');
  return Array.from({ length: 140 }, (_, artistIndex) => {
    const artist = writeArtist(random);
    const genre = genres[artistIndex % genres.length] as string;
    return Array.from({ length: 24 }, (_, trackIndex) => ({
      id: `trk${(artistIndex * 24 + trackIndex + 46_656).toString(36)}`,
      title: writeTrackTitle(random),
      artist,
      album: `${artist} ${['I', 'II', 'III'][Math.floor(trackIndex / 8)]}`,
      genre,
      duration_ms: random.int(120, 420) * 1000,
    }));
  });
}

/** What is played in the morning, during the day and in the evening. */
export const playlists = [
  ['Morning run', 'Breakfast', 'On the tram'],
  ['Lab focus', 'Discover', 'Deep work'],
  ['Cooking', 'Climbing warm-up', 'Night train', 'Sunday', 'With Tomás'],
] as const;
