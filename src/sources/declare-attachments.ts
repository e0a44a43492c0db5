import { TEXT_STATUSES } from '../attachments/file-text.ts';
import type { SourceDeclaration } from '../schema-index/declaration.ts';
import { addRelation, declareStream, type Fields, hasMany, hasOne, oneOf } from './declare.ts';

/**
 * Declares the stream `attachments` of a source, and its relation with the streams of the records that the files came
 * with. The import makes its records from `attached`. `earlier` describes a stream that a source had before it was common
 * to all sources: stored declarations must stay compatible.
 */
export function declareAttachments(
  declaration: SourceDeclaration,
  parents: string | readonly string[],
  earlier?: { readonly fields: Fields; readonly cursor: string },
): SourceDeclaration {
  const names = [parents].flat();
  const parent = names.join(' and ').replaceAll('_', ' ');
  const attachments = declareStream('attachments', 'Attachments', {
    description: `Files that came with ${parent}: name, type, size, and the text of documents. The files themselves cannot be read.`,
    detail: 'The names of attached files, and the text inside documents.',
    ...(earlier === undefined ? { time: 'parent_time' } : { cursor: earlier.cursor }),
    view: {
      label: 'Names, types and sizes',
      fields: ['id', 'parent_id', 'name', 'media_type', 'size_bytes', 'parent_time'],
    },
    relations: names.map((name) => hasOne(nameRelation(name, names), name, 'parent_id')),
    search: ['name', 'text'],
    fields: {
      id: 'text',
      ...earlier?.fields,
      parent_id: `text, required: The key in ${parent} of the record that it came with`,
      name: 'text, search, sensitive: File name',
      media_type: 'text: Found from the content: application/pdf',
      size_bytes: 'integer',
      parent_time: 'time: The time of the record that it came with',
      taken_at: 'time: When a photo was taken, if the file says so',
      text: 'text, search, sensitive: Text of a document, mail, table or text file',
      text_status: oneOf(
        TEXT_STATUSES,
        'Whether the text could be read. cut: only the beginning. unsupported: pictures, sounds and other formats',
      ),
      // The first entry of a field decides its place, the last one its type.
      ...earlier?.fields,
    },
  });
  const streams = declaration.streams.map((stream) =>
    names.includes(stream.name)
      ? addRelation(stream, hasMany('attached_files', 'attachments', 'parent_id'))
      : stream,
  );
  return { ...declaration, streams: [...streams, attachments] };
}

/** `parent`, or `parent_post` and `parent_message` if files come with records of several streams. */
const nameRelation = (stream: string, { length }: readonly string[]) =>
  length === 1 ? 'parent' : `parent_${stream.replace(/s$/, '')}`;
