import { findCurrency } from './parse-amount.ts';

/**
 * Names of columns in the languages of banks, without accents and punctuation, separated by bars. Each name
 * occurs once. Where two roles share a word (`valuta` is a date in German, a currency in Dutch), the values
 * decide.
 */
const WORDS = {
  date: `date|booking date|posting date|posted date|post date|date posted|posted on|completed date|date completed|
    finished on|clearing date|settlement date|transaction date|transaction date time|datetime|date time|
    timestamp|date utc|created on|created|buchungstag|buchungsdatum|buchung|datum|transaktionsdatum|
    date operation|dateop|date de l operation|date d operation|date de comptabilisation|date comptable|fecha|
    fecha operacion|fecha de operacion|datum der transaktion|f operacion|fecha contable|data|data operazione|
    data contabile|data movimento|data mov|data lancamento|data do lancamento|boekdatum|boekingsdatum|
    transactiedatum|uitvoeringsdatum|bokforingsdag|bokforingsdatum|dato|bogforingsdato|bokfort|bokfort dato|
    utfort dato|paivamaara|kirjauspaiva|data operacji|data ksiegowania|data transakcji|datum zauctovani|
    datum provedeni|tarih|islem tarihi|дата|дата операции|дата платежа|дата проводки|konyveles datuma|
    data tranzactiei|日付|取引日|交易日期|交易时间|booked at|booked on|booking time|datum des abschlusses|abschlussdatum|
    date de fin|date de cloture|fecha de finalizacion|fecha movimiento|data di completamento|data registrazione|
    data di registrazione|data zakonczenia|data de conclusao|datum voltooid|data ora|settled date|date settled|
    transaction posted date|txn date|tran date|transaktionstag|umsatzdatum|data wykonania|
    data zlecenia operacji|reskontradatum|utfort|date comptabilisation|datum transakce|datum operace|
    datum uctovani|tranzakcio datuma|data finalizarii tranzactiei|tarih saat|年月日|お取引日|取引日付|
    ご利用日|利用日|交易创建时间|记账日期|kuupaev|datums|дата обработки|거래일시|거래일자|거래일|datum knjizenja|datum izvrsenja|datum prometa|datum transakcije|תאריך|תאריך פעולה|ημερομηνια`,
  paidOn: `trans date|started date|date started|purchase date|belegdatum|kaufdatum|transaktionsdag|date transaction|
    date de transaction|date d achat|fecha de compra|data acquisto|date of transaction|datum des beginns|
    startdatum|date de debut|date de lancement|fecha de inicio|data di inizio|data rozpoczecia|data de inicio|付款时间`,
  valueDate: `value date|wertstellung valuta|valutadatum|wertstellung|wertstellungsdatum|wert|date valeur|date de valeur|dateval|fecha valor|
    f valor|data valuta|data valor|rentedatum|valutadag|rentedato|arvopaiva|maksupaiva|data waluty|
    datum splatnosti|value dat|valuta date|valuta datum|effective date|data di valuta|fecha de valor|erteknap|
    תאריך ערך|rentedag|datum valuty|datum valute|interest date`,
  time: 'time|transaction time|uhrzeit|heure|hora|ora|tijd|tid|saat',
  zone: 'timezone|time zone|zeitzone|fuseau horaire|zona horaria',
  amount: `amount|transaction amount|amt|gross|gross amount|brutto|betrag|umsatz|montant|montant operation|
    montant de l operation|importe|cantidad|monto|importe total|importo|valor|quantia|montante|
    valor da transacao|bedrag|transactiebedrag|belopp|belob|belop|maara|summa|kwota|kwota operacji|
    kwota transakcji|castka|objem|tutar|islem tutari|сумма|сумма операции|сумма платежа|osszeg|suma|金額|金额|
    source amount after fees|amount in account currency|value|total|net amount in account currency|
    credit debit amount|debit credit amount|amount total|transaktionsbetrag|buchungsbetrag|
    montant euros|montant en euros|montant net|importe eur|importo eur|kwota transakcji waluta rachunku|
    kwota w walucie rachunku|maara euroa|сумма пересчитанная в валюту счета|金额 元|金額 円|入出金 円|利用金額|お支払金額|取引金額|거래금액|이용금액|iznos|znesek|סכום|ποσο`,
  debit: `debit|debits|debit amount|withdrawal|withdrawals|withdrawal amount|withdrawal amt|money out|paid out|
    payments out|spent|soll|belastung|lastschrift|ausgang|ausgabe|depense|cargo|cargos|debe|addebito|addebiti|
    uscite|dare|debito|rechnungsbetrag ausgehend|debit euros|ut|ut fra konto|ut av konto|obciazenia|расход|
    outflow|debit amt|belastungen|betrag soll|sortie|sorties|
    debits euros|retrait|retiros|saidas|saida|importo addebito|uit|uttag|utgift|vydej|kiadas|terheles|debet|
    お引出し|お引出金額|引出金額|出金額|出金|支払い金額|支払金額|払出金額 円|支出金额|支出|belop ut|isplata|isplate|v breme|duguje|출금액|출금금액|출금|찾으신금액|בחובה|חובה|χρεωση|borc`,
  credit: `credit|credits|credit amount|deposit|deposits|deposit amount|deposit amt|money in|paid in|payments in|
    received|haben|gutschrift|eingang|einnahme|recette|abono|abonos|haber|accredito|accrediti|entrate|avere|
    credito|rechnungsbetrag eingehend|credit euros|inn|inn pa konto|uznania|приход|inflow|credit amt|gutschriften|betrag haben|entree|entrees|depot|depositos|
    entradas|entrada|importo accredito|insattning|inkomst|prijem|bevetel|jovairas|お預入れ|お預入金額|預入金額|入金額|入金|預かり金額|
    受入金額 円|收入金额|收入|belop inn|uplata|uplate|v dobro|potrazuje|입금액|입금금액|입금|맡기신금액|בזכות|זכות|πιστωση|alacak`,
  direction: `debit credit|credit debit|dc|d c|cr dr|dr cr|soll haben|s h|af bij|debet credit|bij af|
    credit debit indicator|credit or debit|credit debit code|direction|sens|debe haber|
    transaction direction|credit debit flag|debit or credit|credit debet|debet kredit|d k|收 支|收支`,
  currency: `currency|transaction currency|account currency|ccy|wahrung|waehrung|devise|moneda|divisa|valuta|munt|
    muntsoort|mutation currency|valutakod|waluta|mena|monn|wahrung der karte|para birimi|валюта|валюта операции|
    currency code|source currency|currency symbol|devizanem|devise du compte|valuta konto|wahrungscode|
    mena uctu|valutacode|valiuta|валюта счета|通貨|币种|통화|מטבע|moeda`,
  payee: `payee|payee name|name|handler|merchant|merchant name|counterparty|counterparty name|partner name|partnername|
    partner|beneficiary|vendor|beguenstigter zahlungspflichtiger|begunstigter zahlungspflichtiger|begunstigter|
    auftraggeber begunstigter|auftraggeber empfanger|name zahlungsbeteiligter|beteiligter|kontrahent|tiers|nom|
    nom de la contrepartie|contrepartie|beneficiario|ordenante|nombre|comercio|controparte|naam tegenpartij|
    naam omschrijving|tegenpartij|naam|mottagare|modtager|mottaker|saaja maksaja|saaja|nadawca odbiorca|
    nazwa kontrahenta|nazev protiuctu|protistrana|контрагент|handelspartner|counter party|target name|
    begunstigter auftraggeber|sender empfanger|empfanger auftraggeber|auftraggeber zahlungsempfanger|
    zahlungspflichtiger zahlungsempfanger|name gegenkonto|name des partners|gegenpartei|from to|
    name of sender receiver|other party name|dane kontrahenta|nadawca i odbiorca|
    partner neve|nome|nome beneficiario|nombre del beneficiario|nom du tiers|nom du beneficiaire|交易对方|
    tegenrekeninghouder|gavejas|moketojas gavejas|gavejas moketojas|sanemejs maksatajs|saaja maksja|
    利用店名 商品名|ご利用先|거래처|보낸분 받는분|받는분|가맹점명`,
  payer: `source name|source|zahlungspflichtige r|zahlungspflichtiger|payer|auftraggeber|donneur d ordre|ordonnateur|nadawca|
    from|sender|absender|expediteur|ordinante|remitente`,
  recipient: `target name|zahlungsempfanger in|zahlungsempfanger|empfanger|recipient|beneficiaire|odbiorca|destinatario|empfangername|empfaenger|
    to|receiver|target`,
  memo: `description|lancamento|operazione|details du mouvement|libelles|memo|details|transaction description|transaction details|narrative|narration|particulars|notes|
    note|comment|original description|extended details|appears on your statement as|verwendungszweck|
    buchungstext|text|beschreibung|umsatztext|zweck|libelle|libelle operation|libelle simplifie|motif|
    communication|communications|concepto|descripcion|observaciones|movimiento|mas datos|causale|desc|reason|
    vwz|transaction ref|transactions|zahlungsreferenz|additional description|descrizione|descrizione operazione|
    descrizione completa|omschrijving|mededelingen|mededeling|beschrijving|rubrik|meddelande|tekst|beskrivelse|
    forklaring|viesti|selite|tytul|tytul przelewu|opis|opis operacji|opis transakcji|zprava|zprava pro prijemce|
    poznamka|popis|aciklama|описание|назначение платежа|purpose|payment reference|title|item|transaction|
    historico|descricao|subject|item title|detail|摘要|備考|remarks|transaction remarks|notification text|
    avisierungstext|mitteilung|mitteilungstext|buchungs details|buchungsdetails|umsatzdetails|weitere details|
    erscheint auf ihrer abrechnung als|vorgang verwendungszweck|sub description|more details|full description|libelle complet|
    libelle court|detail de l operation|nature de l operation|informations complementaires|specifikation|
    beskrivning|selitys|szczegoly|popis transakce|kozlemeny|tranzakcio leirasa|detalii tranzactie|
    omschrijving transactie|descripcion adicional|causale descrizione|お取り扱い内容|お取引内容|取引内容|入出金先内容|入出金内容|opis placanja|svrha|namen|摘要内容|内容|詳細|商品|
    описание операции|основание|paaiskinimai|selgitus|informacija sanemejam|商品名称|商品说明|备注|交易摘要|적요|내용|거래내용|기재내용|תיאור|פרטים|תאור|περιγραφη`,
  category: `category|category name|spending category|kategorie|hauptkategorie|categorie|categoria|kategori|kategoria|
    rubriek|категория|sous categorie|category group|podkategoria|分类|交易分类`,
  balance: `balance|running balance|runningbalance|running bal|account balance|closing balance|available balance|
    balance after|saldo|saldo nach buchung|kontostand|solde|saldo contabile|saldo disponible|saldo na mutatie|
    verfugbares guthaben|saldo po operacji|bokfort saldo|остаток|bakiye|zustatek|残高|余额|balance impact|
    ending balance|saldos|balance amount|ledger balance|balance after transaction|saldo po transakcji|saldo posle|
    saldo contabilistico|solde euros|saldo eur|saldo apos|egyenleg|guthaben|差引残高|お取引後残高|取引後残高|取引後残高 円|stanje|账户余额|잔액|거래후잔액|
    היתרה בש ח|יתרה|υπολοιπο`,
  type: `type|支払方法|transaction type|art|umsatzart|umsatztyp|vorgang|vorgang buchungstext|mutatiesoort|code|
    art der transaktion|posting text|type of transaction|type operation|type d operation|tipo|tipo movimento|tipo de movimiento|
    transaktionstyp|laji|typ|typ transakcji|typ operacji|transactietype|вид операции|transaction kind|
    bewegungstyp|transaktionsart|rodzaj|rodzaj transakcji|oznaceni operace|typ transakce|tranzakcio tipusa|
    betaalwijze|type betaling|tipo de operacion|tipo operazione|tipo de movimento|type de transaction|islem|islem tipi|交易类型|类型|取引区分|거래구분|
    거래종류`,
  status: `status|state|etat|estado|tila|umsatzstatus|transaction status|stato|statut|статус|当前状态|交易状态|abwicklungsstatus|contabilizzazione`,
  fee: `fee|fees|fee amount|source fee amount|gebuhr|gebuhren|frais|comision|commissione|kosten|provize|total fees|
    costo|entgelt|oplata|comissao|costes|服务费 元|手数料 利息`,
  account: `account|account name|account number|account id|account no|account iban|own iban|konto|kontonummer|kontonr|
    auftragskonto|iban auftragskonto|iban des kontoinhabers|compte|numero de compte|cuenta|conto|rekening|
    rekeningnummer|iban bban|numer rachunku|card|card no|card number|kartennummer|product|
    bezeichnung auftragskonto|konto nr|bank account|numer konta|nr konta|konto karta|cislo uctu|account type|saskaitos nr|kliendi konto|conto o carta|klienta konts|номер счета|
    номер карты счета договора`,
  otherAccount: `iban|partner iban|kontonummer iban|gegenkonto|iban zahlungsbeteiligter|iban kontonummer|tegenrekening|
    tegenrekening iban bban|counterparty account|counterparty iban|payee account number|compte contrepartie|
    numero du compte contrepartie|compte partie adverse|beneficiary account|cislo protiuctu|bankkonto|konto gegenpartei|
    kontonummer gegenkonto|nr rachunku|cislo uctu protiuctu|protiucet|other party account number|
    rekening tegenpartij|rekeningnummer tegenpartij|tegenrekeningnummer`,
  originalAmount: `original amount|foreign amount|amount foreign currency|local amount|native amount|amount original|
    betrag ursprung|fremdwahrungsbetrag|betrag in fremdwahrung|foreign spend amount|utl belopp|
    amount in foreign currency|transaction currency amount|subtotal transaction currency|montant en devise|
    importe divisa|kwota w walucie`,
  originalCurrency: `original currency|foreign currency|local currency|currency original|type foreign currency|
    wahrung ursprung|foreign currency code`,
  check: 'check|check number|check no|checknumber|check or slip|cheque number|cheque no|chk ref|check num',
  city: `city|town city|city state|ort|ciudad|ville|plaats|stadt|town|place|miasto`,
  tags: 'labels|tags|label',
  reference: `reference|reference number|ref|ref no|bank reference|referenz|kundenreferenz|mandatsreferenz|
    kundenreferenz end to end|end to end id|referencia|riferimento|kenmerk|referens|numer referencyjny|
    reference no|receipt id|betreff|viite|arkistointitunnus|אסמכתא|reference id|
    zkb referenz|referenznummer`,
  id: `transaction id|transferwise id|id|txn id|transaktionscode|transaktions id|uid|transaction reference|
    n de transaction|no de transaction|unique id|buchungsreferenz|id operace|nr transakcji|transaktionsnummer|
    transaktions nr|交易单号|交易号|交易订单号|numero de operacion|transaction no|iraso nr|numero de mouvement|референс проводки`,
};

export type ColumnRole = keyof typeof WORDS;

/** Letters without a combining accent that banks still transliterate. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', ı: 'i', đ: 'd' };

function simplify(name: string): string {
  return name
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøłıđ]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const roles = new Map<string, ColumnRole>(
  Object.entries(WORDS).flatMap(([role, words]) =>
    words.split('|').map((word): [string, ColumnRole] => [simplify(word), role as ColumnRole]),
  ),
);

/** Returns the currency in a column name: `Amount (EUR)`, `amount_usd`, `CAD$`, `金额(元)`. */
function findNamedCurrency(name: string): string | undefined {
  if (/元/.test(name)) return 'CNY';
  return /円/.test(name) ? 'JPY' : findCurrency(name.replaceAll('_', ' ').toUpperCase());
}

export function readColumnName(name: string): { role?: ColumnRole; currency?: string } {
  // Treats `VWZ2` and `Memo 2` like `VWZ` and `Memo`.
  const words = simplify(name)
    .split(' ')
    .flatMap((word) => word.replace(/\d+$/, '') || []);
  const currency = findNamedCurrency(name);
  const role = roles.get(words.join(' ')) ?? roles.get(words.join(''));
  if (role !== undefined) return { role, ...(currency === undefined ? {} : { currency }) };
  if (currency === undefined) return {};
  const rest = words.filter(
    (word) => word.toUpperCase() !== currency && !(word === 'r' && currency === 'BRL'),
  );
  // `CAD$` alone means an amount in that currency. In `Betrag in EUR`, the word `in` is not part of the name.
  const bare =
    rest.length === 0
      ? 'amount'
      : (roles.get(rest.join(' ')) ?? roles.get(rest.join(' ').replace(/ (?:in|en|em|w)$/, '')));
  return bare === undefined ? {} : { role: bare, currency };
}
