import { describeFields } from '../../src/schema-index/field.ts';
import { writeRecordId } from '../../src/tools/record-view.ts';
import { searchText } from '../../src/words/index-text.ts';
import { exampleSources } from '../generator/example-sources.ts';
import { generateRecords } from '../generator/fill-generated.ts';
import { personalSources } from '../generator/personal.ts';
import type { GeneratorOptions } from '../generator/types.ts';
import type { JudgedDocument } from './collection.ts';

/** A demo record: as a document, and as it is stored, for rules that judge it by its fields. */
export interface DemoDocument extends JudgedDocument {
  /** Connection and stream, as in `google_calendar/events`. */
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** By these names a field is a title, the first that a stream has. */
const TITLES = ['title', 'subject', 'name'];

/** The searched text of every demo record that has some. */
export function readDemoDocuments(options: GeneratorOptions): DemoDocument[] {
  const searched = findSearchedFields();
  const documents: DemoDocument[] = [];
  for (const { connection_id, stream, lines } of generateRecords(options)) {
    const place = `${connection_id}/${stream}`;
    const fields = searched.get(place) ?? [];
    const titleField = TITLES.find((name) => fields.includes(name));
    for (const { key, data } of lines) {
      const texts = fields.filter((name) => name !== titleField).map((name) => searchText(data[name]));
      const title = titleField === undefined ? '' : searchText(data[titleField]);
      const text = texts.filter((one) => one !== '').join('\n');
      if (title === '' && text === '') continue;
      documents.push({ id: writeRecordId(connection_id, stream, key), title, text, stream: place, data });
    }
  }
  return documents;
}

function findSearchedFields(): Map<string, string[]> {
  const places = [...personalSources, ...exampleSources].flatMap(({ declaration, connections }) =>
    declaration.streams.flatMap((stream) => {
      const fields = describeFields(stream).filter(({ search }) => search);
      return connections.map(
        ({ connection_id }) => [`${connection_id}/${stream.name}`, fields.map(({ name }) => name)] as const,
      );
    }),
  );
  return new Map(places);
}
