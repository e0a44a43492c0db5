import { toLatin1, toUtf16, type Variation, vary } from './variation.ts';

/** One purchase and one payment that came in, as most banks would write them. */
const two = (more: object = {}) => ({
  transactions: [
    { date: '2024-04-15', amount: -1234.5, ...more },
    { date: '2024-04-02', amount: 20, ...more },
  ],
});

const ofx1 = (
  body: string,
  header = 'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n',
) =>
  `${header}<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20240430<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>1<ACCTID>123456789<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20240401<DTEND>20240430${body}</BANKTRANLIST><LEDGERBAL><BALAMT>10,50<DTASOF>20240430</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;

export const bankVariations: readonly Variation[] = [
  ...vary(
    'bank-csv',
    'statement.csv',
    {
      'GLS with a column for each line of the purpose':
        'Kontonummer;Buchungstag;Wertstellung;Auftraggeber/Empfänger;Buchungstext;VWZ1;VWZ2;VWZ3;Betrag;Kontostand;Währung\n1234567890;15.04.2024;15.04.2024;Shop;Lastschrift;Einkauf;Rechnung 1;;-1.234,50;100,00;EUR\n1234567890;02.04.2024;02.04.2024;Ben;Gutschrift;Danke;;;20,00;1.334,50;EUR\n',
      'DBS with more cells in the rows than in the header':
        '\n\n\nAccount Details For:,Savings\nStatement as at:,30 Apr 2024\n\nAvailable Balance:,100.00\n\nTransaction Date,Reference,Debit Amount,Credit Amount,Transaction Ref1,Transaction Ref2,Transaction Ref3\n\n\n15 Apr 2024,MST, 1234.50, ,SHOP,4628-4500-,,\n02 Apr 2024,ITR, ,20.00,BEN,dinner,,,\n\n\n',
      'UBS in French':
        "Produit;Monn.;Description;Date de comptabilisation;Description 1;Description 2;Description 3;N° de transaction;Débit;Crédit;Solde\n0123 456;CHF;Compte personnel;15.04.2024;Shop;Achat;;A1;1'234.50;;100.00\n0123 456;CHF;Compte personnel;02.04.2024;Ben;Merci;;A2;;20.00;1'334.50\n",
      SumUp:
        'Datum der Transaktion,Transaktions-ID,Art der Transaktion,Referenz,Zahlungsreferenz,Status,Rechnungsbetrag ausgehend,Rechnungsbetrag eingehend,Währung der Karte,Gebühr,Verfügbares Guthaben\n"15.04.24, 13:56",A1,Ausgehende Banküberweisung,Shop,Einkauf,Genehmigt,1234.50,0.00,EUR,0.00,100.00\n"02.04.24, 09:19",A2,Eingehende Banküberweisung,Ben,Danke,Genehmigt,0.00,20.00,EUR,0.00,1334.50\n',
      N26: '"Date","Payee","Account number","Transaction type","Payment reference","Amount (EUR)","Amount (Foreign Currency)","Type Foreign Currency","Exchange Rate"\n"2024-04-15","Shop","","MasterCard Payment","","-1234.5","-1234.5","EUR","1.0"\n"2024-04-02","Ben","DE00","Income","for dinner","20.0","","",""\n',
      'N26 of 2024':
        '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name","Amount (EUR)","Original Amount","Original Currency","Exchange Rate"\n2024-04-15,2024-04-15,Shop,,Presentment,-,Main,-1234.50,1234.50,EUR,1\n2024-04-02,2024-04-02,Ben,DE00,"Credit Transfer",dinner,Main,20.00,,,\n',
      'ING in Germany': toLatin1(
        'Umsatzanzeige;Datei erstellt am: 30.04.2024 10:00\n\nIBAN;DE00 5001 0517 0000 0000 00\nKontoname;Girokonto\nBank;ING\nKunde;Anna\nZeitraum;01.04.2024 - 30.04.2024\nSaldo;100,00;EUR\n\nSortierung;Datum absteigend\n\nIn der CSV-Datei finden Sie alle bereits gebuchten Umsätze.\n\nBuchung;Wertstellungsdatum;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;Währung\n15.04.2024;15.04.2024;Shop;Lastschrift;Einkauf;100,00;EUR;-1.234,50;EUR\n02.04.2024;02.04.2024;Ben;Gutschrift;Danke;1.334,50;EUR;20,00;EUR\n',
      ),
      comdirect: toLatin1(
        ';\n"Umsätze Girokonto";"Zeitraum: 30 Tage";\n"Neuer Kontostand";"100,00 EUR";\n\n"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";\n"15.04.2024";"15.04.2024";"Lastschrift";"Auftraggeber: Shop Buchungstext: Einkauf";"-1.234,50";\n"02.04.2024";"02.04.2024";"Übertrag";"Auftraggeber: Ben";"20,00";\n\n"Alter Kontostand";"1.314,50 EUR";\n',
      ),
      'DKB of old': toLatin1(
        '"Kontonummer:";"DE00 / Girokonto";\n\n"Von:";"01.04.2024";\n"Bis:";"30.04.2024";\n"Kontostand vom 30.04.2024:";"100,00 EUR";\n\n"Buchungstag";"Wertstellung";"Buchungstext";"Auftraggeber / Begünstigter";"Verwendungszweck";"Kontonummer";"BLZ";"Betrag (EUR)";"Gläubiger-ID";"Mandatsreferenz";"Kundenreferenz";\n"15.04.2024";"15.04.2024";"Lastschrift";"Shop";"Einkauf";"DE1";"X";"-1.234,50";"";"";"";\n"02.04.2024";"02.04.2024";"Gutschrift";"Ben";"Danke";"DE2";"X";"20,00";"";"";"";\n',
      ),
      Rabobank:
        '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn","Tegenrekening IBAN/BBAN","Naam tegenpartij","Naam uiteindelijke partij","Naam initiërende partij","BIC tegenpartij","Code","Batch ID","Transactiereferentie","Machtigingskenmerk","Incassant ID","Betalingskenmerk","Omschrijving-1","Omschrijving-2","Omschrijving-3","Reden retour","Oorspr bedrag","Oorspr munt","Koers"\n"NL00RABO0123456789","EUR","RABONL2U","000000000000000001","2024-04-15","2024-04-15","-1234,50","+100,00","","Shop","","","","bc","","","","","","Einkauf"," ","","","","",""\n"NL00RABO0123456789","EUR","RABONL2U","000000000000000002","2024-04-02","2024-04-02","+20,00","+1334,50","NL11","Ben","","","","cb","","","","","","Danke"," ","","","","",""\n',
      Monzo:
        'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In\ntx_1,15/04/2024,10:00:00,Card payment,Shop,,Groceries,-1234.50,EUR,-1234.50,EUR,,,,SHOP,,-1234.50,\ntx_2,02/04/2024,10:00:00,Faster payment,Ben,,Income,20.00,EUR,20.00,EUR,,,,BEN,,,20.00\n',
      Starling:
        'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes\n15/04/2024,Shop,Ref,CONTACTLESS,-1234.50,100.00,GROCERIES,\n02/04/2024,Ben,Dinner,FASTER PAYMENT,20.00,1334.50,INCOME,\n',
      Wise: '"TransferWise ID",Date,"Date Time",Amount,Currency,Description,"Payment Reference","Running Balance","Exchange From","Exchange To","Exchange Rate","Payer Name","Payee Name","Payee Account Number",Merchant,"Card Last Four Digits","Card Holder Full Name",Attachment,Note,"Total fees"\nCARD-1,15-04-2024,"15-04-2024 10:00:00.000",-1234.50,EUR,"Card transaction",,100.00,,,,,,,Shop,1234,Anna,,,0.00\nTRANSFER-2,02-04-2024,"02-04-2024 10:00:00.000",20.00,EUR,"Received money from Ben",dinner,1334.50,,,,Ben,,,,,,,,0.00\n',
      'Capital One with two columns':
        'Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit\n2024-04-15,2024-04-15,1234,Shop,Dining,1234.50,\n2024-04-02,2024-04-02,1234,PAYMENT,Payment,,20.00\n',
      'Bank of America with a summary':
        'Description,,Summary Amt.\nBeginning balance as of 04/01/2024,,"1,314.50"\nTotal credits,,"20.00"\nTotal debits,,"-1,234.50"\nEnding balance as of 04/30/2024,,"100.00"\n\nDate,Description,Amount,Running Bal.\n04/15/2024,"Shop","-1,234.50","100.00"\n04/02/2024,"Ben","20.00","1,334.50"\n',
      Boursorama: toLatin1(
        'dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance\n2024-04-15;2024-04-15;"CARTE Shop";Alimentation;Vie quotidienne;shop;-1234,50;;00012345;BoursoBank;100.00\n2024-04-02;2024-04-02;"VIR Ben";Virements;Virements;;20,00;;00012345;BoursoBank;100.00\n',
      ),
      'Crédit Agricole with a preamble': toLatin1(
        'Téléchargement du 30/04/2024;\n\nMlle ANNA\nCompte de Dépôt carte n° 1234;\nSolde au 30/04/2024 100,00 €\n\nListe des opérations du compte entre le 01/04/2024 et le 30/04/2024;\n\nDate;Libellé;Débit Euros;Crédit Euros;\n15/04/2024;"PAIEMENT PAR CARTE\nShop";1 234,50;;\n02/04/2024;"VIREMENT Ben";;20,00;\n',
      ),
      Nubank:
        'Data,Valor,Identificador,Descrição\n15/04/2024,-1234.50,65a-1,Compra no débito - Shop\n02/04/2024,20.00,65a-2,Transferência recebida - Ben\n',
      'Santander in Spain':
        'Fecha operación;Fecha valor;Concepto;Importe;Divisa;Saldo\n15/04/2024;15/04/2024;Compra Shop;-1.234,50;EUR;100,00\n02/04/2024;02/04/2024;Transferencia de Ben;20,00;EUR;1.334,50\n',
      Swedbank: toLatin1(
        '* Transaktioner Period 2024-04-01 - 2024-04-30 Skapad 2024-04-30 10:00 CEST\nRadnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,Valutadag,Referens,Beskrivning,Belopp,Bokfört saldo\n1,81059,123,"Privatkonto",SEK,2024-04-15,2024-04-15,2024-04-15,"Shop","Shop",-1234.50,100.00\n2,81059,123,"Privatkonto",SEK,2024-04-02,2024-04-02,2024-04-02,"Ben","Ben",20.00,1334.50\n',
      ),
      'UBS with debit and credit':
        'Kontonummer:;0123 00456789.01;\nIBAN:;CH00 0012 3123 4567 8901 2;\nVon:;2024-04-01;\nBis:;2024-04-30;\nAnfangssaldo:;1314.50;\nSchlusssaldo:;100.00;\nBewertet in:;CHF;\nAnzahl Transaktionen in diesem Zeitraum:;2;\n\nAbschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;Einzelbetrag;Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;\n2024-04-15;;2024-04-15;2024-04-15;CHF;-1234.50;;;100.00;1;"Shop";"Einkauf";;;\n2024-04-02;;2024-04-02;2024-04-02;CHF;;20.00;;1334.50;2;"Ben";"Gutschrift";;;\n',
      'mBank with a preamble': Buffer.from(
        'mBank S.A. Bankowość Detaliczna;\n#Klient;\nAnna;\n\n#Data operacji;#Opis operacji;#Rachunek;#Kategoria;#Kwota;\n2024-04-15;"Shop";"eKonto 1234";"Zakupy";-1 234,50 PLN;;\n2024-04-02;"Ben";"eKonto 1234";"Wpływy";20,00 PLN;;\n',
      ),
      Mint: '"Date","Description","Original Description","Amount","Transaction Type","Category","Account Name","Labels","Notes"\n"4/15/2024","Shop","SHOP","1234.50","debit","Groceries","Checking","",""\n"4/02/2024","Ben","BEN","20.00","credit","Income","Checking","",""\n',
      'Excel in UTF-16 with tabs': toUtf16(
        'Date\tDescription\tAmount\tBalance\r\n15/04/2024\tShop\t-1,234.50\t100.00\r\n02/04/2024\tBen\t20.00\t1,334.50\r\n',
      ),
      'brackets and signs of currency':
        'Date,Description,Amount\n2024-04-15,Shop,"($1,234.50)"\n2024-04-02,Ben,"$20.00"\n',
      'a line that names the separator':
        'sep=;\nDatum;Empfänger;Verwendungszweck;Betrag;Währung\n15.04.2024;Shop;Einkauf;-1.234,50;EUR\n02.04.2024;Ben;Danke;20,00;EUR\n',
      'minus behind':
        'Datum;Tekst;Beløb;Saldo\n15-04-2024;Shop;1.234,50-;100,00\n02-04-2024;Ben;20,00;1.334,50\n',
    },
    two(),
  ),
  ...vary(
    'ofx',
    'statement.ofx',
    {
      'no tags closed, one line': ofx1(
        '<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240415120000.000[-5:EST]<TRNAMT>-1234.50<FITID>A1<NAME>Shop &amp; Co</STMTTRN><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240402<TRNAMT>+20.00<FITID>A2<NAME>Ben</STMTTRN>',
      ),
      'decimal commas, Brazil': ofx1(
        '\n<STMTTRN>\n<TRNTYPE>DEBIT\n<DTPOSTED>20240415100000[-03:EST]\n<TRNAMT>-1234,50\n<FITID>A1\n<MEMO>Shop & Co\n</STMTTRN>\n<STMTTRN>\n<TRNTYPE>CREDIT\n<DTPOSTED>20240402100000[-03:EST]\n<TRNAMT>20,00\n<FITID>A2\n<MEMO>Ben\n</STMTTRN>\n',
      ),
      'no empty line after the header, returns': ofx1(
        '<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20240415</DTPOSTED><TRNAMT>-1234.50</TRNAMT><FITID>A1</FITID><NAME>Shop &amp; Co</NAME></STMTTRN><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20240402</DTPOSTED><TRNAMT>20</TRNAMT><FITID>A2</FITID><NAME>Ben</NAME></STMTTRN>',
        'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:UTF-8\r\nCHARSET:NONE\r\nCOMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n',
      ),
      'header in one line': ofx1(
        '<STMTTRN><TRNTYPE>POS<DTPOSTED>20240415<TRNAMT>-1234.50<FITID>A1<NAME>Shop &amp; Co</STMTTRN><STMTTRN><TRNTYPE>DEP<DTPOSTED>20240402<TRNAMT>20.00<FITID>A2<NAME>Ben</STMTTRN>',
        'OFXHEADER:100DATA:OFXSGMLVERSION:102SECURITY:NONEENCODING:USASCIICHARSET:1252COMPRESSION:NONEOLDFILEUID:NONENEWFILEUID:NONE',
      ),
      'XML with namespaces of none': `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n${ofx1('<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20240415000000</DTPOSTED><TRNAMT>-1234.50</TRNAMT><FITID>A1</FITID><NAME>Shop &amp; Co</NAME></STMTTRN><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20240402000000</DTPOSTED><TRNAMT>20.00</TRNAMT><FITID>A2</FITID><NAME>Ben</NAME></STMTTRN>', '')}`,
    },
    {
      transactions: [
        { date: '2024-04-15', amount: -1234.5 },
        { date: '2024-04-02', amount: 20 },
      ],
    },
  ),
  ...vary(
    'qif',
    'statement.qif',
    {
      'years with an apostrophe': "!Type:Bank\nD4/15'24\nT-1,234.50\nPShop\n^\nD4/ 2'24\nT20.00\nPBen\n^\n",
      'full years and returns':
        '!Type:Bank\r\nD04/15/2024\r\nU-1,234.50\r\nT-1,234.50\r\nPShop\r\n^\r\nD04/02/2024\r\nT20.00\r\nPBen\r\n^\r\n',
      German: toLatin1(
        '!Type:Bank\nD15.04.2024\nT-1.234,50\nPShop für alle\n^\nD02.04.2024\nT20,00\nPBen\n^\n',
      ),
      'two digits, day first': '!Type:CCard\nD15/04/24\nT-1234.50\nPShop\n^\nD02/04/24\nT20.00\nPBen\n^\n',
      'year first and a mark':
        '\ufeff!Type:Cash\nD2024-04-15\nT-1234.50\nPShop\n^\nD2024-04-02\nT20.00\nPBen\n^\n',
    },
    two(),
  ),
  {
    name: 'where a transfer went, and the address of a cheque',
    format: 'qif',
    files: {
      'statement.qif': "!Type:Bank\nD4/15'24\nT-5.00\nCX\nPBen\nA1 Road\nABerlin\nL[Visa]\n^\n",
    },
    has: {
      transactions: [
        { method: 'transfer', other_columns: { Transfer: 'Visa', Cleared: 'X', Address: '1 Road\nBerlin' } },
      ],
    },
  },
  {
    name: 'version 8 with a prefix and several details',
    format: 'camt',
    files: {
      'camt.xml': `<?xml version="1.0" encoding="UTF-8"?><ns2:Document xmlns:ns2="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><ns2:BkToCstmrStmt><ns2:GrpHdr><ns2:MsgId>1</ns2:MsgId></ns2:GrpHdr><ns2:Stmt><ns2:Id>1</ns2:Id><ns2:Acct><ns2:Id><ns2:IBAN>CH0000000000000000001</ns2:IBAN></ns2:Id><ns2:Ccy>CHF</ns2:Ccy></ns2:Acct><ns2:Ntry><ns2:Amt Ccy="CHF">1234.50</ns2:Amt><ns2:CdtDbtInd>DBIT</ns2:CdtDbtInd><ns2:Sts><ns2:Cd>BOOK</ns2:Cd></ns2:Sts><ns2:BookgDt><ns2:Dt>2024-04-15</ns2:Dt></ns2:BookgDt><ns2:NtryDtls><ns2:TxDtls><ns2:RltdPties><ns2:Cdtr><ns2:Pty><ns2:Nm>Shop</ns2:Nm></ns2:Pty></ns2:Cdtr></ns2:RltdPties><ns2:RmtInf><ns2:Ustrd>Einkauf</ns2:Ustrd></ns2:RmtInf></ns2:TxDtls></ns2:NtryDtls></ns2:Ntry></ns2:Stmt></ns2:BkToCstmrStmt></ns2:Document>`,
    },
    has: {
      transactions: [
        { date: '2024-04-15', amount: -1234.5, currency: 'CHF', merchant: 'Shop', status: 'booked' },
      ],
    },
  },
];
