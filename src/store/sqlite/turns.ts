/** Lets one at a time through, in the order of arrival. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Waits for all who came before. Whoever has the turn must end it by calling the result. */
  async take(): Promise<() => void> {
    const before = this.#last;
    let end = () => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }
}
