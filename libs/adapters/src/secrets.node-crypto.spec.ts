import { secretsContract } from '@ports/contracts/secrets.contract';
import { NodeCryptoSecrets } from './secrets.node-crypto.js';

const installation = (byte: number) => () => new NodeCryptoSecrets(new Uint8Array(32).fill(byte));

secretsContract('NodeCryptoSecrets', installation(1), installation(2));

describe('the key of an installation', () => {
  it.each([0, 16, 31, 33])('is refused with %i bytes', (count) =>
    expect(() => new NodeCryptoSecrets(new Uint8Array(count))).toThrow('32'),
  );

  it('may be wiped by its owner', () => {
    const key = new Uint8Array(32).fill(7);
    const secrets = new NodeCryptoSecrets(key);
    const sealed = secrets.seal('plain', 'c');
    key.fill(0);
    expect(installation(7)().open(sealed, 'c')).toBe('plain');
    expect(secrets.keyedHash('p', 'x')).toBe(installation(7)().keyedHash('p', 'x'));
  });
});

describe('what earlier versions kept', () => {
  const secrets = installation(7)();

  it('is opened', () => {
    const sealed = 'AdnxAUP68NaFGbQyErfMpn9IC8nHRrQjQO51NU5Hxkr5Ur0ZSjF80-4';
    expect(secrets.open(sealed, 'endpoint prj_1 we_1')).toBe('whsec_secret');
  });

  it('is found under the same hashes', () =>
    expect(secrets.keyedHash('claims', 'prj_1\nthread\nzendesk-4711')).toBe(
      '9f91d7717c2e49926177afa33a64968b8ce47e4bfe6682924ed947b65cca8e48',
    ));

  it('is the hash of a password, whatever it cost then', async () => {
    const kept = 'scrypt$10$8$1$AQEBAQEBAQEBAQEBAQEBAQ$WvuR6uIt_Cntg1wWoGqPWR7w14QkRQFzQLhWM6RBjpc';
    expect(await secrets.verifyPassword('correct horse battery', kept)).toBe(true);
  });
});
