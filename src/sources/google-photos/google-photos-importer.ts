import type { Importer, InputFile } from '../../import/importer.ts';
import { hashKey } from '../../import/make-key.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { readJson } from '../../import/read/read-json.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { makeNote, makeProblem, makeRecord } from '../files/import-items.ts';
import { recogniseFiles } from '../files/recognise-files.ts';
import { booleanOf, isObject, numberOf, objectOf, objectsOf, someOf, trimmedText } from '../values/json.ts';
import { googlePhotosDeclaration } from './google-photos-declaration.ts';

type Json = Record<string, unknown>;

/** Reads the metadata files of photos and albums in Google Takeout. */
export const googlePhotosImporter: Importer = {
  format: 'google-photos',
  title: 'Google Photos (Google Takeout)',
  fillsArchive: true,
  guide: {
    steps: [
      'Open takeout.google.com and sign in.',
      'Choose “Deselect all”, then tick “Google Photos”.',
      'Choose “Next step”, “Create export”, and drop the zips here. The pictures in them are not read.',
    ],
    waiting: 'Hours to days, depending on the number of photos.',
    choose: 'Only some albums, if all are too many.',
  },
  recognise: (files) =>
    recogniseFiles(files, async (file) => isPhoto(await peekText(file)) || isAlbum(await peekText(file))),
  declare: async () => googlePhotosDeclaration,
  async *read({ files }) {
    const seen = new Set<string>();
    const albums = new Set<string>();
    for (const file of files) if (isAlbum(await peekText(file))) albums.add(folderOf(file));
    // A photo is in the folder of its year and in those of its albums; the album is more specific.
    const order = [...files].sort(
      (one, other) => Number(albums.has(folderOf(other))) - Number(albums.has(folderOf(one))),
    );
    let copies = 0;
    for (const file of order) {
      const parsed = await readJson(file);
      if (parsed.kind === 'broken' || !isObject(parsed.value)) {
        yield makeProblem(file, parsed.kind === 'broken' ? parsed.reason : 'is not about a photo');
        continue;
      }
      if (isAlbum(await peekText(file))) {
        yield makeRecord(file, 'albums', readAlbum(parsed.value, file));
        continue;
      }
      const data = readPhoto(parsed.value, albums.has(folderOf(file)) ? folderOf(file) : undefined);
      const id = data.id as string;
      if (seen.has(id)) copies += 1;
      else yield makeRecord(file, 'photos', data);
      seen.add(id);
    }
    const [first] = files;
    if (copies > 0 && first !== undefined)
      yield makeNote(first, `${copies} photos are in several folders and were imported once`);
  },
};

const isPhoto = (head: string) => /^\s*\{/.test(head) && /"photoTakenTime"\s*:\s*\{/.test(head);
const isAlbum = (head: string) =>
  /^\s*\{/.test(head) &&
  !isPhoto(head) &&
  (/^\s*\{\s*"albumData"\s*:/.test(head) ||
    (/"access"\s*:\s*"/.test(head) && /"date"\s*:\s*\{[^}]*"timestamp"/.test(head)));

function readAlbum(value: Json, file: InputFile): Json {
  const album = isObject(value.albumData) ? value.albumData : value;
  return {
    id: folderOf(file),
    title: trimmedText(album.title) ?? folderOf(file),
    description: trimmedText(album.description),
    access: trimmedText(album.access),
    created_at: readEpoch(objectOf(album.date).timestamp, 's'),
  };
}

function readPhoto(photo: Json, album: string | undefined): Json {
  const url = trimmedText(photo.url);
  const taken = trimmedText(objectOf(photo.photoTakenTime).timestamp);
  const origin = objectOf(photo.googlePhotosOrigin);
  const place = [photo.geoData, photo.geoDataExif]
    .map(objectOf)
    .find(({ latitude, longitude }) => latitude || longitude);
  return {
    id: url === undefined ? hashKey(trimmedText(photo.title), taken) : hashKey(url),
    title: trimmedText(photo.title),
    description: trimmedText(photo.description),
    album_id: album,
    taken_at: readEpoch(taken, 's'),
    uploaded_at: readEpoch(objectOf(photo.creationTime).timestamp, 's'),
    people: someOf(objectsOf(photo.people).flatMap(({ name }) => trimmedText(name) ?? [])),
    latitude: numberOf(place?.latitude),
    longitude: numberOf(place?.longitude),
    altitude_meters: numberOf(place?.altitude),
    device:
      trimmedText(objectOf(origin.mobileUpload).deviceType)?.toLowerCase().replaceAll('_', ' ') ??
      Object.keys(origin)[0],
    views: numberOf(photo.imageViews),
    url,
    is_favorite: booleanOf(photo.favorited),
    is_archived: booleanOf(photo.archived),
    is_trashed: booleanOf(photo.trashed),
  };
}

/** Photos and their album's metadata share a folder. */
const folderOf = ({ path }: InputFile) => (path.split('/').at(-2) ?? 'album').slice(0, 200);
