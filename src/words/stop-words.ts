import { fold } from './tokens.ts';

/** Stop words, including question words and verbs of asking. Words that also name things, such as May, are not listed. */
const LISTS = {
  english: `a about after again all also am an and any are as at be because been before being between both but by can could did do
    does doing during each few find for from get give had has have having he her here hers him his how i if in into is it its just
    list me mine more most my no nor not of off on once only or other our ours out over own please same she should show so some
    such than that the their theirs them then there these they this those through to too under until up us very was we were what
    when where which while who whom whose why will with would you your yours`,
  german: `aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei bin bis bist da damit dann das dass
    dein deine dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen
    einer eines er es euch euer finde für gibt habe haben hat hatte hatten hier ich ihr ihre ihrem ihren ihrer im in ins ist
    ja jede jedem jeden jeder jedes kann kannst können man mein meine meinem meinen meiner meines mich mir mit nach nicht noch nun
    nur ob oder ohne sein seine seinem seinen seiner seit sich sie sind so über um und uns unser unsere unter vom von vor wann war
    waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden wie wieder wieviel will wir wird wo
    woher wohin wurde wurden zeig zeige zu zum zur zwischen`,
  french: `ai au aussi aux avec avez avons ce ces cet cette combien comme comment dans de depuis des donc dont du elle elles en
    entre es est et était être eu il ils je la le les leur leurs lui ma mais me même mes moi mon ne nos notre nous on ont ou où
    par pas pendant plus pour pourquoi qu quand que quel quelle quelles quels qui quoi sa sans se ses si son sont sous sur ta te
    tes toi ton tous tout toute toutes très tu un une vos votre vous`,
  spanish: `a al algo ante antes como cómo con contra cual cuál cuales cuándo cuando cuánto de del desde donde dónde durante e el él
    ella ellas ellos en entre era eres es esa ese eso esta está están estas este esto estos fue ha hace han hasta hay la las le
    les lo los mas más me mi mí mis mucho muy nada ni no nos nuestra nuestro o os otra otro para pero poco por porque qué que
    quién quien se sea ser si sí sin sobre son soy su sus también tanto te tengo tiene tu tus un una uno unos y ya yo`,
  italian: `a ai al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e è gli ha hai hanno ho i
    il in io la le lei li lo loro lui ma mi mia mie miei mio ne negli nei nel nella non noi nostra nostro o per perché più quale
    quali quando quanto quella quello questa questo se sei si sono su sua sue sui sul sulla suo ti tra tu tua tuo un una uno vi voi`,
  portuguese: `a ao aos as até com como da das de dela dele do dos e ela elas ele eles em entre era essa esse esta está este eu foi
    há isso isto já lhe mais mas me mesmo meu meus minha minhas muito na não nas nem no nos nossa nosso num numa o onde os ou para
    pela pelo por porque qual quais quando quanto que quem são se sem ser seu seus só sua suas também te tem tenho tu um uma você`,
  dutch: `aan al alle als ben bij dan dat de deze die dit doch door dus een en er ge geen haar had heb hebben heeft hem het hier hij
    hoe hoeveel hun ik in is ja je kan maar me meer met mij mijn na naar niet nog nu of om omdat onder ons ook op over te tegen
    toch toen tot uit van veel voor waar waarom wanneer was wat we wel welke werd wie wij wil wordt zal ze zich zij zijn zo zonder`,
  swedish: `alla att av blev bli blir de dem den denna deras dess det detta dig din dina du efter ej eller en er ett från för ha hade
    han har hans hennes hon honom hur här i icke in inom inte jag ju kan man med mellan men mig min mina mitt mot mycket ni nu när
    något och om oss på samma sedan sig sin sina själv ska som så till under upp ut utan var varför vad vem vi vid vilka vilken vilket vår åt är över`,
  russian: `а без более бы был была были было быть в вам вас во вот все всё вы где да для до его ее её ей если есть еще ещё же за
    и из или им их к как какая какой какие когда кто ли мне мои мой моя мы на над нам нас наш не него нее ней нет ни них но о об он
    она они оно от по под при с со так там те тем то того тоже той только тот ты у уже чего чем что чтобы эта эти это этот я`,
} as const;

export type Language = keyof typeof LISTS;

const stopWords = new Map(
  Object.entries(LISTS).map(([language, list]) => [
    language as Language,
    new Set(list.split(/\s+/).map((word) => fold(word))),
  ]),
);

/** Returns the languages with the most stop words among these words; none if no word is a stop word. */
export function findLanguages(words: readonly string[]): Language[] {
  const counts = [...stopWords].map(
    ([language, list]) => [language, words.filter((word) => list.has(word)).length] as const,
  );
  const maxCount = Math.max(...counts.map(([, count]) => count));
  return maxCount === 0 ? [] : counts.filter(([, count]) => count === maxCount).map(([language]) => language);
}

export function isStopWord(word: string, languages: readonly Language[]): boolean {
  return languages.some((language) => stopWords.get(language)?.has(word) === true);
}
