import type { Kind } from './kinds.ts';

/**
 * A question about the demo and the rule that judges it. A record answers when its searched text says all of
 * `says`, it is of a stream that begins with `within`, and, where only the newest count, it is one of those.
 */
export interface DemoQuestion {
  readonly kind: Kind;
  readonly text: string;
  readonly says: readonly RegExp[];
  readonly within?: string;
  readonly newest?: number;
}

const ask = (kind: Kind, text: string, says: RegExp | RegExp[], within?: string): DemoQuestion => ({
  kind,
  text,
  says: [says].flat(),
  ...(within === undefined ? {} : { within }),
});
const askNewest = (text: string, says: RegExp, within: string, newest = 1): DemoQuestion => ({
  ...ask('recency', text, says, within),
  newest,
});

const EVENTS = 'google_calendar/events';
const BANK = 'bank_checking/transactions';
const MAIL = 'gmail_personal';

export const demoQuestions: readonly DemoQuestion[] = [
  ask('sentence', 'when is my dentist appointment', /^Dentist/, EVENTS),
  ask('sentence', 'when do I have physiotherapy', /^Physiotherapy/, EVENTS),
  ask('sentence', 'what did I pay for electricity each month', /^Electricity instalment/m, BANK),
  ask('sentence', 'how much is the rent for the flat in Lindenstraße', /^Rent Lindenstraße/m, BANK),
  ask('sentence', 'which weekends did I go away for climbing', /\(climbing\)$/m, EVENTS),
  ask('sentence', 'when is the birthday of Greta', /^Birthday of Greta/, EVENTS),
  ask('sentence', 'was the booking for Valencia confirmed', /Booking confirmation .*Valencia/, MAIL),
  ask('sentence', 'when do I meet Helena for our one-on-one', /^One-on-one with Helena/, EVENTS),
  ask('sentence', 'when do I go bouldering with Léa again', /^Bouldering with Léa/, EVENTS),
  ask(
    'sentence',
    'what does the membership of the climbing hall cost me',
    /^Membership climbing hall/m,
    BANK,
  ),
  ask('sentence', 'what do I pay for my mobile phone', /^Mobile phone/m, BANK),
  ask('sentence', 'how much do I pay for the ChatGPT subscription', /^ChatGPT Plus subscription/m, BANK),
  ask(
    'sentence',
    'who answers support on the weekends',
    /^Who answers support on weekends/,
    'harmonic/decisions',
  ),
  ask(
    'sentence',
    'how do travellers sign in without a password',
    /Signing in takes one touch and no password/,
  ),
  ask(
    'sentence',
    'what if the booking mail is in a language that we do not parse',
    /booking mail is in a language/,
  ),
  ask('sentence', 'which provider did not answer in time', /The provider did not answer within/),
  ask(
    'sentence',
    'how late is late enough to send a notification',
    /How late is late enough for a notification/,
  ),
  ask(
    'sentence',
    'how long do we keep the vector tiles around the route',
    /vector tiles .* keep them for thirty days/,
  ),
  ask(
    'sentence',
    'what do travellers say about the arrival alerts',
    /^What travellers say about arrival alerts/,
  ),
  ask('sentence', 'how much cash did I withdraw at Nordbank', /Nordbank.*cash withdrawal/, BANK),
  ask('sentence', 'on which days had I slept badly before the workout', /Slept badly/, 'apple_health'),
  ask('sentence', 'where did I reach a new personal best', /New personal best/, 'apple_health'),
  ask('sentence', 'how much did the tickets at the jazz club cost', /Jazzclub Keller.*tickets/, BANK),
  ask('sentence', 'when does the choir sing', /^Choir/, EVENTS),
  ask('sentence', 'how many shoes did I rent at Boulderwerk', /Boulderwerk.*shoe rental/, BANK),
  ask(
    'sentence',
    'where is the receipt from the bike rental Stadtrad Verleih',
    /receipt from Stadtrad Verleih/,
    MAIL,
  ),
  ask(
    'sentence',
    'what does the release checklist commitment say',
    /Go through the checklist with a stopwatch/,
  ),
  ask('sentence', 'which map style should come first', /^Which map style comes first/, 'harmonic/decisions'),
  ask('sentence', 'do we show prices in the plan', /^Do we show prices in the plan/, 'harmonic/decisions'),
  ask('sentence', 'wann wird die Heizung abgelesen', /Heizungsablesung|Ablesung der Zähler/, MAIL),

  ask('word', 'dentist', /\bdentists?\b/i),
  ask('word', 'physiotherapy', /\bphysiotherapy\b/i),
  ask('word', 'salary', /\bsalary\b/i),
  ask('word', 'meringue', /\bmeringues?\b/i),
  ask('word', 'baptism', /\bbaptisms?\b/i),
  ask('word', 'frittata', /\bfrittatas?\b/i),
  ask('word', 'quadtree', /\bquadtrees?\b/i),
  ask('word', 'fingerboard', /\bfingerboards?\b/i),
  ask('word', 'telescope', /\btelescopes?\b/i),
  ask('word', 'stemmer', /\bstemmers?\b/i),
  ask('word', 'hazelnut', /\bhazelnuts?\b/i),
  ask('word', 'dragonfly', /\bdragonfl(y|ies)\b/i),

  ask('form', 'confirming a booking for Kyoto', /Booking confirmation .*Kyoto/, MAIL),
  ask('form', 'memberships', /\bmemberships?\b/i),
  ask('form', 'dentists', /\bdentists?\b/i),
  ask('form', 'birthdays of Ploy', /^Birthday of Ploy/, EVENTS),
  ask('form', 'cash withdrawn', /cash withdrawal/i),
  ask('form', 'concerts with Priya', /^Concert with Priya/, EVENTS),
  ask('form', 'sprints planned', /^Sprint planning/, EVENTS),
  ask('form', 'Nebenkostenabrechnungen', /Nebenkostenabrechnung/),
  ask('form', 'passkeys', /\bpasskeys?\b/i),
  ask('form', 'retrospectives', /\bretrospectives?\b/i),

  ask('typo', 'dentst', /\bdentists?\b/i),
  ask('typo', 'phisiotherapy', /\bphysiotherapy\b/i),
  ask('typo', 'electrcity instalment', /^Electricity instalment/m, BANK),
  ask('typo', 'Kyotto holiday', /^Kyoto \(holiday\)/, EVENTS),
  ask('typo', 'Fontainbleau climbing', /^Fontainebleau \(climbing\)/, EVENTS),
  ask('typo', 'bokking confirmation Lyon', /Booking confirmation .*Lyon/, MAIL),
  ask('typo', 'Nebenkostenabrechnug', /Nebenkostenabrechnung/),
  ask('typo', 'sprint planing', /^Sprint planning/, EVENTS),
  ask('typo', 'membreship climbing hall', /^Membership climbing hall/m, BANK),
  ask('typo', 'mernigue', /\bmeringues?\b/i),
  ask('typo', 'Heizungsablesng', /Heizungsablesung/),
  ask('typo', 'fritatta recipe', /Recipe: frittata/),
  ask('typo', 'kingfihser canal', /The kingfisher is back at the canal/),

  ask('name', 'Lea Martin', /L[ée]a[ .]Martin/i),
  ask('name', 'Léa Martin', /L[ée]a[ .]Martin/i),
  ask('name', 'Tomas Herrera', /Tom[áa]s[ .]Herrera/i),
  ask('name', 'Tomas Okafor', /Tomas[ .]Okafor/i),
  ask('name', 'Kenji Watanabe', /Kenji[ .]Watanabe/i),
  ask('name', 'Ploy Srisai', /Ploy[ .]Srisai/i),
  ask('name', 'Fatima El Amrani', /Fatima[ .]El[ .]Amrani/i),
  ask('name', 'Ruben de Vries', /Ruben[ .]de[ .]Vries/i),
  ask('name', 'backerei sommer', /Bäckerei Sommer/),
  ask('name', 'Cafe Morgenrot', /Café Morgenrot/),
  ask('name', 'Gartencenter Grun', /Gartencenter Grün/),
  ask('name', 'mobel nord', /Möbel Nord/),
  ask('name', 'Praxis Doktor Yilmaz', /Praxis Doktor Yilmaz/),

  ask('number', 'NE-80094', /NE-80094/),
  ask('number', 'booking BZ-52496', /BZ-52496/),
  ask('number', 'firmware QM-76033', /QM-76033/),
  ask('number', 'RQ-50762', /RQ-50762/),
  ask('number', 'order 9007199254740993', /\b9007199254740993\b/),
  ask('number', '5 millimetres of play', /\b5 millimetres of play/),
  ask('number', 'bake it for 55 minutes', /Bake it for 55 minutes/),
  ask('number', 'receipt number KZ-88422', /KZ-88422/),

  ask('address', 'lea.martin@kletterfreunde.example', /lea\.martin@kletterfreunde\.example/),
  ask('address', 'hello@field-notes.example', /hello@field-notes\.example/),
  ask('address', 'src/trip-search/device-index.ts', /src\/trip-search\/device-index\.ts/),
  ask('address', 'credential-storage.ts', /credential-storage\.ts/),
  ask('address', 'oskar.lindholm', /oskar\.lindholm/),
  ask('address', 'kenji.watanabe@post.example', /kenji\.watanabe@post\.example/),

  ask('phrase', '"sprint planning"', /sprint planning/i),
  ask('phrase', '"dry from Saturday on"', /dry from Saturday on/i),
  ask('phrase', '"bring lunch"', /bring lunch/i),
  ask('phrase', '"the number now has a date"', /the number now has a date/i),
  ask('phrase', '"fingers fine"', /fingers fine/i),

  ask('cjk', '写真を送ります', /写真を送ります/),
  ask('cjk', '京都旅行', /京都旅行/),
  ask('cjk', '室内攀岩馆', /室内攀岩馆/),
  ask('cjk', '桜が満開', /桜が満開/),
  ask('cjk', '漢字の練習', /漢字の練習/),
  ask('cjk', 'สวัสดีปีใหม่', /สวัสดีปีใหม่/),

  askNewest('last standup', /^Standup/, EVENTS),
  askNewest('most recent salary', /^Salary/m, BANK),
  askNewest('latest retrospective', /^Retrospective/, EVENTS),
  askNewest('last rent payment', /^Rent Lindenstraße/m, BANK),
  askNewest('most recent one-on-one with Helena', /^One-on-one with Helena/, EVENTS),
  askNewest('latest Nebenkostenabrechnung', /Nebenkostenabrechnung/, 'gmail_personal/threads'),
  askNewest('recent bouldering with Léa', /^Bouldering with Léa/, EVENTS, 3),
  askNewest('last electricity instalment', /^Electricity instalment/m, BANK),

  ask(
    'known-item',
    'the bed that survived the frost under the fleece',
    /bed under the fleece survived the frost/,
  ),
  ask('known-item', 'how the octopus got its name', /How the octopus got its name/),
  ask('known-item', 'the suitcase that went to Riga without me', /My suitcase went to Riga without me/),
  ask('known-item', 'three days in Arco', /Three days in Arco/),
  ask('known-item', 'lunch talk about map tiles', /Lunch talk about map tiles/),
  ask('known-item', 'try the app on a train without signal', /Try the app on a train without signal/),
  ask('known-item', 'photos of the loose heat sink', /photos of the loose heat sink/i),
  ask('known-item', 'delete flags nobody touched since last year', /Delete flags that nobody has touched/),
  ask('known-item', 'soil moisture for eleven pots', /Soil moisture for eleven pots/),
  ask('known-item', 'tells you when to fold', /Tells you when to fold/),
  ask('known-item', 'crash when the shopping list is empty', /crash(es)? when the shopping list is empty/i),
];
