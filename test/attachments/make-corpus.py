#!/usr/bin/python3
"""Makes the files of `corpus/` with LibreOffice: /usr/bin/python3 test/attachments/make-corpus.py

Debian packages: libreoffice-writer libreoffice-calc libreoffice-impress python3-uno fonts-droid-fallback. The files are
committed, so the tests need neither. `expected.json` says for each file which text status it gets and which words are
found in it.
"""
import email.message
import json
import os
import random
import shutil
import struct
import subprocess
import tempfile
import time
import zipfile
import zlib

import uno
from com.sun.star.beans import NamedValue, PropertyValue

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, 'corpus')
WORK = tempfile.mkdtemp()
expected = {}

LETTERS = {
    'german': 'Sehr geehrte Frau Müller, die Rechnung über 99,50 € ist überfällig.\nGrundstücksverkehrsgenehmigung',
    'french': 'Chère Élise, voici la facture réglée.\nŒuvre déjà vérifiée',
    'polish': 'Szanowna Pani, proszę o opłacenie faktury.\nZażółć gęślą jaźń',
    'russian': 'Уважаемая Анна, счёт нужно оплатить.\nДостопримечательность',
    'greek': 'Αγαπητή Άννα, το τιμολόγιο είναι έτοιμο.\nΕυχαριστούμε',
    'japanese': '拝啓、請求書をお送りします。\n東京都新宿区',
    'chinese': '您好，附件是发票。\n北京市朝阳区',
    'korean': '안녕하세요, 청구서를 보냅니다.\n서울특별시',
    'arabic': 'مرحبا، هذه هي الفاتورة.\nالقاهرة',
    'hebrew': 'שלום, זו החשבונית.\nירושלים',
}
# A word of each letter that a search must find.
WORDS = {
    'german': 'Grundstücksverkehrsgenehmigung', 'french': 'vérifiée', 'polish': 'gęślą', 'russian': 'Достопримечательность',
    'greek': 'Ευχαριστούμε', 'japanese': '新宿区', 'chinese': '朝阳区', 'korean': '서울특별시', 'arabic': 'القاهرة',
    'hebrew': 'ירושלים',
}


def work(name):
    return os.path.join(WORK, name)


def expect(name, status, *words):
    expected[name] = {'status': status, 'words': list(words)}


def write(name, content, status='read', *words):
    with open(os.path.join(OUT, name), 'wb') as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    expect(name, status, *words)


def options(**values):
    return tuple(PropertyValue(name, 0, value, 0) for name, value in values.items())


class Office:
    """A running LibreOffice. It is spoken to through its interface for programs."""

    def __init__(self):
        self.process = subprocess.Popen(
            ['soffice', '--headless', '--norestore', f'-env:UserInstallation=file://{WORK}/profile',
             '--accept=socket,host=127.0.0.1,port=28341;urp;'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        context = uno.getComponentContext()
        resolver = context.ServiceManager.createInstanceWithContext('com.sun.star.bridge.UnoUrlResolver', context)
        for _ in range(240):
            try:
                remote = resolver.resolve('uno:socket,host=127.0.0.1,port=28341;urp;StarOffice.ComponentContext')
                break
            except Exception:
                time.sleep(0.5)
        self.desktop = remote.ServiceManager.createInstanceWithContext('com.sun.star.frame.Desktop', remote)

    def open(self, source, **values):
        url = source if ':' in source else f'file://{work(source)}'
        return self.desktop.loadComponentFromURL(url, '_blank', 0, options(Hidden=True, **values))

    def close(self):
        try:
            self.desktop.terminate()
        except Exception:
            pass
        self.process.wait(60)


def store(document, name, form, **values):
    document.storeToURL(f'file://{OUT}/{name}', options(FilterName=form, **values))


def pdf(**values):
    return uno.Any('[]com.sun.star.beans.PropertyValue', options(**values))


def office_password():
    values = (NamedValue('OOXPassword', 'geheim'), NamedValue('CryptoType', 'Standard'))
    return uno.Any('[]com.sun.star.beans.NamedValue', values)


WRITER_HTML = 'HTML (StarWriter)'
CSV = {'FilterName': 'Text - txt - csv (StarCalc)', 'FilterOptions': '44,34,76,1,,0,false,true'}


def read(name):
    with open(os.path.join(OUT, name), 'rb') as file:
        return file.read()


def make_letters():
    for language, text in LETTERS.items():
        with open(work(f'{language}.html'), 'w', encoding='utf-8') as file:
            body = ''.join(f'<p>{line}</p>' for line in text.split('\n'))
            file.write(f'<html><head><meta charset="utf-8"><title>t</title></head><body>{body}</body></html>')
        document = office.open(f'{language}.html', FilterName=WRITER_HTML)
        forms = {'docx': 'Office Open XML Text', 'odt': 'writer8', 'pdf': 'writer_pdf_Export'}
        if language in ('german', 'russian'):
            forms['epub'] = 'EPUB'
        # The font has no Korean letters.
        if language == 'korean':
            del forms['pdf']
        for kind, form in forms.items():
            store(document, f'letter-{language}.{kind}', form)
            expect(f'letter-{language}.{kind}', 'read', WORDS[language])
        document.close(True)


def make_locked():
    """Files with a password, and other kinds of one letter."""
    document = office.open('german.html', FilterName=WRITER_HTML)
    store(document, 'letter-german.doc', 'MS Word 97')
    store(document, 'letter-german.rtf', 'Rich Text Format')
    expect('letter-german.doc', 'unsupported')
    expect('letter-german.rtf', 'unsupported')
    store(document, 'locked.odt', 'writer8', Password='geheim')
    store(document, 'locked.docx', 'MS Word 2007 XML', EncryptionData=office_password())
    store(document, 'locked.pdf', 'writer_pdf_Export', FilterData=pdf(EncryptFile=True, DocumentOpenPassword='geheim'))
    store(document, 'protected.pdf', 'writer_pdf_Export',
          FilterData=pdf(RestrictPermissions=True, PermissionPassword='geheim', Printing=0))
    store(document, 'tagged.pdf', 'writer_pdf_Export', FilterData=pdf(UseTaggedPDF=True, SelectPdfVersion=2))
    document.close(True)
    for name in ('locked.odt', 'locked.docx', 'locked.pdf'):
        expect(name, 'encrypted')
    for name in ('protected.pdf', 'tagged.pdf'):
        expect(name, 'read', WORDS['german'])


def make_tables():
    rows = ['Datum,Posten,Betrag'] + [f'2024-05-{1 + day % 28:02d},Zwetschgenkuchen {day},{day * 1.5}' for day in range(40)]
    with open(work('table.csv'), 'w', encoding='utf-8') as file:
        file.write('\n'.join(rows))
    document = office.open('table.csv', **CSV)
    store(document, 'table.xlsx', 'Calc MS Excel 2007 XML')
    expect('table.xlsx', 'read', 'Zwetschgenkuchen', '2024-05-28')
    store(document, 'table.ods', 'calc8')
    expect('table.ods', 'read', 'Zwetschgenkuchen')
    store(document, 'table.xls', 'MS Excel 97')
    expect('table.xls', 'unsupported')
    store(document, 'table.pdf', 'calc_pdf_Export')
    expect('table.pdf', 'read', 'Zwetschgenkuchen')
    store(document, 'locked.ods', 'calc8', Password='geheim')
    store(document, 'locked.xlsx', 'Calc MS Excel 2007 XML', EncryptionData=office_password())
    expect('locked.ods', 'encrypted')
    expect('locked.xlsx', 'encrypted')
    document.close(True)
    with open(work('long.csv'), 'w', encoding='utf-8') as file:
        file.write('\n'.join(['Zeile,Wert'] + [f'Anfangswert{n},{n}' for n in range(1500)]))
    document = office.open('long.csv', **CSV)
    store(document, 'table-long.xlsx', 'Calc MS Excel 2007 XML')
    document.close(True)
    expect('table-long.xlsx', 'cut', 'Anfangswert7')
    shutil.copy(work('long.csv'), os.path.join(OUT, 'table-long.csv'))
    expect('table-long.csv', 'cut', 'Anfangswert7')
    write('table-windows-1252.csv', 'Name;Straße\nJürgen;Gänseblümchenweg 3\n'.encode('cp1252'), 'read', 'Gänseblümchenweg')
    write('table-utf-16.csv', 'Name\tOrt\nAnna\tLübeck\n'.encode('utf-16'), 'read', 'Lübeck')
    write('table.tsv', 'Name\tOrt\nAnna\tQuakenbrück\n', 'read', 'Quakenbrück')


def make_texts():
    write('text-utf-8.txt', LETTERS['german'], 'read', WORDS['german'])
    write('text-windows-1252.txt', LETTERS['german'].replace('\n', '\r\n').encode('cp1252'), 'read', WORDS['german'])
    write('text-windows-1251.txt', LETTERS['russian'].encode('cp1251'), 'read', WORDS['russian'])
    write('text-shift-jis.txt', (LETTERS['japanese'] * 3).encode('shift_jis'), 'read', 'をお送りします')
    write('text-utf-16.txt', LETTERS['greek'].encode('utf-16'), 'read', WORDS['greek'])
    write('text.md', '# Einkauf\n\n- Petersilienwurzel\n', 'read', 'Petersilienwurzel')
    write('page.html', '<!doctype html><title>t</title><script>bad()</script><p>Wer&uuml;rsel &amp; Br&ouml;tchen', 'read', 'Brötchen')
    write('page-windows-1252.html', '<html><meta charset="windows-1252"><p>Käsespätzle</p></html>'.encode('cp1252'), 'read', 'Käsespätzle')
    write('event.ics', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nDTSTART:20240501T100000Z\r\nSUMMARY:Zahnarzttermin\r\n'
          'LOCATION:Praxis\\, Hof\r\nDESCRIPTION:Bitte die Versicherungs\r\n karte mitbringen\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
          'read', 'Zahnarzttermin', 'Versicherungskarte')
    write('contact.vcf', 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Käthe Kollwitz\r\nORG:Grafikwerkstatt;Druck\r\nTEL;TYPE=cell:+49 30 1234\r\nEND:VCARD\r\n',
          'read', 'Kollwitz', 'Grafikwerkstatt')
    write('contact-2.1.vcf', 'BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg Wei=C3=9Fenb=\r\norn\r\nEND:VCARD\r\n',
          'read', 'Weißenborn')


def make_mails():
    mail = email.message.EmailMessage()
    mail['Subject'] = 'Weitergeleitet'
    mail['From'] = 'Bea <bea@example.org>'
    mail['Date'] = 'Wed, 01 May 2024 10:00:00 +0200'
    mail.set_content('Im Anhang der Mietvertrag.')
    write('mail.eml', mail.as_bytes(), 'read', 'Mietvertrag')
    mail.add_attachment(read('letter-french.pdf'), maintype='application', subtype='pdf', filename='facture.pdf')
    write('mail-with-pdf.eml', mail.as_bytes(), 'read', 'Mietvertrag', 'vérifiée')


def make_slides():
    document = office.open('private:factory/simpress')
    title = document.createInstance('com.sun.star.presentation.TitleTextShape')
    document.DrawPages.getByIndex(0).add(title)
    title.String = 'Jahresplanung Obstgarten'
    for name, form in (('slides.odp', 'impress8'), ('slides.pptx', 'Impress MS PowerPoint 2007 XML')):
        store(document, name, form)
        expect(name, 'read', 'Obstgarten')
    document.close(True)


def make_picture(width=40, height=40):
    rows = b''.join(b'\0' + bytes(random.Random(y).randrange(256) for _ in range(3 * width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)) +
            chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def make_scan():
    with open(work('scan.png'), 'wb') as file:
        file.write(make_picture())
    with open(work('scan.html'), 'w') as file:
        file.write('<html><body><img src="scan.png"></body></html>')
    document = office.open('scan.html', FilterName=WRITER_HTML)
    store(document, 'scan.pdf', 'writer_pdf_Export')
    document.close(True)
    expect('scan.pdf', 'empty')
    write('picture.png', make_picture(8, 8), 'unsupported')


def make_broken():
    pdf, docx, odt = read('letter-german.pdf'), read('letter-german.docx'), read('letter-german.odt')
    write('cut.pdf', pdf[:len(pdf) // 2], 'damaged')
    write('cut.docx', docx[:len(docx) // 2], 'damaged')
    write('cut.odt', odt[:-200], 'damaged')
    write('wrong-name.pdf', docx, 'read', WORDS['german'])
    write('no-extension', pdf, 'read', WORDS['german'])
    write('only-a-header.pdf', b'%PDF-1.7\n', 'damaged')
    write('empty.txt', b'', 'unsupported')
    with zipfile.ZipFile(os.path.join(OUT, 'archive.zip'), 'w') as archive:
        archive.writestr('a.txt', 'hello')
    expect('archive.zip', 'unsupported')

    def package(name, xml, status, *words):
        with zipfile.ZipFile(os.path.join(OUT, name), 'w', zipfile.ZIP_DEFLATED) as made:
            made.writestr('[Content_Types].xml', '<Types/>')
            made.writestr('word/document.xml', xml)
        expect(name, status, *words)

    lol = ''.join(f'<!ENTITY l{n} "{"&l%d;" % (n - 1) * 10}">' for n in range(1, 10))
    package('xml-bomb.docx', f'<!DOCTYPE d [<!ENTITY l0 "lol">{lol}]><d><p><t>&l9;</t></p></d>', 'damaged')
    package('outside.docx', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]><d><p><t>&x;</t></p></d>', 'damaged')
    package('deep.docx', '<p>' * 5000, 'damaged')
    package('zip-bomb.docx', b'<d><p>' + b' ' * (160 * 2 ** 20), 'too_large')


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    for step in (make_letters, make_locked, make_tables, make_texts, make_mails, make_slides, make_scan, make_broken):
        step()
    office.close()
    with open(os.path.join(OUT, 'expected.json'), 'w', encoding='utf-8') as file:
        json.dump(dict(sorted(expected.items())), file, ensure_ascii=False, indent=2)
        file.write('\n')
    shutil.rmtree(WORK)
    print(f'{len(expected)} files')


office = Office()
main()
