import type { Secrets } from '../secrets.port.js';

/** `make` returns the secrets of one installation, `other` those of another. */
export function secretsContract(name: string, make: () => Secrets, other: () => Secrets): void {
  describe(`${name} is a Secrets`, () => {
    const secrets = make();

    it('hashes as SHA-256 does', () => {
      expect(secrets.hash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
      expect(secrets.hash('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
    });

    it('signs as HMAC-SHA256 does, text keys by their UTF-8 bytes', () => {
      const expected = 'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8';
      const message = 'The quick brown fox jumps over the lazy dog';
      expect(secrets.hmac('key', message, 'hex')).toBe(expected);
      expect(secrets.hmac(new TextEncoder().encode('key'), message, 'hex')).toBe(expected);
      expect(secrets.hmac('key', message, 'base64')).toBe(Buffer.from(expected, 'hex').toString('base64'));
      expect(secrets.hmac('é', message, 'hex')).toBe(secrets.hmac(new TextEncoder().encode('é'), message, 'hex'));
      expect(secrets.hmac('\u00e9', message, 'hex')).not.toBe(secrets.hmac(new Uint8Array([0xe9]), message, 'hex'));
    });

    it('signs the published webhook example', () => {
      const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj';
      const body = '{"id":"evt_01HZX0000000000000000000AA","object":"event","type":"appointment.confirmed"}';
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      expect(secrets.hmac(secret, `1700000000.${body}`, 'hex')).toBe(
        'd262644fe286615add04a1ac1559248bb43bc63bd1c1d62a1d25cbd1497ad2bb',
      );
      expect(secrets.hmac(key, `evt_01HZX0000000000000000000AA.1700000000.${body}`, 'base64')).toBe(
        '1cni3MuXVbThDCTv5b4T30derT4xm8PSwzLFo/vGu90=',
      );
    });

    it('keeps signing right when many keys take turns', () => {
      const keys = Array.from({ length: 5000 }, (_, index) => `key ${index}`);
      const first = keys.map((key) => secrets.hmac(key, 'message', 'hex'));
      expect(new Set(first).size).toBe(keys.length);
      expect(keys.map((key) => secrets.hmac(key, 'message', 'hex'))).toEqual(first);
    });

    it('hashes under a key of its installation and purpose', () => {
      const hash = secrets.keyedHash('cursors', 'text');
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(make().keyedHash('cursors', 'text')).toBe(hash);
      expect(secrets.keyedHash('claims', 'text')).not.toBe(hash);
      expect(secrets.keyedHash('cursors', 'texT')).not.toBe(hash);
      expect(other().keyedHash('cursors', 'text')).not.toBe(hash);
    });

    it.each(['', 'whsec_secret', 'ünïcödé 🎉\u0000', 'long '.repeat(20_000)])('opens what it sealed (%#)', (plain) => {
      const sealed = secrets.seal(plain, 'prj_1/we_1');
      expect(make().open(sealed, 'prj_1/we_1')).toBe(plain);
      expect(sealed).toMatch(/^[\w.-]+$/);
    });

    it('seals the same text differently each time, and never visibly', () => {
      expect(secrets.seal('visible', 'c')).not.toBe(secrets.seal('visible', 'c'));
      const sealed = secrets.seal('visible', 'c');
      expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('visible');
    });

    it('opens nothing under another context or another installation', () => {
      const sealed = secrets.seal('plain', 'prj_1/we_1');
      expect(() => secrets.open(sealed, 'prj_1/we_2')).toThrow();
      expect(() => other().open(sealed, 'prj_1/we_1')).toThrow();
    });

    it('opens nothing that was altered or cut anywhere', () => {
      const sealed = secrets.seal('plain text', 'c');
      for (let index = 0; index < sealed.length - 1; index++) {
        const letter = sealed[index] === 'A' ? 'B' : 'A';
        expect(() => secrets.open(sealed.slice(0, index) + letter + sealed.slice(index + 1), 'c')).toThrow();
        expect(() => secrets.open(sealed.slice(0, index), 'c')).toThrow();
      }
    });

    it('knows a password again, and only that one', async () => {
      const hash = await secrets.hashPassword('correct horse battery');
      expect(hash).not.toContain('correct');
      expect(await secrets.hashPassword('correct horse battery')).not.toBe(hash);
      expect(await make().verifyPassword('correct horse battery', hash)).toBe(true);
      expect(await secrets.verifyPassword('Correct horse battery', hash)).toBe(false);
    });

    it.each(['', 'nonsense', 'scrypt$', 'scrypt$99$8$1$AAAA$AAAA', 'scrypt$15$8$1$$'])(
      'takes %j for the hash of no password',
      async (hash) => expect(await secrets.verifyPassword('password', hash)).toBe(false),
    );

    it.each([
      ['', '', true],
      ['same', 'same', true],
      ['same', 'samf', false],
      ['short', 'shorter', false],
      ['é', 'e\u0301', false],
    ])('compares %j with %j', (left, right, same) => expect(secrets.equal(left, right)).toBe(same));
  });
}
