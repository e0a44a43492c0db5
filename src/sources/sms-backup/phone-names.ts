const MOST_NAMES = 50_000;

/** The same number is written with and without spaces. */
export const plainNumber = (phone: string) => phone.replace(/[\s()-]/g, '');

export class PhoneNames {
  readonly #names = new Map<string, string>();

  /** A group is named by all of its people, in the order of their numbers. */
  learn(phones: readonly string[], name: string): void {
    const names = phones.length === 1 ? [name] : name.split(', ');
    if (names.length !== phones.length) return;
    for (const [index, phone] of phones.entries()) {
      const told = names[index]?.trim() ?? '';
      if (told !== '' && !/^\(unknown\)$/i.test(told) && this.#names.size < MOST_NAMES)
        this.#names.set(plainNumber(phone), told);
    }
  }

  find(phone: string): string | undefined {
    return this.#names.get(plainNumber(phone));
  }
}
