import { scrypt, timingSafeEqual } from 'node:crypto';

const COST_BITS = 15;
const BLOCK_SIZE = 8;
const PARALLELISM = 3;
export const SALT_BYTES = 16;
const HASH_BYTES = 32;
const FORM = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{8,})\$([\w-]{22,})$/;
/** 256 MiB. A stored hash that needs more is refused without computing. */
const MAX_MEMORY = 2 ** 28;

/** `scrypt$<log2 cost>$<block size>$<parallelism>$<salt>$<hash>`: old hashes work after the costs are raised. */
export async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const hash = await derive(password, salt, HASH_BYTES, [COST_BITS, BLOCK_SIZE, PARALLELISM]);
  return ['scrypt', COST_BITS, BLOCK_SIZE, PARALLELISM, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** False also for a text that is no hash or needs too much memory. Never rejects. */
export async function verifyPassword(password: string, kept: string): Promise<boolean> {
  const [, bits, size, parallelism, salt, hash] = FORM.exec(kept) ?? [];
  if (salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  try {
    const costs = [Number(bits), Number(size), Number(parallelism)] as const;
    return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url'), expected.length, costs), expected);
  } catch {
    return false;
  }
}

function derive(password: string, salt: Buffer, length: number, costs: readonly [number, number, number]): Promise<Buffer> {
  const [bits, r, p] = costs;
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { N: 2 ** bits, r, p, maxmem: MAX_MEMORY }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}
