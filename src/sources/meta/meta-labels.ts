import { firstText, type JsonObject, listOf, objectOf, textOf } from '../values/json.ts';

/** What the newest exports say of an item: a list of labels with values, in the language of the account. */
export interface MetaLabels {
  /** The longest of what is no address: a caption, a comment. */
  readonly text: string | undefined;
  readonly url: string | undefined;
  /** Whose it is: the short name, where there is one. */
  readonly owner: string | undefined;
  readonly reaction: string | undefined;
}

const isAddress = (text: string) => /^https?:\/\//.test(text);

export function readMetaLabels(item: JsonObject): MetaLabels {
  const entries = listOf(item.label_values).map(objectOf);
  const plain = entries.flatMap((entry) => {
    const [label, value] = [textOf(entry.label) ?? '', firstText(entry.value, entry.href)];
    return value === undefined ? [] : [{ label, value }];
  });
  const find = (pattern: RegExp) => plain.find(({ label }) => pattern.test(label))?.value;
  const reaction = find(/reaction|reaktion|réaction|reacci|reazion/i);
  const owner = find(/owner|eigent|propri|dueño|username|benutzername/i) ?? findPerson(entries);
  const words = plain
    .map(({ value }) => value)
    .filter((value) => !isAddress(value) && value !== owner && value !== reaction);
  return {
    text: words.sort((a, b) => b.length - a.length)[0],
    url: plain.map(({ value }) => value).find(isAddress),
    owner,
    reaction,
  };
}

/** A person is an address, a name and the short name, in that order; other things are only named. */
function findPerson(entries: readonly JsonObject[]): string | undefined {
  for (const { dict } of entries)
    for (const one of listOf(dict)) {
      const values = listOf(objectOf(one).dict).map((entry) => textOf(objectOf(entry).value));
      if (values.length > 1) return values.findLast((value) => value !== undefined);
    }
  return undefined;
}
