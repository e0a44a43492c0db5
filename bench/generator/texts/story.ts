/** Something that happens in a life: what it is called, and what is said about it, in this order. */
export interface Story {
  title: string;
  /** What the `{thing}` of it can be. */
  things: string[];
  lines: string[];
}

/** What the talk in one part of life is about. */
export interface Topic {
  key: string;
  stories: Story[];
}

/**
 * Reads stories that are written as one text: a blank line between them, first the title and behind a bar the
 * things it can be about, then a sentence on every line.
 */
export function tell(key: string, text: string): Topic {
  const stories = text.split(/\n\s*\n/).map((part) => {
    const [head = '', ...lines] = part
      .trim()
      .split('\n')
      .map((line) => line.trim());
    const [title = '', things = ''] = head.split('|').map((side) => side.trim());
    return { title, things: things.split(',').map((thing) => thing.trim()), lines };
  });
  return { key, stories };
}
