import type { Random } from './random.ts';
import { days } from './texts/frames.ts';
import type { Language } from './texts/languages.ts';
import { climbers, colleagues, family, friends, type Person } from './texts/people.ts';
import { places, rareNames, streets } from './texts/places.ts';
import type { Story, Topic } from './texts/story.ts';

/** What a conversation is about: all its messages share it, so they stay on one subject. */
export interface Scene {
  topic: Topic;
  story: Story;
  language: string;
  place: string;
  tone: Tone;
  /** The thing that the story is about this time. */
  thing: string;
  /** Who, when and how many: once said, it stays so. */
  facts: Record<string, string>;
  /** How far it has been told. */
  told: { lines: number };
}

/** Between friends, at work, to subscribers, or as an answer. */
export type Tone = 'talk' | 'work' | 'news' | 'advice';

/** `The {thing} ran for {number} hours`, cut at its slots: text, slot, text, slot, text. */
export type Template = readonly string[];

export const compile = (texts: readonly string[]): Template[] => texts.map((text) => text.split(/\{(\w+)\}/));

const getFirstNames = (people: Person[]) => people.map((person) => person.name.split(' ')[0] as string);
const privateNames = getFirstNames([...family, ...friends, ...climbers]);
const workNames = getFirstNames(colleagues);

/** Fills the slots of a template. A text that begins with a slot begins with a capital. */
export function fill(random: Random, template: Template, scene: Scene, language?: Language): string {
  let text = template[0] as string;
  for (let index = 1; index < template.length; index += 2) {
    const slot = template[index] as string;
    text += language ? drawSlot(random, slot, scene, language) : recallSlot(random, slot, scene);
    text += template[index + 1];
  }
  return template[0] === '' ? (text[0] as string).toUpperCase() + text.slice(1) : text;
}

/** What a slot was filled with before in this scene. */
function recallSlot(random: Random, slot: string, scene: Scene): string {
  scene.facts[slot] ??= drawSlot(random, slot, scene);
  return scene.facts[slot];
}

function drawSlot(random: Random, slot: string, scene: Scene, language?: Language): string {
  switch (slot) {
    case 'thing':
      return scene.thing;
    case 'object':
      return random.pick(language?.objects ?? scene.story.things);
    case 'day':
      return random.pick(language?.days ?? days);
    case 'place':
      // A letter in another language tells of more than one thing.
      return !language || random.chance(0.7) ? scene.place : (places[random.zipf(places.length)] as string);
    case 'person':
    case 'other':
      return drawName(random, scene);
    case 'street':
      return `${random.pick(streets)} ${random.int(1, 120)}`;
    case 'number':
      return String(random.int(6, 60));
    case 'small':
      return String(random.int(2, 5));
    case 'code':
      return writeCode(random);
    case 'rare':
      return random.pick(rareNames);
    default:
      throw new Error(`no slot ${slot}`);
  }
}

/** Two people in one story are two. */
function drawName(random: Random, { tone, facts }: Scene): string {
  const names = tone === 'work' ? workNames : privateNames;
  const name = random.pick(names);
  return name === facts.person ? (names[(names.indexOf(name) + 1) % names.length] as string) : name;
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A reference such as `KX-48213`: nearly always the only one of its kind. */
export function writeCode(random: Random): string {
  const first = alphabet[random.int(0, 23)] as string;
  return `${first}${alphabet[random.int(0, 23)]}-${random.int(10_000, 99_999)}`;
}
