import { type JsonObject, someOf, textOf } from '../values/json.ts';

const MAX_PARTICIPANTS = 2_000;

export class ChatTally {
  readonly #people = new Set<string>();
  #first: string | undefined;
  #last: string | undefined;
  #count = 0;

  count(message: JsonObject): void {
    const [sender, time] = [textOf(message.sender), textOf(message.sent_at)];
    this.#count += 1;
    if (sender !== undefined) this.addPerson(sender);
    if (time !== undefined && (this.#first === undefined || time < this.#first)) this.#first = time;
    if (time !== undefined && (this.#last === undefined || time > this.#last)) this.#last = time;
  }

  /** Adds a member of the chat, even without messages. */
  addPerson(name: string): void {
    if (name !== '' && this.#people.size < MAX_PARTICIPANTS) this.#people.add(name);
  }

  get people(): ReadonlySet<string> {
    return this.#people;
  }

  get size(): number {
    return this.#count;
  }

  describe(): JsonObject {
    return {
      participants: someOf([...this.#people].sort()),
      message_count: this.#count,
      first_at: this.#first,
      last_at: this.#last,
    };
  }
}

/** Returns the owner's name in a chat of two people that is named after the other person. */
export function findSelfInPair(named: string | undefined, senders: ReadonlySet<string>): string | undefined {
  if (named === undefined || senders.size !== 2 || !senders.has(named)) return undefined;
  return [...senders].find((sender) => sender !== named);
}
