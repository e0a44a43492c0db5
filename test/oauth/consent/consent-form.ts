import { decode, type FormChange, type Page } from '../../support/browser.ts';

export interface FormStream {
  /** The name of the connection, as the page shows it. */
  readonly connection: string;
  readonly label: string;
  readonly ticked: boolean;
  readonly value: string;
  readonly fields: readonly {
    name: string;
    /** What the page calls it. */
    label: string;
    value: string;
    ticked: boolean;
    always: boolean;
  }[];
}

/** Everything that can be ticked on a consent page, as a person reads it. */
export function readConsentForm(page: Page): FormStream[] {
  const groups = [
    ...page.text.matchAll(/<fieldset[^>]*>\s*<legend[^>]*>([\s\S]*?)<\/legend>([\s\S]*?)<\/fieldset>/g),
  ];
  return groups.flatMap(([, legend = '', body = '']) => {
    const connection = decode(legend.replace(/<[^>]*>/g, '')).trim();
    return body
      .split('<li class="offered-stream">')
      .slice(1)
      .map((text) => {
        const [tag = '', value = ''] = /<input[^>]*name="stream" value="(\d+)"[^>]*>/.exec(text) ?? [];
        return {
          connection,
          label: decode(/<b>([\s\S]*?)<\/b>/.exec(text)?.[1] ?? ''),
          ticked: isTicked(tag),
          value,
          fields: readFields(text),
        };
      });
  });
}

function readFields(text: string): FormStream['fields'] {
  const found = text.matchAll(/(<input[^>]*name="field" value="([^"]+)"[^>]*>)\s*<span>([^<]*)<\/span>/g);
  return [...found].map(([, tag = '', value = '', label = '']) => ({
    // Sent as the place of the stream and the name of the field.
    name: decode(value).replace(/^\d+\./, ''),
    label: decode(label),
    value: decode(value),
    ticked: isTicked(tag),
    always: /\sdisabled/.test(tag),
  }));
}

const isTicked = (tag: string) => /\schecked/.test(tag);

/** Streams as `connection name/label`; of each, the fields to allow, or `default` for what is ticked already. */
export function tick(
  page: Page,
  wanted: Readonly<Record<string, readonly string[] | 'default'>>,
): FormChange {
  const form = readConsentForm(page);
  const chosen = Object.entries(wanted).map(([name, names]) => {
    const stream = form.find(({ connection, label }) => `${connection}/${label}` === name);
    if (stream === undefined) throw new Error(`${name} is not on the page`);
    const fields = stream.fields.filter((field) =>
      names === 'default' ? field.ticked && !field.always : names.includes(field.name),
    );
    return { stream: stream.value, fields: fields.map((field) => field.value) };
  });
  return { stream: chosen.map((one) => one.stream), field: chosen.flatMap((one) => one.fields) };
}
