import { compile, fill, type Scene, type Template, type Tone } from './fill-template.ts';
import type { Random } from './random.ts';
import { emoji, frames } from './texts/frames.ts';
import { french, german, germanNotice, spanish } from './texts/languages.ts';
import { places } from './texts/places.ts';
import { arabic, chinese, hindi, japanese, thai } from './texts/scripts.ts';
import { adviceFrames, newsFrames, noteFrames, workFrames } from './texts/tones.ts';
import { cooking, family as familyTopic, garden, home } from './texts/topics-home.ts';
import { climbing, music, reading, travel } from './texts/topics-leisure.ts';
import { health, money, nature } from './texts/topics-self.ts';
import { hiring, planning, robotics, software } from './texts/topics-work.ts';

interface Phrases {
  subjects: Template[];
  sentences: Template[];
}

const compileAll = (from: { subjects: string[]; sentences: string[] }): Phrases => ({
  subjects: compile(from.subjects),
  sentences: compile(from.sentences),
});

const topics = [
  robotics,
  software,
  planning,
  hiring,
  home,
  cooking,
  familyTopic,
  garden,
  climbing,
  travel,
  music,
  reading,
  health,
  money,
  nature,
];
const topicByKey = new Map(topics.map((topic) => [topic.key, topic]));
const topicPhrases = new Map(topics.map((topic) => [topic, compileAll(topic)]));
const languages = new Map(
  [german, germanNotice, spanish, french, chinese, japanese, arabic, thai, hindi].map((language) => [
    language.key,
    { language, phrases: compileAll(language) },
  ]),
);
const toneTemplates: Record<Tone, Template[]> = {
  talk: compile(frames),
  work: compile(workFrames),
  news: compile(newsFrames),
  advice: compile(adviceFrames),
  note: compile(noteFrames),
};

/** A subject to write about; the topic is one of those above. */
export function createScene(random: Random, topicKey: string, language = 'en', tone: Tone = 'talk'): Scene {
  const topic = topicByKey.get(topicKey);
  if (!topic) throw new Error(`no topic ${topicKey}`);
  const place = places[random.zipf(places.length)] as string;
  return { topic, focus: topic.nouns[random.zipf(topic.nouns.length)] as string, language, place, tone };
}

export function writeTitle(random: Random, scene: Scene): string {
  const foreign = languages.get(scene.language);
  const phrases = foreign?.phrases ?? (topicPhrases.get(scene.topic) as Phrases);
  return fill(random, random.pick(phrases.subjects), scene, foreign?.language);
}

export function writeSentence(random: Random, scene: Scene): string {
  return writeSentenceAt(random, scene, random.int(0, 1_000));
}

export function writeText(random: Random, scene: Scene, sentences: number): string {
  // Neighbours in the lists, so that no sentence comes twice in a short text.
  const first = random.int(0, 1_000);
  let text = writeSentenceAt(random, scene, first);
  for (let count = 1; count < sentences; count++) text += ` ${writeSentenceAt(random, scene, first + count)}`;
  return random.chance(0.04) ? `${text} ${random.pick(emoji)}` : text;
}

function writeSentenceAt(random: Random, scene: Scene, index: number): string {
  const foreign = languages.get(scene.language);
  if (foreign) return fill(random, choose(foreign.phrases.sentences, index), scene, foreign.language);
  const own = (topicPhrases.get(scene.topic) as Phrases).sentences;
  // What friends and colleagues say is half about the matter itself.
  const usesOwn = (scene.tone === 'talk' || scene.tone === 'work') && random.chance(0.5);
  const template = usesOwn ? choose(own, index) : choose(toneTemplates[scene.tone], index * 7);
  return fill(random, template, scene, undefined);
}

const choose = (templates: Template[], index: number) => templates[index % templates.length] as Template;

const loose = new Map<string, Template>();

/** Fills a template that belongs to no topic, with the words of the scene's topic. */
export function writeFrom(random: Random, texts: readonly string[], scene: Scene): string {
  const text = random.pick(texts);
  let template = loose.get(text);
  if (!template) {
    template = compile([text])[0] as Template;
    loose.set(text, template);
  }
  return fill(random, template, scene, undefined);
}

/** Paragraphs until the text has at least so many letters. */
export function writeLongText(random: Random, scene: Scene, letters: number): string {
  const paragraphs: string[] = [];
  for (let length = 0; length < letters; ) {
    const paragraph = writeText(random, scene, random.int(4, 9));
    paragraphs.push(paragraph);
    length += paragraph.length + 2;
  }
  return paragraphs.join('\n\n');
}
