/** The only cryptography. */
export abstract class Secrets {
  /** SHA-256 in lowercase hex, for secrets of full entropy and for fingerprints. */
  abstract hash(text: string): string;

  /** HMAC-SHA256 of the message. A string as key stands for its UTF-8 bytes. */
  abstract hmac(key: string | Uint8Array, message: string, encoding: 'hex' | 'base64'): string;

  /** HMAC-SHA256 in hex under a key of this installation, another for each purpose: cursors, claims, CSRF tokens. */
  abstract keyedHash(purpose: string, text: string): string;

  /** Encrypts with the installation's key, as text that is safe to store. `open` needs the same `context`. */
  abstract seal(plain: string, context: string): string;

  /** Decrypts. Throws when the text was altered or the context differs. */
  abstract open(sealed: string, context: string): string;

  /** A slow salted hash of a password. */
  abstract hashPassword(password: string): Promise<string>;

  /** Whether the hash is of this password; false for a hash of another form. */
  abstract verifyPassword(password: string, hash: string): Promise<boolean>;

  /** Compares in constant time. */
  abstract equal(left: string, right: string): boolean;
}
