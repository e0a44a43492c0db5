export interface Track {
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  readonly genre: string;
  readonly seconds: number;
  readonly playlists: readonly string[];
}

export interface Playlist {
  readonly name: string;
  readonly description: string;
  /** Week of the last change. */
  readonly changed: number;
}

export const PLAYLISTS: readonly Playlist[] = [
  { name: 'Kitchen', description: 'For cooking, three languages allowed', changed: -30 },
  { name: 'Focus', description: 'No words', changed: -45 },
  { name: 'Running', description: 'Elbe 10 and before', changed: -19 },
  { name: 'Mila', description: 'Chosen by Mila, loud', changed: -12 },
  { name: 'Valencia', description: 'For the road to Dénia', changed: -24 },
  { name: 'Mahler', description: 'Before the concert', changed: -21 },
];

const rows: readonly (readonly [
  title: string,
  artist: string,
  album: string,
  genre: string,
  length: string,
  playlists: string,
])[] = [
  ['Not', 'Big Thief', 'Two Hands', 'indie', '6:07', 'Kitchen'],
  ['Weird Fishes / Arpeggi', 'Radiohead', 'In Rainbows', 'rock', '5:18', 'Kitchen'],
  ['Paul', 'Big Thief', 'Masterpiece', 'indie', '3:34', 'Kitchen'],
  ['Simulation Swarm', 'Big Thief', 'Dragon New Warm Mountain I Believe in You', 'indie', '4:13', 'Kitchen'],
  ['Reckoner', 'Radiohead', 'In Rainbows', 'rock', '4:50', 'Kitchen'],
  ['Bloodbuzz Ohio', 'The National', 'High Violet', 'indie', '4:36', 'Kitchen'],
  ['I Need My Girl', 'The National', 'Trouble Will Find Me', 'indie', '4:05', 'Kitchen'],
  [
    'Am Ende denk ich immer nur an dich',
    'Element of Crime',
    'Mittelpunkt der Welt',
    'German pop',
    '3:33',
    'Kitchen',
  ],
  ['Delmenhorst', 'Element of Crime', 'Mittelpunkt der Welt', 'German pop', '3:22', 'Kitchen'],
  ['Walzer für Niemand', 'Sophie Hunger', 'Monday’s Ghost', 'indie', '3:39', 'Kitchen'],
  ['Nunca es suficiente', 'Natalia Lafourcade', 'Hasta la Raíz', 'Latin', '3:31', 'Kitchen Valencia'],
  ['Hasta la Raíz', 'Natalia Lafourcade', 'Hasta la Raíz', 'Latin', '3:41', 'Valencia Kitchen'],
  ['Malamente', 'Rosalía', 'El Mal Querer', 'flamenco pop', '2:30', 'Valencia'],
  ['Pienso en tu mirá', 'Rosalía', 'El Mal Querer', 'flamenco pop', '3:13', 'Valencia'],
  ['Copenhague', 'Vetusta Morla', 'Un día en el mundo', 'Spanish rock', '4:53', 'Valencia'],
  ['Valiente', 'Vetusta Morla', 'Un día en el mundo', 'Spanish rock', '3:23', 'Valencia Running'],
  ['Al respirar', 'Vetusta Morla', 'Un día en el mundo', 'Spanish rock', '4:57', 'Valencia'],
  ['Mediterráneo', 'Joan Manuel Serrat', 'Mediterráneo', 'singer-songwriter', '3:20', 'Valencia'],
  ['Says', 'Nils Frahm', 'Spaces', 'piano', '8:18', 'Focus'],
  ['Re', 'Nils Frahm', 'Screws', 'piano', '3:46', 'Focus'],
  ['Ambre', 'Nils Frahm', 'Wintermusik', 'piano', '3:47', 'Focus'],
  ['On the Nature of Daylight', 'Max Richter', 'The Blue Notebooks', 'classical', '6:12', 'Focus'],
  ['Vladimir’s Blues', 'Max Richter', 'The Blue Notebooks', 'classical', '1:18', 'Focus'],
  ['White Keys', 'Chilly Gonzales', 'Solo Piano II', 'piano', '2:14', 'Focus'],
  ['Gogol', 'Chilly Gonzales', 'Solo Piano', 'piano', '2:42', 'Focus'],
  ['Near Light', 'Ólafur Arnalds', 'Living Room Songs', 'classical', '3:28', 'Focus'],
  ['Dancing On My Own', 'Robyn', 'Body Talk', 'pop', '4:47', 'Running'],
  ['Call Your Girlfriend', 'Robyn', 'Body Talk', 'pop', '3:47', 'Running'],
  ['Hey Boy Hey Girl', 'The Chemical Brothers', 'Surrender', 'electronic', '4:50', 'Running'],
  ['All My Friends', 'LCD Soundsystem', 'Sound of Silver', 'electronic', '7:37', 'Running'],
  ['Someone Great', 'LCD Soundsystem', 'Sound of Silver', 'electronic', '6:25', 'Running'],
  ['Point and Kill', 'Little Simz', 'Sometimes I Might Be Introvert', 'hip-hop', '3:03', 'Running'],
  ['Gorilla', 'Little Simz', 'NO THANK YOU', 'hip-hop', '4:00', 'Running'],
  ['One More Time', 'Daft Punk', 'Discovery', 'electronic', '5:20', 'Running'],
  ['Schokolade', 'Deine Freunde', 'Heile Welt', 'children', '3:05', 'Mila'],
  ['Hausaufgaben', 'Deine Freunde', 'Kindsköpfe', 'children', '3:10', 'Mila'],
  ['Deine Mudder', 'Deine Freunde', 'Heile Welt', 'children', '3:21', 'Mila'],
  ['Dance Monkey', 'Tones And I', 'The Kids Are Coming', 'pop', '3:29', 'Mila'],
  ['Believer', 'Imagine Dragons', 'Evolve', 'pop', '3:24', 'Mila'],
  ['Symphony No. 5: I. Trauermarsch', 'Gustav Mahler', 'Symphony No. 5', 'classical', '12:58', 'Mahler'],
  ['Symphony No. 5: IV. Adagietto', 'Gustav Mahler', 'Symphony No. 5', 'classical', '10:02', 'Mahler'],
  ['Symphony No. 5: II. Stürmisch bewegt', 'Gustav Mahler', 'Symphony No. 5', 'classical', '14:47', 'Mahler'],
  ['Symphony No. 5: V. Rondo-Finale', 'Gustav Mahler', 'Symphony No. 5', 'classical', '15:10', 'Mahler'],
];

export const TRACKS: readonly Track[] = rows.map(([title, artist, album, genre, length, playlists]) => {
  const [minutes, seconds] = length.split(':').map(Number) as [number, number];
  return { title, artist, album, genre, seconds: minutes * 60 + seconds, playlists: playlists.split(' ') };
});
