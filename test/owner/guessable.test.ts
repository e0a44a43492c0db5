import { describe, expect, it } from 'vitest';
import { isGuessable } from '../../src/owner/guessable.ts';

describe('a passphrase', () => {
  it.each([
    'password12',
    'Password123!',
    'P@ssw0rd2026',
    'passwort!!',
    'passwordpassword',
    'my password',
    '1234567890',
    '0987654321',
    '4815162342',
    'qwertyuiop',
    'qwertz12345',
    '1qaz2wsx3edc',
    'aaaaaaaaaaaa',
    'abababababab',
    'abcdefghij',
    'letmein2026',
    'iloveyou!!!!',
    'Welcome123!',
    'admin admin 1',
    'pdpp owner pdpp',
    'contraseña1',
  ])('that many would try is refused: %s', (passphrase) => {
    expect(isGuessable(passphrase)).toBe(true);
  });

  it.each([
    'correct horse battery staple',
    'four quiet herons dancing',
    'password manager made me a kettle',
    'tr8Kq-w0zp2',
    'mein alter blauer Regenschirm',
    '正确的马电池订书钉和别的东西',
    'Zahnbürste17Kanal',
  ])('that only its owner knows is taken: %s', (passphrase) => {
    expect(isGuessable(passphrase)).toBe(false);
  });

  it('is checked quickly at any length', () => {
    const start = process.cpuUsage();
    isGuessable('qwertyuiop'.repeat(100));
    isGuessable('a1'.repeat(500));
    expect(process.cpuUsage(start).user).toBeLessThan(200_000);
  });
});
