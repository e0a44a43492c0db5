/** Languages in which exports write months. Where two disagree on a word, the first has it. */
const LANGUAGES =
  'en de fr es it pt nl sv da nb fi pl cs sk hu ro tr ru uk el id ca hr sl et lv lt vi bg sr'.split(' ');

let months: Map<string, number> | undefined;

/** 1 to 12 for a month's name, long or short, in many languages. */
export function findMonth(word: string): number | undefined {
  months ??= collectMonths();
  const name = normalise(word);
  // Some cut it elsewhere: kesäk. is kesä, and both are kesäkuuta.
  for (let length = name.length; length >= Math.min(3, name.length); length--) {
    const month = months.get(name.slice(0, length));
    if (month !== undefined) return month;
  }
  return undefined;
}

function collectMonths(): Map<string, number> {
  const found = new Map<string, number>([['sept', 9]]);
  for (const language of LANGUAGES) {
    for (const style of ['long', 'short'] as const) {
      const alone = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
      // Many languages bend the name beside a day: maj, maja.
      const inDate = new Intl.DateTimeFormat(language, { day: 'numeric', month: style, timeZone: 'UTC' });
      for (let month = 1; month <= 12; month++) {
        const day = Date.UTC(2024, month - 1, 15);
        const bent = inDate.formatToParts(day).find(({ type }) => type === 'month')?.value;
        for (const name of [alone.format(day), bent]) {
          const key = normalise(name ?? '');
          if (key.length > 1 && !/\d/.test(key) && !found.has(key)) found.set(key, month);
        }
      }
    }
  }
  return found;
}

function normalise(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '');
}
