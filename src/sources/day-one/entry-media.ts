import type { AttachedFile } from '../../attachments/attached-file.ts';
import { firstText, type JsonObject, listOf, objectOf, someOf, textOf } from '../values/json.ts';

/** Folders of the zip by the lists of an entry. */
const FOLDERS = { photos: 'photos', videos: 'videos', audios: 'audios', pdfAttachments: 'pdfs' };

interface Media {
  readonly folder: string;
  readonly media: JsonObject;
}

/** Lists the photos, videos, recordings and PDFs of an entry. */
export const listMedia = (entry: JsonObject): Media[] =>
  Object.entries(FOLDERS).flatMap(([kind, folder]) =>
    listOf(entry[kind]).map((one) => ({ folder, media: objectOf(one) })),
  );

/** The original name, or the name in the zip. */
export function nameMedia(media: JsonObject): string | undefined {
  const name = firstText(media.filename, media.pdfName, media.title);
  const packed = firstText(media.md5, media.identifier);
  return (
    name ?? (packed === undefined ? undefined : `${packed}.${firstText(media.type, media.format) ?? 'file'}`)
  );
}

/** Endings that the zip uses when the entry names another format. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  photos: ['jpeg', 'jpg', 'png', 'heic', 'gif'],
  videos: ['mov', 'mp4'],
  audios: ['m4a', 'aac', 'mp3', 'wav'],
  pdfs: ['pdf'],
};

/** Files of the zip are named by their hash. */
export function locateMedia({ folder, media }: Media): AttachedFile {
  const names = someOf([textOf(media.md5), textOf(media.identifier)]) ?? [];
  const stated = someOf([textOf(media.type), textOf(media.format)]) ?? [];
  const endings = [...new Set([...stated, ...(ENDINGS[folder] ?? [])])];
  return {
    name: nameMedia(media),
    path: names.flatMap((name) => endings.map((ending) => `${folder}/${name}.${ending}`)),
    transcript: textOf(media.transcription),
  };
}
