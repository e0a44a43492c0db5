import type { Random } from './random.ts';
import { days } from './texts/frames.ts';
import type { Language } from './texts/languages.ts';
import { climbers, colleagues, family, friends, type Person } from './texts/people.ts';
import { places, rareNames, streets } from './texts/places.ts';
import type { Topic } from './texts/words.ts';

/** What a conversation is about: all its messages share it, so they stay on one subject. */
export interface Scene {
  topic: Topic;
  focus: string;
  language: string;
  place: string;
  tone: Tone;
}

/** Between friends, at work, to subscribers, as an answer, or to oneself. */
export type Tone = 'talk' | 'work' | 'news' | 'advice' | 'note';

/** `The {focus} ran for {number} hours`, cut at its slots: text, slot, text, slot, text. */
export type Template = readonly string[];

export const compile = (texts: readonly string[]): Template[] => texts.map((text) => text.split(/\{(\w+)\}/));

const getFirstNames = (people: Person[]) => people.map((person) => person.name.split(' ')[0] as string);
const privateNames = getFirstNames([...family, ...friends, ...climbers]);
const workNames = getFirstNames(colleagues);

/** Fills the slots of a template. A text that begins with a slot begins with a capital. */
export function fill(
  random: Random,
  template: Template,
  scene: Scene,
  language: Language | undefined,
): string {
  let text = template[0] as string;
  for (let index = 1; index < template.length; index += 2) {
    text += fillSlot(random, template[index] as string, scene, language);
    text += template[index + 1];
  }
  return template[0] === '' ? (text[0] as string).toUpperCase() + text.slice(1) : text;
}

function fillSlot(random: Random, slot: string, scene: Scene, language: Language | undefined): string {
  const { topic } = scene;
  switch (slot) {
    case 'focus':
      return scene.focus;
    case 'noun':
      return topic.nouns[random.zipf(topic.nouns.length)] as string;
    case 'verb':
      return topic.verbs[random.zipf(topic.verbs.length)] as string;
    case 'adjective':
      return topic.adjectives[random.zipf(topic.adjectives.length)] as string;
    case 'an_adjective': {
      const adjective = topic.adjectives[random.zipf(topic.adjectives.length)] as string;
      return `${'aeiou'.includes(adjective[0] as string) ? 'an' : 'a'} ${adjective}`;
    }
    case 'object':
      return random.pick(language?.objects ?? topic.nouns);
    case 'day':
      return random.pick(language?.days ?? days);
    case 'place':
      return random.chance(0.7) ? scene.place : (places[random.zipf(places.length)] as string);
    case 'person':
      if (random.chance(0.03)) return random.pick(rareNames);
      return random.pick(scene.tone === 'work' ? workNames : privateNames);
    case 'street':
      return `${random.pick(streets)} ${random.int(1, 120)}`;
    case 'number':
      return String(random.int(3, 60));
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

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** A reference such as `KX-48213`: nearly always the only one of its kind. */
export function writeCode(random: Random): string {
  const first = alphabet[random.int(0, 23)] as string;
  return `${first}${alphabet[random.int(0, 23)]}-${random.int(10_000, 99_999)}`;
}
