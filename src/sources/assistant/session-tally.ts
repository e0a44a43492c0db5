import { type JsonObject, textOf } from '../values/json.ts';

const TITLE_LENGTH = 120;
/** The lines of one answer are close together. */
const MAX_ANSWERS = 1_000;

export class SessionTally {
  readonly #facts: JsonObject = {};
  #first: string | undefined;
  #last: string | undefined;
  #messages = 0;
  #tools = 0;
  #tokens = { input: 0, output: 0 };
  #opening: string | undefined;
  #command: string | undefined;
  readonly #spent = new Map<string, { input: number; output: number }>();

  /** Stores a fact. The first value wins unless `replace` is set. */
  note(name: string, value: unknown, replace = false): void {
    const text = textOf(value);
    if (text !== undefined && (replace || this.#facts[name] === undefined)) this.#facts[name] = text;
  }

  get project(): string | undefined {
    const folder = textOf(this.#facts.folder);
    return folder?.split(/[\\/]/).findLast((part) => part !== '') ?? folder;
  }

  see(time: string | undefined): void {
    if (time === undefined) return;
    if (this.#first === undefined || time < this.#first) this.#first = time;
    if (this.#last === undefined || time > this.#last) this.#last = time;
  }

  count(message: JsonObject): void {
    this.#tools += Array.isArray(message.tools) ? message.tools.length : 0;
    if (message.is_hidden !== true && message.text !== undefined) this.#messages += 1;
    // A command such as /clear says little about a session.
    const said = message.from_me === true ? textOf(message.text) : undefined;
    if (/^[/!]/.test(said ?? '')) this.#command ??= said;
    else this.#opening ??= said;
  }

  /** An answer spans several lines, and each repeats the running total of its tokens. */
  spend(answer: string, input: number | undefined, output: number | undefined): void {
    const before = this.#spent.get(answer) ?? { input: 0, output: 0 };
    const now = {
      input: Math.max(before.input, input ?? 0),
      output: Math.max(before.output, output ?? 0),
    };
    this.#tokens.input += now.input - before.input;
    this.#tokens.output += now.output - before.output;
    if (this.#spent.size >= MAX_ANSWERS) this.#spent.clear();
    this.#spent.set(answer, now);
  }

  /** For logs that report the total of the session. */
  setSpent(input: number | undefined, output: number | undefined): void {
    this.#tokens = { input: input ?? this.#tokens.input, output: output ?? this.#tokens.output };
  }

  describe(id: string): JsonObject {
    const opening = (this.#opening ?? this.#command)?.replace(/\s+/g, ' ').trim();
    return {
      id,
      ...this.#facts,
      title: this.#facts.title ?? opening?.slice(0, TITLE_LENGTH).toWellFormed(),
      project: this.project,
      started_at: this.#first,
      ended_at: this.#last,
      message_count: this.#messages,
      tool_count: this.#tools,
      input_tokens: this.#tokens.input === 0 ? undefined : this.#tokens.input,
      output_tokens: this.#tokens.output === 0 ? undefined : this.#tokens.output,
    };
  }
}
