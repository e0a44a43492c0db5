import { words } from './words.ts';

/** Most often mentioned first. */
export const places =
  words(`Berlin Lübeck Munich Valencia Lyon Kyoto Hamburg Fontainebleau Siurana Chamonix Leipzig
  Dresden Zürich Vienna Paris Barcelona Madrid Tokyo Osaka Copenhagen Oslo Stockholm Helsinki Tallinn Riga Vilnius
  Warsaw Kraków Prague Budapest Ljubljana Zagreb Trieste Venice Milan Florence Rome Naples Palermo Athens Kalymnos
  Thessaloniki Istanbul Beirut Amman Cairo Marrakesh Lisbon Porto Seville Granada Bilbao Toulouse Marseille Grenoble
  Geneva Bern Basel Innsbruck Salzburg Arco Bolzano Nuremberg Cologne Bremen Rostock Potsdam Utrecht Rotterdam Ghent
  Antwerp Brussels Edinburgh Glasgow Dublin Galway Bristol Sheffield Leeds Reykjavík Tromsø Bergen Gothenburg Malmö
  Aarhus Shanghai Chengdu Taipei Seoul Hanoi Bangkok Krabi Jaipur Mumbai Kolkata Kathmandu Montréal Toronto Boston
  Chicago Denver Bishop Lima Bogotá Quito Santiago`);

/** Places the owner travels to in the years before the one that is told in detail. */
export const destinations = [
  ['Arco', 'Italy', 'EUR'],
  ['Edinburgh', 'United Kingdom', 'GBP'],
  ['Lisbon', 'Portugal', 'EUR'],
  ['Bern', 'Switzerland', 'CHF'],
  ['Krabi', 'Thailand', 'THB'],
  ['Copenhagen', 'Denmark', 'DKK'],
  ['Ljubljana', 'Slovenia', 'EUR'],
  ['Osaka', 'Japan', 'JPY'],
  ['Chengdu', 'China', 'CNY'],
  ['Beirut', 'Lebanon', 'USD'],
  ['Jaipur', 'India', 'INR'],
  ['Kalymnos', 'Greece', 'EUR'],
  ['Granada', 'Spain', 'EUR'],
  ['Tromsø', 'Norway', 'NOK'],
] as const;

const streetStarts =
  words(`Linden Birken Kastanien Mühlen Brunnen Garten Wasser Schiller Goethe Kant Luther Ahorn Eichen
  Rosen Kirch Markt Hafen Turm Brücken Sonnen Falken Adler Hirsch Berg Tal Wald Wiesen Feld Stein Silber Gold Kupfer
  Schmiede Weber Töpfer Fischer Müller Bäcker Jäger Gerber Seiler Wagner Zimmer Kloster Burg Schloss Ritter Kaiser`);
const streetEnds = words('straße weg platz allee gasse ufer ring damm');

/** Several hundred street names, so that some of them occur once in a large set. */
export const streets = streetEnds.flatMap((end) => streetStarts.map((start) => start + end));

const syllables =
  words(`bel cor dan fel gar hol jun kal lom mer nor pal quin ras sel tor ul ven wil xan yar zem bri cla
  dro fri gre kli plo ska sti tre`);
const endings = words(
  'berg bruck din feldt gaard holm ić ini ka lund man nen ov quist ro sen stad ton vik zyk',
);

/** Some 20,000 surnames nobody has: the rare end of the vocabulary. */
export const rareNames = syllables.flatMap((first) =>
  syllables.flatMap((second) =>
    endings.map((end) => (first[0] as string).toUpperCase() + first.slice(1) + second + end),
  ),
);
