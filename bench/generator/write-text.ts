import { compile, fill, type Scene, type Template, type Tone } from './fill-template.ts';
import type { Random } from './random.ts';
import { advice } from './texts/advice.ts';
import { asides, emoji } from './texts/frames.ts';
import { french, german, germanNotice, type Language, spanish } from './texts/languages.ts';
import { news } from './texts/news.ts';
import { places } from './texts/places.ts';
import { arabic, chinese, hindi, japanese, thai } from './texts/scripts.ts';
import { cooking, family, garden, home } from './texts/stories-home.ts';
import { climbing, music, reading, travel } from './texts/stories-leisure.ts';
import { health, money, nature } from './texts/stories-self.ts';
import { hiring, planning, robotics, software } from './texts/stories-work.ts';
import type { Topic } from './texts/story.ts';

const work = [robotics, software, planning, hiring];
const life = [home, cooking, family, garden, climbing, travel, music, reading, health, money, nature];
const byKey = (topics: readonly Topic[]) => new Map(topics.map((topic) => [topic.key, topic]));
const talk = byKey([...work, ...life]);
const topics: Record<Tone, Map<string, Topic>> = {
  talk,
  work: talk,
  news: byKey(news),
  advice: byKey(advice),
};

interface ForeignLanguage {
  language: Language;
  subjects: Template[];
  sentences: Template[];
}

const languages = new Map<string, ForeignLanguage>(
  [german, germanNotice, spanish, french, chinese, japanese, arabic, thai, hindi].map((language) => [
    language.key,
    { language, subjects: compile(language.subjects), sentences: compile(language.sentences) },
  ]),
);

const compiled = new Map<string, Template>();

/** Templates are cut once, when they are first used. */
function cut(text: string): Template {
  let template = compiled.get(text);
  if (!template) {
    template = compile([text])[0] as Template;
    compiled.set(text, template);
  }
  return template;
}

/** Something to write about. A tone that has no story of the topic tells it as friends do. */
export function createScene(random: Random, topicKey: string, language = 'en', tone: Tone = 'talk'): Scene {
  const topic = topics[tone].get(topicKey) ?? talk.get(topicKey);
  if (!topic) throw new Error(`no topic ${topicKey}`);
  const story = random.pick(topic.stories);
  const place = places[random.zipf(places.length)] as string;
  return {
    topic,
    story,
    language,
    place,
    tone,
    thing: random.pick(story.things),
    facts: {},
    told: { lines: 0 },
  };
}

export function writeTitle(random: Random, scene: Scene): string {
  const foreign = languages.get(scene.language);
  if (!foreign) return fill(random, cut(scene.story.title), scene);
  return fill(random, random.pick(foreign.subjects), scene, foreign.language);
}

/** The next sentences of what is being told; when all of it is told, one of those that people say then. */
export function writeText(random: Random, scene: Scene, sentences: number): string {
  const text = (languages.has(scene.language) ? writeForeign : writeNext)(random, scene, sentences).join(' ');
  return random.chance(0.04) ? `${text} ${random.pick(emoji)}` : text;
}

function writeNext(random: Random, scene: Scene, sentences: number): string[] {
  const lines = scene.story.lines.slice(scene.told.lines, scene.told.lines + sentences);
  scene.told.lines += lines.length;
  return (lines.length > 0 ? lines : [random.pick(asides)]).map((line) => fill(random, cut(line), scene));
}

function writeForeign(random: Random, scene: Scene, sentences: number): string[] {
  const foreign = languages.get(scene.language) as ForeignLanguage;
  // Neighbours in the list, so that no sentence comes twice in a short text.
  const first = random.int(0, 1_000);
  return Array.from({ length: sentences }, (_, count) => {
    const sentence = foreign.sentences[(first + count) % foreign.sentences.length] as Template;
    return fill(random, sentence, scene, foreign.language);
  });
}

/** One of these sentences, with what is known of the scene in it. */
export function writeFrom(random: Random, texts: readonly string[], scene: Scene): string {
  return fill(random, cut(random.pick(texts)), scene);
}

/** All stories of the topic, each a paragraph and each time another one, until there are so many letters. */
export function writeLongText(random: Random, scene: Scene, letters: number): string {
  const paragraphs: string[] = [];
  for (let length = 0; length < letters; ) {
    const next = createScene(random, scene.topic.key, scene.language, scene.tone);
    const paragraph = writeText(random, next, next.story.lines.length);
    paragraphs.push(paragraph);
    length += paragraph.length + 2;
  }
  return paragraphs.join('\n\n');
}
