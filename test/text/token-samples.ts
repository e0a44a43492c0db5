/** Texts of at least 200 characters, by kind, to compare a token estimate with the real count. */

const createRandom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

type Random = ReturnType<typeof createRandom>;

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';

const letters = (random: Random, alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(random(alphabet.length))).join('');

const threeOf = (create: (random: Random) => string): string[] =>
  [11, 22, 33].map((seed) => create(createRandom(seed)));

const fill = (create: () => string, separator: string): string => {
  let text = create();
  while (text.length < 300) text += separator + create();
  return text;
};

const uuid = (random: Random): string => [8, 4, 4, 4, 12].map((n) => letters(random, HEX, n)).join('-');

const WORDS =
  'account balance calendar delivery evening flight garden holiday invoice journey kitchen letter message notebook order payment question receipt station ticket update visit weather window yesterday'.split(
    ' ',
  );
const word = (random: Random): string => WORDS[random(WORDS.length)] as string;
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => word(random)).join(' ');

const record = (random: Random) => ({
  id: `msg_${letters(random, LOWER + UPPER + DIGITS, 16)}`,
  thread_id: uuid(random),
  created_at: new Date(1.6e12 + random(1e9) * 100).toISOString(),
  subject: capitalized(words(random, 4)),
  body: `She said "${words(random, 5)}".\nThen: ${words(random, 6)}.\n\t- ${words(random, 3)}`,
  amount: random(1e6) / 100,
  currency: 'EUR',
  is_read: random(2) === 1,
  labels: [word(random), word(random)],
  reply_to: null,
});

const escapeAll = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

const url = (random: Random): string =>
  `https://www.${word(random)}${word(random)}.com/${word(random)}/${random(1e6)}?q=${encodeURIComponent(
    `${words(random, 2)}, ü`,
  )}&page=${random(50)}&session=${letters(random, LOWER + UPPER + DIGITS, 22)}&utm_source=${word(random)}`;

const proseSamples = {
  english: [
    'The letter arrived on a Tuesday, three weeks after my grandmother had died, and it was addressed to a man none of us had ever heard of. My mother turned it over twice, put the kettle on, and said that perhaps it would be better to leave such things alone. I waited until she had gone upstairs before I opened it.',
    'Thanks for getting back to me so quickly! We should be able to make it on Friday, although the trains have been awful lately, so don’t wait for us with dinner. I’ll bring the salad and Tom’s going to bake something. Could you ask Priya whether she’s still allergic to nuts? See you soon, and give the kids a hug.',
    'Quarterly revenue increased by 12 percent compared with the previous year, mainly because of stronger demand for maintenance contracts. The committee nevertheless recommended postponing the acquisition, citing regulatory uncertainty, rising interest rates and the difficulty of integrating two incompatible accounting systems.',
  ],
  german: [
    'Als die Straßenbahn endlich um die Ecke bog, waren meine Schuhe schon völlig durchnässt. Der Fahrer nickte mir freundlich zu, obwohl ich weder Fahrkarte noch Kleingeld hatte, und so fuhr ich schweigend bis zur Endhaltestelle, wo meine Schwester mit einem Regenschirm und einer Thermoskanne auf mich wartete.',
    'Sehr geehrte Damen und Herren, hiermit kündige ich meinen Mietvertrag fristgerecht zum nächstmöglichen Zeitpunkt. Bitte bestätigen Sie mir den Eingang dieses Schreibens sowie das Datum der Wohnungsübergabe schriftlich. Die Nebenkostenabrechnung senden Sie bitte an meine neue Anschrift. Mit freundlichen Grüßen',
    'Die Bundesregierung hat am Mittwoch einen Gesetzentwurf zur Beschleunigung von Genehmigungsverfahren beschlossen. Umweltverbände kritisierten, dass dadurch Beteiligungsrechte eingeschränkt würden, während Wirtschaftsvertreter die Änderungen als längst überfällig bezeichneten und weitere Erleichterungen forderten.',
  ],
  spanish: [
    'Cuando llegamos al pueblo ya era de noche y no quedaba ningún bar abierto. Mi tío, que conocía a todo el mundo, llamó a la puerta de una panadería y a los cinco minutos estábamos sentados en la cocina, comiendo pan caliente con aceite y escuchando las historias de la dueña sobre la gran nevada del año sesenta.',
    'Hola, Marta: te escribo para confirmar la reunión del próximo jueves a las diez y media. ¿Podrías enviarme antes el presupuesto actualizado y la lista de proveedores? También necesitamos decidir quién acompañará a los clientes durante la visita a la fábrica. ¡Muchas gracias por tu ayuda y un saludo muy cordial!',
    'El ayuntamiento aprobó ayer una ordenanza que limita la circulación de vehículos en el centro histórico. Según los técnicos municipales, la medida reducirá la contaminación acústica y mejorará la seguridad de los peatones, aunque los comerciantes temen que disminuyan las ventas durante los meses de verano.',
  ],
  french: [
    'Il pleuvait depuis trois jours lorsque le facteur apporta enfin la lettre que nous attendions. Ma sœur la déchira presque en l’ouvrant, puis elle s’assit près de la fenêtre et lut à voix basse, sans s’arrêter, pendant que le café refroidissait et que les enfants jouaient dans le couloir avec le vieux chien.',
    'Bonjour Madame, je vous remercie pour votre message. Malheureusement, la chambre que vous souhaitez réserver n’est plus disponible du 12 au 15 août. Nous pouvons toutefois vous proposer une suite avec vue sur le lac, petit-déjeuner compris, au même tarif. Veuillez agréer l’expression de nos sentiments distingués.',
    'Les chercheurs ont constaté que les abeilles modifiaient leur trajectoire en fonction de la lumière et du vent. Cette découverte, publiée la semaine dernière, pourrait améliorer la conception de petits appareils autonomes capables de se déplacer dans des environnements encombrés sans consommer trop d’énergie.',
  ],
  russian: [
    'Когда поезд наконец остановился, на платформе не было ни души. Я вышел с чемоданом в руке, огляделся и увидел старика в длинном пальто, который медленно шёл мне навстречу. Он молча взял мой чемодан, кивнул в сторону леса и сказал, что до дома придётся идти пешком, потому что дорогу размыло дождями.',
    'Здравствуйте, Ольга! Спасибо за быстрый ответ. Мы сможем приехать в субботу после обеда, если погода не испортится. Подскажите, пожалуйста, есть ли рядом с домом парковка и нужно ли привезти с собой постельное бельё. Дети очень ждут встречи с вашей собакой и уже нарисовали для неё подарок.',
    'Центральный банк сохранил ключевую ставку без изменений, отметив замедление инфляции и рост потребительского спроса. По мнению экономистов, дальнейшее смягчение политики возможно лишь в следующем году, если внешние условия останутся благоприятными, а бюджетные расходы не превысят запланированных значений.',
  ],
  arabic: [
    'وصلنا إلى القرية بعد غروب الشمس بقليل، وكانت رائحة الخبز تملأ الطرقات الضيقة. استقبلنا الشيخ عند باب بيته وأصر على أن نشرب الشاي قبل أن نتحدث عن أي شيء آخر. جلس الأطفال حولنا ينظرون بفضول إلى حقائبنا، بينما كانت جدتهم تروي قصة قديمة عن البحر والصيادين الذين لم يعودوا.',
    'السلام عليكم أستاذ محمد، أشكرك على رسالتك. أود أن أؤكد موعد الاجتماع يوم الخميس القادم في الساعة العاشرة صباحا في مكتب الشركة الجديد. هل يمكنك إرسال التقرير المالي وقائمة الموردين قبل ذلك؟ نحتاج أيضا إلى معرفة عدد الضيوف حتى نحجز القاعة المناسبة. مع خالص التحية والتقدير.',
    'أعلنت الحكومة اليوم عن خطة جديدة لتطوير شبكة النقل العام في العاصمة خلال السنوات الخمس المقبلة. وتشمل الخطة شراء حافلات كهربائية وتوسيع خطوط المترو وتحسين الأرصفة للمشاة. وقال الوزير إن المشروع سيوفر آلاف فرص العمل ويساهم في تقليل التلوث والازدحام في ساعات الذروة.',
  ],
  hindi: [
    'जब हम गाँव पहुँचे तो सूरज डूब चुका था और गलियों में ताज़ी रोटी की खुशबू फैली हुई थी। दादी दरवाज़े पर खड़ी हमारा इंतज़ार कर रही थीं। उन्होंने हमें आँगन में बैठाया, गरम चाय पिलाई और फिर देर रात तक पुराने दिनों की कहानियाँ सुनाती रहीं, जिन्हें सुनते हुए बच्चे वहीं सो गए।',
    'नमस्ते राहुल, तुम्हारे संदेश के लिए धन्यवाद। हम लोग शनिवार को दोपहर के बाद आ पाएँगे, अगर बारिश नहीं हुई तो। कृपया बताओ कि स्टेशन से घर तक बस मिलती है या टैक्सी लेनी पड़ेगी। माँ ने तुम्हारे लिए अचार और मिठाई भेजी है। बच्चों को हमारा प्यार देना और अपनी सेहत का ध्यान रखना।',
    'सरकार ने बुधवार को किसानों के लिए एक नई योजना की घोषणा की, जिसके तहत छोटे किसानों को कम ब्याज पर ऋण दिया जाएगा। मंत्री ने कहा कि इस योजना से लगभग दो करोड़ परिवारों को लाभ मिलेगा। विपक्ष का कहना है कि पिछली योजनाओं का पैसा अभी तक लोगों तक नहीं पहुँचा है।',
  ],
  thai: [
    'เมื่อเรามาถึงหมู่บ้านก็เป็นเวลาเย็นแล้ว กลิ่นข้าวหุงใหม่ลอยมาตามทาง คุณยายยืนรออยู่หน้าบ้านพร้อมรอยยิ้ม ท่านชวนเรานั่งดื่มชาและเล่าเรื่องสมัยที่ท่านยังเป็นเด็ก ตอนนั้นแม่น้ำยังใสและมีปลามากมาย พวกเด็กๆ นั่งฟังอย่างตั้งใจจนดึกดื่น แล้วก็หลับไปทีละคนใต้แสงตะเกียงดวงเล็ก',
    'สวัสดีค่ะคุณสมชาย ขอบคุณมากสำหรับข้อความของคุณ เราขอยืนยันการประชุมวันพฤหัสบดีหน้าเวลาสิบโมงเช้าที่สำนักงานใหม่ กรุณาส่งรายงานและรายชื่อผู้เข้าร่วมก่อนวันพุธด้วยนะคะ หากมีการเปลี่ยนแปลงใดๆ โปรดแจ้งให้เราทราบล่วงหน้าอย่างน้อยหนึ่งวัน ขอบคุณสำหรับความร่วมมือค่ะ',
    'รัฐบาลประกาศแผนพัฒนาระบบขนส่งสาธารณะในเมืองหลวงเมื่อวานนี้ โดยจะเพิ่มรถโดยสารไฟฟ้าและขยายเส้นทางรถไฟใต้ดินภายในห้าปี รัฐมนตรีกล่าวว่าโครงการนี้จะช่วยลดมลพิษและการจราจรติดขัดในชั่วโมงเร่งด่วน แต่นักวิชาการบางคนกังวลเรื่องงบประมาณและผลกระทบต่อชุมชนริมทาง',
  ],
  chinese: [
    '我们到达村子的时候天已经黑了，狭窄的小路上飘着刚出炉的面包的香味。老人站在门口等我们，非要我们先喝完茶再谈别的事情。孩子们围着我们坐下，好奇地看着我们的行李，奶奶则讲起了一个关于大海和渔夫的古老故事。夜里下起了雨，屋顶上的声音让人想起小时候的夏天。第二天早上，我们沿着河边走了很久，直到太阳升起来，才找到那座桥。桥的另一边是一片稻田，几个农民正在田里忙着插秧，他们向我们挥手，问我们从哪里来，要到什么地方去。',
    '您好，感谢您这么快回复我的邮件。关于下周四的会议，我想确认一下时间和地点：上午十点，在公司新办公室三楼。请您提前把最新的预算表和供应商名单发给我，我们需要在会前核对一遍。另外，客户参观工厂的时候由谁陪同，也请您尽快决定。如果时间有变动，请至少提前一天通知大家。会后我们会一起吃午饭，餐厅已经预订好了，离办公室步行只需要五分钟。如果有人对海鲜过敏，请在周三之前告诉我，我会让餐厅准备别的菜。祝您工作顺利，身体健康！',
    '昨天市政府通過了一項新的規定，限制車輛進入歷史悠久的老城區。根據專家的說法，這項措施將減少噪音和空氣污染，並提高行人的安全。然而，許多商店老闆擔心夏季的營業額會下降，要求政府提供補助。交通局長表示，未來三年內還會增加電動公車的班次，並延長地鐵的營運時間。居民對此看法不一，有人支持，也有人批評政策太過倉促。反對黨的議員認為，應該先完成停車場的建設，再考慮擴大管制範圍，否則附近的社區將承受更大的交通壓力。',
  ],
  japanese: [
    '村に着いたのは、もう日が暮れたあとだった。細い道には焼きたてのパンの香りが漂っていて、門の前ではおじいさんが私たちを待っていた。まずはお茶を飲みなさいと言われ、縁側に座って温かい湯のみを受け取った。子どもたちは荷物を不思議そうに眺め、おばあさんは海と漁師の古い話をゆっくりと語ってくれた。その夜は雨の音を聞きながら、久しぶりにぐっすり眠ることができた。翌朝、窓を開けると山の上に虹がかかっていて、みんなで歓声を上げた。',
    'お世話になっております。先日はお忙しい中、お時間をいただきありがとうございました。来週の木曜日の打ち合わせですが、午前十時から新しいオフィスの三階で行いたいと思います。お手数ですが、最新の見積書と参加者のリストを水曜日までにお送りいただけますでしょうか。ご都合が悪い場合は、前日までにご連絡ください。また、工場見学の際の送迎につきましては、改めてメールでご案内いたします。何卒よろしくお願い申し上げます。',
    '政府は水曜日、首都圏の公共交通を改善するための新しい計画を発表した。電気バスの導入や地下鉄の延伸、歩道の整備などが含まれ、五年間で実施される予定だ。大臣は、このプロジェクトによって多くの雇用が生まれ、ラッシュアワーの混雑や大気汚染も減ると説明した。一方で、専門家の中には予算の規模や工事中の影響を心配する声もある。インターネットのアンケートでは、回答者の約六割が計画に賛成し、二割が反対すると答えたという。',
  ],
  korean: [
    '우리가 마을에 도착했을 때는 이미 해가 진 뒤였다. 좁은 골목마다 갓 구운 빵 냄새가 퍼져 있었고, 할아버지는 대문 앞에서 우리를 기다리고 계셨다. 다른 이야기를 하기 전에 먼저 차를 마시라고 하셔서 우리는 마루에 앉아 따뜻한 찻잔을 받았다. 아이들은 우리 짐을 신기하게 바라보았고, 할머니는 바다와 어부에 관한 옛날이야기를 천천히 들려주셨다. 그날 밤에는 빗소리를 들으며 오랜만에 푹 잤다.',
    '안녕하세요, 빠른 답장 감사합니다. 다음 주 목요일 회의는 오전 열 시에 새 사무실 삼 층에서 진행할 예정입니다. 번거로우시겠지만 최신 견적서와 참석자 명단을 수요일까지 보내 주시면 감사하겠습니다. 일정이 바뀌면 적어도 하루 전에 알려 주세요. 공장 견학 때 누가 고객을 안내할지도 함께 정했으면 합니다. 궁금한 점이 있으시면 언제든지 연락 주시기 바랍니다. 좋은 하루 보내세요.',
    '정부는 수요일 수도권 대중교통을 개선하기 위한 새로운 계획을 발표했다. 전기 버스를 도입하고 지하철 노선을 연장하며 보행로를 정비하는 내용이 포함되어 있고, 앞으로 오 년 동안 추진된다. 장관은 이 사업으로 많은 일자리가 생기고 출퇴근 시간의 혼잡과 대기 오염도 줄어들 것이라고 설명했다. 그러나 일부 전문가들은 예산 규모와 공사 기간의 불편을 우려하고 있다.',
  ],
};

const codeSamples = {
  typescript: [
    'export async function findVisibleRecords(reader: GrantedReader, query: Query): Promise<Page<Record>> {\n  const streams = query.streams ?? (await reader.listStreams());\n  const hits = await Promise.all(streams.map((stream) => reader.search(stream, query.text)));\n  return { items: hits.flat().slice(0, query.limit ?? 20), hasMore: hits.length > 20 };\n}\n',
    "import { readFile } from 'node:fs/promises';\nimport { z } from 'zod';\n\nconst Config = z.object({ port: z.number().int().default(8080), host: z.string().default('127.0.0.1') });\n\nexport type Config = z.infer<typeof Config>;\n\nexport const loadConfig = async (path: string) => Config.parse(JSON.parse(await readFile(path, 'utf8')));\n",
    'class TokenBucket {\n  #tokens: number;\n  #updatedAt = Date.now();\n\n  constructor(private readonly capacity: number, private readonly perSecond: number) {\n    this.#tokens = capacity;\n  }\n\n  take(count = 1): boolean {\n    const now = Date.now();\n    this.#tokens = Math.min(this.capacity, this.#tokens + ((now - this.#updatedAt) / 1000) * this.perSecond);\n    if (this.#tokens < count) return false;\n    this.#tokens -= count;\n    return true;\n  }\n}\n',
  ],
  python: [
    'from dataclasses import dataclass, field\nfrom datetime import datetime\n\n\n@dataclass(frozen=True)\nclass Invoice:\n    number: str\n    issued_at: datetime\n    lines: list["Line"] = field(default_factory=list)\n\n    def total(self) -> float:\n        """Sum of all lines, rounded to cents."""\n        return round(sum(line.quantity * line.unit_price for line in self.lines), 2)\n',
    'def parse_log(path):\n    pattern = re.compile(r"^(?P<ip>\\d+\\.\\d+\\.\\d+\\.\\d+) - - \\[(?P<time>[^\\]]+)\\] \\"(?P<request>[^\\"]*)\\" (?P<status>\\d{3})")\n    with open(path, encoding="utf-8") as handle:\n        for line_number, line in enumerate(handle, start=1):\n            match = pattern.match(line)\n            if not match:\n                raise ValueError(f"{path}:{line_number}: cannot parse {line!r}")\n            yield match.groupdict()\n',
    'import numpy as np\nimport pandas as pd\n\ndf = pd.read_csv("sales.csv", parse_dates=["date"], dtype={"store_id": "int32"})\ndf["month"] = df["date"].dt.to_period("M")\nsummary = df.groupby(["store_id", "month"]).agg(revenue=("amount", "sum"), orders=("order_id", "nunique"))\nsummary["zscore"] = (summary.revenue - summary.revenue.mean()) / np.sqrt(summary.revenue.var(ddof=1))\nprint(summary.head(10))\n',
  ],
  sql: [
    "SELECT c.id, c.name, COUNT(o.id) AS order_count, SUM(o.total_cents) / 100.0 AS revenue\nFROM customers AS c\nLEFT JOIN orders AS o ON o.customer_id = c.id AND o.status <> 'cancelled'\nWHERE c.created_at >= '2023-01-01'\nGROUP BY c.id, c.name\nHAVING COUNT(o.id) > 3\nORDER BY revenue DESC\nLIMIT 50;\n",
    'CREATE TABLE IF NOT EXISTS records (\n  connection_id TEXT NOT NULL REFERENCES connections(id) ON DELETE CASCADE,\n  stream TEXT NOT NULL,\n  record_key TEXT NOT NULL,\n  emitted_at INTEGER NOT NULL,\n  body JSON NOT NULL CHECK (json_valid(body)),\n  PRIMARY KEY (connection_id, stream, record_key)\n) WITHOUT ROWID;\nCREATE INDEX records_by_time ON records (stream, emitted_at DESC);\n',
    "with monthly as (\n  select date_trunc('month', paid_at) as month, account_id, sum(amount) as paid\n  from payments where paid_at between :start and :end group by 1, 2\n)\ninsert into report (month, account_id, paid, previous)\nselect month, account_id, paid, lag(paid, 1, 0) over (partition by account_id order by month) from monthly\non conflict (month, account_id) do update set paid = excluded.paid;\n",
  ],
  'minified javascript': [
    '!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?t(exports):"function"==typeof define&&define.amd?define(["exports"],t):t((e=e||self).lib={})}(this,function(e){"use strict";var n=Object.prototype.hasOwnProperty;function r(e,t){return n.call(e,t)}e.has=r,e.keys=function(e){var t=[];for(var n in e)r(e,n)&&t.push(n);return t}});',
    'const a=t=>{let e=0;for(let n=0;n<t.length;n++)e=(e<<5)-e+t.charCodeAt(n)|0;return e>>>0},b=(t,e)=>t.map((t,n)=>[t,e[n]]),c=async t=>{const e=await fetch(t,{headers:{accept:"application/json"}});if(!e.ok)throw Error("HTTP "+e.status);return e.json()};export{a as hash,b as zip,c as get};',
    'var i=0,o=[],s={};function u(t){if(s[t])return s[t].exports;var n=s[t]={i:t,l:!1,exports:{}};return e[t].call(n.exports,n,n.exports,u),n.l=!0,n.exports}u.m=e,u.c=s,u.d=function(e,t,n){u.o(e,t)||Object.defineProperty(e,t,{enumerable:!0,get:n})},u.r=function(e){"undefined"!=typeof Symbol&&Symbol.toStringTag&&Object.defineProperty(e,Symbol.toStringTag,{value:"Module"})},u.p="",u(u.s=42);',
  ],
};

const jsonSamples = {
  'json records': [
    ...threeOf((random) => JSON.stringify({ data: [record(random), record(random)], has_more: true })),
    '{"stream":"plays","records":[{"artist":"Nina Simone","track":"Feeling Good","played_at":"2024-03-09T21:14:07Z","ms":174000,"skipped":false},{"artist":"Khruangbin","track":"Time (You and I)","played_at":"2024-03-09T21:20:31Z","ms":342120,"skipped":true}],"next_cursor":null}',
  ],
  'json with \\u escapes': [
    ...proseSamples.russian.map((text) => escapeAll(text.slice(0, 150))),
    ...proseSamples.french.map(escapeAll),
    ...proseSamples.japanese.map((text) => escapeAll(text.slice(0, 60))),
  ],
  'json inside json': threeOf((random) =>
    JSON.stringify({
      raw: JSON.stringify([record(random), record(random)]),
      nested: JSON.stringify({ deep: JSON.stringify(record(random)) }),
    }),
  ),
};

const identifierSamples = {
  urls: threeOf((random) => fill(() => url(random), '\n')),
  base64: threeOf((random) => Buffer.from(Array.from({ length: 300 }, () => random(256))).toString('base64')),
  hex: threeOf((random) => letters(random, HEX, 400)),
  uuids: threeOf((random) => fill(() => uuid(random), ', ')),
  'random alphanumerics': threeOf((random) => letters(random, LOWER + UPPER + DIGITS, 300)),
  'random small letters': threeOf((random) => letters(random, LOWER, 300)),
  'camel case': threeOf((random) =>
    fill(() => word(random) + capitalized(word(random)) + capitalized(word(random)), ', '),
  ),
  'snake case': threeOf((random) => fill(() => words(random, 3).replaceAll(' ', '_'), '\n')),
  numbers: threeOf((random) => fill(() => `${random(1e6) - 5e5}${random(2) ? `.${random(1e4)}` : ''}`, ', ')),
  digits: threeOf((random) => letters(random, DIGITS, 250)),
};

const UNUSUAL =
  '\u0000\u0001\u0007\u001b\u007f\u0085\u00a0\u00ad\u200b\u200e\u2028\u202e\u2060\ufeff\ufffd\u0301\u0308\ud800\udc00';
const PICTURES = '😀 😂 ❤️ 👍🏽 🎉 🔥 👨‍👩‍👧‍👦 👩‍💻 🏳️‍🌈 🇩🇪 🇯🇵 🇧🇷 🧪 🪴 ☕ ✅ 🚀 🫠 🧑‍🚀 🦄'.split(' ');

const otherSamples = {
  emoji: threeOf((random) => fill(() => PICTURES[random(PICTURES.length)] as string, '')),
  'emoji in prose': threeOf((random) =>
    fill(() => `${words(random, 3)} ${PICTURES[random(PICTURES.length)]}`, ' '),
  ),
  'unusual characters': threeOf((random) => letters(random, UNUSUAL, 250)),
  'runs of one character': [...' \n\t-=_.*#aAzZ0"\\é好ж'].map((character) => character.repeat(400)),
  'blank lines and indentation': threeOf((random) =>
    fill(() => ' '.repeat(random(40)) + word(random) + '\n'.repeat(1 + random(4)), ''),
  ),
  'all caps': [proseSamples.english, proseSamples.german, proseSamples.spanish].flatMap((texts) =>
    texts.map((text) => text.toUpperCase()),
  ),
};

export const tokenSamples: Record<string, string[]> = {
  ...proseSamples,
  ...codeSamples,
  ...jsonSamples,
  ...identifierSamples,
  ...otherSamples,
};
